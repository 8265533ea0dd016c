import { getFetchState, type FetchState } from 'astro/hono';
import { pages } from 'astro/fetch';
import { getCookie } from 'hono/cookie';
import { etag } from 'hono/etag';
import { edgeBackend } from 'virtual:edge';
import type { Backend } from './lib/blog/backend.ts';
import { isDocument } from './lib/blog/page-key.ts';
import { pageTags } from './lib/blog/page-tags.ts';
import { createRequests } from './lib/requests.ts';

/**
 * The entry of every request, the same in dev, in Node and at the edge: what holds for pages and calls alike
 * (src/lib/requests.ts), then pages. In Node the server answers calls by itself, before Astro is entered, and
 * sends visits to pages alone. What answers is the `Backend` that comes with the request.
 */
const KEPT_STATUS = new Set([200, 301]);

const requests = createRequests(async (context) => {
  const { locals, clientAddress } = getFetchState(context);
  return { backend: await backendOf(locals), address: locals.address ?? clientAddress ?? '' };
});

// Astro's own endpoints, for features that are not used.
for (const path of ['/_image', '/_server-islands/*']) requests.get(path, ({ redirect }) => redirect('/404'));

// Kept pages have names of their own (server/cache); these are for where none are kept.
const named = etag();
requests.use((context, next) => (isDocument(context.req.path) ? named(context, next) : next()));

requests.get('*', async (context) => {
  const { backend, address } = context.var;
  const state = getFetchState(context);
  // The cookie only decides what is shown; writes believe the Authorization header alone.
  const token = getCookie(context, 'token');
  const { viewer, fault } = await backend.viewerOf(token).then(
    (found) => ({ viewer: found, fault: null }),
    (error: unknown) => ({ viewer: null, fault: { error } }),
  );
  const { locals } = state;
  locals.site = (await backend.siteNow?.()) ?? backend.site;
  if (fault) failOnUse(locals, fault.error);
  else {
    locals.viewer = viewer?.username ?? null;
    locals.blog = backend.blogFor(viewer, { token, address });
  }
  let tags: readonly string[] | undefined;
  locals.keep = (named) => void (tags = named);
  const isVisitor = viewer === null && !fault;
  const render = async (): Promise<Response> => {
    const page = await whole(state);
    const policy = page.headers.get('Content-Security-Policy');
    const socket = backend.site.liveOrigin?.replace(/^http/, 'ws');
    // Known when the server starts, not when it is built.
    if (policy && socket)
      page.headers.set('Content-Security-Policy', `${policy} connect-src 'self' ${socket};`);
    // Only what a visitor was shown may be shown to everybody; only caches of ours read what it was made
    // from.
    const isForCache = locals.isForCache || backend.pages;
    if (tags && isForCache && isVisitor && KEPT_STATUS.has(page.status))
      page.headers.set('Cache-Tag', [pageTags.site, ...tags].join(','));
    return page;
  };
  return backend.pages?.answer(context.req.raw, isVisitor, render) ?? render();
});

export default requests;

/** While nobody can say who is asking: pages that do not care are shown, the others fail with `error`. */
function failOnUse(locals: App.Locals, error: unknown): void {
  const get = (): never => {
    throw error;
  };
  Object.defineProperties(locals, { viewer: { get }, blog: { get } });
}

/** The page in one piece: one that fails halfway is an error page, and its length is known. */
async function whole(state: FetchState): Promise<Response> {
  let page = await pages(state);
  let bytes: ArrayBuffer | null;
  try {
    bytes = page.body && (await page.arrayBuffer());
  } catch (error) {
    state.locals.failure = error;
    page = await state.rewrite('/500');
    bytes = await page.arrayBuffer();
  }
  // What says when to come again is no fault, only not to be had now (src/pages/500.astro).
  const status = page.status === 500 && page.headers.has('Retry-After') ? 503 : page.status;
  if (state.request.method === 'GET') page.headers.set('Content-Length', String(bytes?.byteLength ?? 0));
  return new Response(bytes, { status, headers: page.headers });
}

async function backendOf(locals: App.Locals): Promise<Backend> {
  if (import.meta.env.DEV) return (await import('./lib/blog/dev.ts')).openDevBackend();
  return edgeBackend?.() ?? locals.backend;
}
