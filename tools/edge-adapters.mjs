// @ts-check

/** Where a build for an edge goes that its platform does not choose a place for. */
export const edgeFolder = 'dist-edge';
/** By which the build tells astro.config.mjs the adapter. */
export const ADAPTER = 'MOYE_ADAPTER';
/** What a front can be built for. */
export const adapters = /** @type {const} */ (['cloudflare', 'netlify', 'vercel', 'node']);

/** @typedef {(typeof adapters)[number]} Adapter */

/**
 * The adapter a build is for, undefined for that of the project's own server.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Adapter | undefined}
 */
export const adapterOf = (env) => adapters.find((name) => name === env[ADAPTER]);
