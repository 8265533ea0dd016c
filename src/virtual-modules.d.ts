/** Creates the backend in edge builds (src/lib/edge), provided by tools/edge.mjs; undefined in Node. */
declare module 'virtual:edge' {
  export const edgeBackend: (() => import('./lib/blog/backend.ts').Backend) | undefined;
}

/** The parts of Cloudflare's runtime in use; `purge` is missing without Workers Cache. */
declare module 'cloudflare:workers' {
  export const cache: { purge?: (what: { tags: string[] }) => Promise<unknown> } | undefined;
  export function waitUntil(work: Promise<unknown>): void;
}
