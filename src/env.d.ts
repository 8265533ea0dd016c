/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    // Set by the server around the pages, in Node:
    backend: import('./lib/blog/backend.ts').Backend;
    /** Client address for rate limits. */
    address?: string;
    /** Given by the page cache: receives the page's cache tags, or null if it may not be cached. */
    receiveTags?(tags: string[] | null): void;

    // Set by src/fetch.ts for every page:
    blog: import('./lib/blog/blog.ts').Blog;
    site: import('./lib/blog/blog.ts').Site;
    /** Username of the request's access token, or null for a visitor. */
    viewer: string | null;
    /** The error of a page that failed while streaming, for the error page. */
    failure?: unknown;
    /**
     * Allows caching the page for all visitors until a write changes one of its tags. The page must contain
     * only what visitors may see. Responses to signed-in readers are never cached, nor are statuses other
     * than 200 and 301.
     * @param tags see pages/page-tags.ts
     */
    setCacheTags(tags: readonly string[]): void;
  }
}

declare namespace Astro {
  interface ClientDirectives {
    /** When an island hydrates, see src/islands/hydrate.ts. */
    'client:when'?: import('./islands/hydrate.ts').When;
  }
}
