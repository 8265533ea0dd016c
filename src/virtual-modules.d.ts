/** What answers requests in an edge build, of src/lib/edge, by tools/edge.mjs; absent in Node. */
declare module 'virtual:edge' {
  export const edgeBackend: (() => import('./lib/blog/backend.ts').Backend) | undefined;
}

/** Cloudflare's runtime, as far as used; `purge` is missing where there is no Workers Cache. */
declare module 'cloudflare:workers' {
  export const cache: { purge?: (what: { tags: string[] }) => Promise<unknown> } | undefined;
  export function waitUntil(work: Promise<unknown>): void;
}
