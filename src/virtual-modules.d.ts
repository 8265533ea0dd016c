/** Where the files for browsers are that astro.config.mjs has made of the islands and their renderer. */
declare module 'virtual:islands' {
  type Name = import('./islands/islands.ts').IslandName | 'renderer/client';
  const addresses: Record<Name, string>;
  export default addresses;
}
