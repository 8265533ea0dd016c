import type { Blog, Site } from './blog.ts';

/** A signed-in reader, as far as pages care. */
export interface BlogViewer {
  id: string;
  username: string;
}

/**
 * What the request pipeline hands requests to: the services of this process, or (edge builds) a remote API. In Node it comes with
 * each request as `locals.backend`.
 */
export interface Backend {
  readonly site: Site;
  /** Answers every path under /api. */
  api(request: Request, from: { address: string; requestId: string }): Promise<Response>;
  /** Whoever an access token stands for, or null. Never refuses. */
  viewerOf(token: string | undefined): Promise<BlogViewer | null>;
  /** The blog as `viewer` sees it. */
  blogFor(viewer: BlogViewer | null): Blog;
}
