/// <reference types="astro/client" />

declare namespace App {
  interface Locals {
    /** Comes with each request from the server around the pages. */
    backend: import('./lib/blog/backend.ts').Backend;

    // Set by src/fetch.ts for every page:
    /** The blog as `viewer` sees it. */
    blog: import('./lib/blog/blog.ts').Blog;
    site: import('./lib/blog/blog.ts').Site;
    /** Username the request's access token stands for, or null for a visitor. */
    viewer: string | null;
  }
}
