/** The page script's own copies: shared with islands they could not be inlined into the page. */
declare module '*/relative-time.ts?page' {
  export const relativeTime: typeof import('./lib/relative-time.ts').relativeTime;
}
