// @ts-check

/** Build output of the adapters whose platform does not prescribe a folder. */
export const edgeFolder = 'dist-edge';
/** Environment variable that passes the adapter's name to astro.config.mjs. */
export const ADAPTER = 'MOYE_ADAPTER';
export const adapters = /** @type {const} */ (['cloudflare', 'netlify', 'vercel', 'node']);

/** @typedef {(typeof adapters)[number]} Adapter */

/**
 * Returns the adapter of a build, or undefined for the project's own server.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Adapter | undefined}
 */
export const adapterOf = (env) => adapters.find((name) => name === env[ADAPTER]);
