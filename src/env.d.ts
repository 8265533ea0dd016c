/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    // Set by the server around the pages, in Node:
    backend: import('./lib/blog/backend.ts').Backend;
    /** The address limits are counted by. */
    address?: string;
    /** Whether the page cache asks, for everybody: it alone is told what the page was made from. */
    isForCache?: boolean;

    // Set by src/fetch.ts for every page:
    /** The blog as `viewer` sees it. */
    blog: import('./lib/blog/blog.ts').Blog;
    site: import('./lib/blog/blog.ts').Site;
    /** Username the request's access token stands for, or null for a visitor. */
    viewer: string | null;
    /** What was thrown where a page failed after its beginning was made, for the error page. */
    failure?: unknown;
    /**
     * Lets the page be kept and shown to everybody until a write changes something it was made from. Only
     * what visitors may see: an answer to a signed-in reader is never kept (nor one other than 200).
     * @param tags what it was made from, see blog/page-tags.ts
     */
    keep(tags: readonly string[]): void;
  }
}

declare namespace Astro {
  interface ClientDirectives {
    /** When an island hydrates, see src/islands/hydrate.ts. */
    'client:when'?: import('./islands/hydrate.ts').When;
  }
}
