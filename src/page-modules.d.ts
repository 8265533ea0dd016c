/** Separate copies for the page script, which could not be inlined if it shared modules with islands. */
declare module '*/relative-time.ts?page' {
  export const MINUTE_MS: number;
  export const relativeTime: typeof import('./lib/shared/relative-time.ts').relativeTime;
}
