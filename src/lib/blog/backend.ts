import type { Role } from '../contract/rules/permissions.ts';
import type { Blog, Site } from './blog.ts';

export interface BlogViewer {
  id: string;
  username: string;
  /** Omitted if unknown (at the edge), and for authors without a staff role. */
  role?: Role;
}

/** Source of data for requests, in `locals.backend`: the services of this process, or a remote API (edge). */
export interface Backend {
  readonly site: Site;
  /** Returns the current site settings, if they can change while the process runs. */
  siteNow?(): Promise<Site>;
  /** Answers every path under /api, and the files of rules/paths.ts. */
  api(request: Request, from: { address: string; requestId: string }): Promise<Response>;
  /** Returns the user of an access token, or null. Never refuses. */
  viewerOf(token: string | undefined): Promise<BlogViewer | null>;
  /** Returns the blog as `viewer` sees it. `from` is forwarded to the API server when the blog is remote. */
  blogFor(viewer: BlogViewer | null, from: { token: string | undefined; address: string }): Blog;
  /** Page cache of edge fronts; in Node the surrounding server has one. */
  readonly pages?: CachedPages;
  /** Edge fronts: answers `POST /purge`, by which the API server reports changes. */
  purge?(request: Request): Promise<Response>;
}

export interface RenderedPage {
  response: Response;
  /** Tags of the page; null if it may not be cached for all visitors. */
  tags: string[] | null;
}

export interface CachedPages {
  /**
   * Answers a request for a page with a cached page, or by rendering it. If the API is unavailable (503),
   * answers with the last copy of the past hour.
   * @param isVisitor whether the request is from a visitor
   */
  answer(request: Request, isVisitor: boolean, render: () => Promise<RenderedPage>): Promise<Response>;
}
