/** Modules that the page script has a copy of, for itself: shared with islands they could not be inlined into the page. */
declare module '*/ids.ts?page' {
  export const ID_PREFIX: typeof import('./components/ids.ts').ID_PREFIX;
  export const LOADING_ID: typeof import('./components/ids.ts').LOADING_ID;
  export const NOT_LOADED_ID: typeof import('./components/ids.ts').NOT_LOADED_ID;
  export const THREAD_PREFIX: typeof import('./components/ids.ts').THREAD_PREFIX;
}
declare module '*/relative-time.ts?page' {
  export const relativeTime: typeof import('./lib/relative-time.ts').relativeTime;
}
