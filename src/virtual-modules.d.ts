/**
 * What answers requests where the build is for an edge: made of src/lib/edge for its platform by
 * tools/edge.mjs, absent in Node.
 */
declare module 'virtual:edge' {
  export const edgeBackend: (() => import('./lib/blog/backend.ts').Backend) | undefined;
}

/**
 * What Cloudflare's runtime offers its workers, as far as it is used. `purge` is not there where no Workers
 * Cache is.
 */
declare module 'cloudflare:workers' {
  export const cache: { purge?: (what: { tags: string[] }) => Promise<unknown> } | undefined;
  export function waitUntil(work: Promise<unknown>): void;
}
