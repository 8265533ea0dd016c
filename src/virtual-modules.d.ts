/** Where the files for browsers are that astro.config.mjs has made of the islands and their renderer. */
declare module 'virtual:islands' {
  const addresses: Record<
    (typeof import('./islands/islands.ts').ISLANDS)[number] | typeof import('./islands/islands.ts').RENDERER,
    string
  >;
  export default addresses;
}
