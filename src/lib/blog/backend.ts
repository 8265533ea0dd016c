import type { Role } from '../contract/permissions.ts';
import type { Blog, Site } from './blog.ts';

/** A signed-in reader, as far as pages care. */
export interface BlogViewer {
  id: string;
  username: string;
  /** Left out where that is not known here (edge), and of authors. */
  role?: Role;
}

/** What answers requests, as `locals.backend`: the services of this process, or a remote API (edge). */
export interface Backend {
  readonly site: Site;
  /** What the site is now, where that can change while it runs. */
  siteNow?(): Promise<Site>;
  /** Answers every path under /api, and the files of contract/made-files.ts. */
  api(request: Request, from: { address: string; requestId: string }): Promise<Response>;
  /** Whoever an access token stands for, or null. Never refuses. */
  viewerOf(token: string | undefined): Promise<BlogViewer | null>;
  /** The blog as `viewer` sees it. `from` is who asks, for blogs that are read from another server. */
  blogFor(viewer: BlogViewer | null, from: { token: string | undefined; address: string }): Blog;
  /** Edge fronts: pages shown to visitors. In Node the server around the pages keeps them. */
  readonly pages?: KeptPages;
  /** Edge fronts: answers `POST /purge`, by which the API server tells what has changed. */
  purge?(request: Request): Promise<Response>;
}

/** What answers for pages in their place, where it can. */
export interface KeptPages {
  /**
   * Answers a request for a page by rendering it or with a copy; where the API is missing (503), with the
   * past hour's last copy.
   * @param isVisitor whether nobody is signed in
   */
  answer(request: Request, isVisitor: boolean, render: () => Promise<Response>): Promise<Response>;
}
