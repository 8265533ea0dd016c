import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** When an island loads, src/islands/wake.ts. */
    'client:wake'?: boolean | 'near' | 'now';
  }
}
