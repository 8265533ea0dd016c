/// <reference types="astro/client" />

declare namespace App {
  /** Set by src/fetch.ts for every page. */
  interface Locals {
    /** The blog as `viewer` sees it. */
    blog: import('./lib/blog/blog.ts').Blog;
    site: import('./lib/blog/blog.ts').Site;
    /** Username the request's access token stands for, or null for a visitor. */
    viewer: string | null;
  }
}
