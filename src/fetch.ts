import { getFetchState, type FetchState } from 'astro/hono';
import { pages } from 'astro/fetch';
import { getCookie } from 'hono/cookie';
import { etag } from 'hono/etag';
import { edgeBackend } from 'virtual:edge';
import type { Backend, RenderedPage } from './lib/blog/backend.ts';
import { may } from './lib/contract/rules/permissions.ts';
import { asksPlainLook, isDocument } from './lib/shared/pages/page-key.ts';
import { CHOICE_NAMES, NO_LOOK } from './lib/shared/look-sheet.ts';
import { pageTags } from './lib/shared/pages/page-tags.ts';
import { createRequests } from './lib/requests.ts';

/**
 * Entry point of every request, the same in dev, in Node and at the edge: shared middleware
 * (src/lib/requests.ts), then pages. In Node the server handles API calls before Astro, and only sends page
 * requests here. The `Backend` of the request provides the data.
 */
const CACHED_STATUSES = new Set([200, 301]);

const requests = createRequests(async (context) => {
  const { locals, clientAddress } = getFetchState(context);
  return { backend: await backendOf(locals), address: locals.address ?? clientAddress ?? '' };
});

// Astro's own endpoints of unused features.
for (const path of ['/_image', '/_server-islands/*']) requests.get(path, ({ redirect }) => redirect('/404'));

// Cached pages have their own ETags (server/cache); these are for setups without a cache.
const named = etag();
requests.use((context, next) => (isDocument(context.req.path) ? named(context, next) : next()));

requests.get('*', async (context) => {
  const { backend, address } = context.var;
  const state = getFetchState(context);
  // The cookie only affects what is shown; writes only accept the Authorization header.
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
  const asksPlain = asksPlainLook(context.req.url);
  const isForStaff =
    asksPlain && viewer && may(await locals.blog.readRole().catch(() => null), 'console.open');
  // A platform's cache in front of an edge would keep this address as another page.
  if (asksPlain && !isForStaff && backend.pages) return redirectToUsual(context.req.url);
  if (isForStaff) locals.site = { ...locals.site, look: lookIn(context.req.url), style: '' };
  let tags: string[] | null = null;
  locals.setCacheTags = (named) => void (tags = [pageTags.site, ...named]);
  const isVisitor = viewer === null && !fault;
  const render = async (): Promise<RenderedPage> => {
    const response = await whole(state);
    const policy = response.headers.get('Content-Security-Policy');
    const socket = backend.site.liveOrigin?.replace(/^http/, 'ws');
    // The socket's origin is known when the server starts, not at build time.
    if (policy && socket)
      response.headers.set('Content-Security-Policy', `${policy} connect-src 'self' ${socket};`);
    if (isForStaff) response.headers.set('Cache-Control', 'private, no-store');
    // Only responses to visitors may be cached for all.
    return { response, tags: isVisitor && CACHED_STATUSES.has(response.status) ? tags : null };
  };
  if (backend.pages) return backend.pages.answer(context.req.raw, isVisitor, render);
  const page = await render();
  locals.receiveTags?.(page.tags);
  return page.response;
});

export default requests;

/** The default look, with the choices that an address contains. */
function lookIn(address: string): typeof NO_LOOK {
  const asked = [...new URL(address).searchParams].filter(
    ([name, value]) =>
      Object.hasOwn(CHOICE_NAMES, name) &&
      Object.hasOwn(CHOICE_NAMES[name as keyof typeof CHOICE_NAMES], value),
  );
  return { ...NO_LOOK, ...(Object.fromEntries(asked) as Partial<typeof NO_LOOK>) };
}

function redirectToUsual(address: string): Response {
  const url = new URL(address);
  url.searchParams.delete('look');
  const headers = { Location: url.pathname + url.search, 'Cache-Control': 'private, no-store' };
  return new Response(null, { status: 302, headers });
}

/**
 * Makes `viewer` and `blog` throw `error` when the viewer cannot be determined; pages that do not use them
 * still work.
 */
function failOnUse(locals: App.Locals, error: unknown): void {
  const get = (): never => {
    throw error;
  };
  Object.defineProperties(locals, { viewer: { get }, blog: { get } });
}

/** Buffers the page, so a failure halfway yields the error page, and the length is known. */
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
  // A Retry-After header marks a temporary failure (src/pages/500.astro).
  const status = page.status === 500 && page.headers.has('Retry-After') ? 503 : page.status;
  if (state.request.method === 'GET') page.headers.set('Content-Length', String(bytes?.byteLength ?? 0));
  return new Response(bytes, { status, headers: page.headers });
}

async function backendOf(locals: App.Locals): Promise<Backend> {
  if (import.meta.env.DEV) return (await import('./lib/server/dev.ts')).openDevBackend();
  return edgeBackend?.() ?? locals.backend;
}
