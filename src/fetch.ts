import { FetchState, pages } from 'astro/fetch';
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { edgeBackend } from 'virtual:edge';
import { findablePath } from './components/urls.ts';
import type { Backend } from './lib/blog/backend.ts';
import { pageTags } from './lib/blog/page-tags.ts';
import { refusal, refusalResponse, REFUSALS } from './lib/contract/errors.ts';
import { PURGE_PATH } from './lib/purge-signature.ts';

/**
 * The request pipeline, from top to bottom: security headers, limits, addresses, API, pages. The same in dev,
 * in Node and at the edge; what answers is the `Backend` that comes with the request.
 */
type Pipeline = { Variables: { backend: Backend; address: string; requestId: string; state: FetchState } };

const MAX_URL = 8192;
const YEAR_S = 31_536_000;

const pipeline = new Hono<Pipeline>();

// Security headers. Pages run what the build knows by its hash, everything else runs nothing.
const SECURITY_HEADERS = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
});
pipeline.use(async (context, next) => {
  const requestId = crypto.randomUUID();
  context.set('requestId', requestId);
  await next();
  // Set on the answer itself: through the context each header would copy it.
  const { headers } = context.res;
  for (const [name, value] of SECURITY_HEADERS) headers.set(name, value);
  headers.set('X-Request-Id', requestId);
  if (headers.get('Content-Type') === 'text/html') headers.set('Content-Type', 'text/html; charset=utf-8');
  // Clients of the contract live at other origins and show our pictures.
  const isPicture = context.req.path.startsWith('/api/file/');
  headers.set('Cross-Origin-Resource-Policy', isPicture ? 'cross-origin' : 'same-origin');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-cache');
  // Astro writes that of pages (`security.csp` in astro.config.mjs), in dev none: Vite puts styles and
  // scripts of its own into them.
  const isDevPage = import.meta.env.DEV && headers.get('Content-Type')?.startsWith('text/html');
  if (!headers.has('Content-Security-Policy') && !isDevPage) {
    headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  }
});

// Limits: what no route of ours could need.
pipeline.use(async (context, next) => {
  if (context.req.url.length <= MAX_URL) return next();
  const isCall = context.req.path.startsWith('/api/');
  const { status, text } = REFUSALS.URL_TOO_LONG;
  return isCall ? refusalResponse(refusal('URL_TOO_LONG')) : context.text(text, status);
});

// Addresses that Astro would misread: it logs those that are not percent-encoded UTF-8 in lines of its own,
// and decodes texts twice.
pipeline.use(async (context, next) => {
  const { pathname, search } = new URL(context.req.url);
  const path = findablePath(pathname);
  if (path === pathname) return next();
  if (path !== null) return context.redirect(path + search);
  const { status, text } = REFUSALS.URL_MALFORMED;
  const isCall = context.req.path.startsWith('/api/');
  return isCall ? refusalResponse(refusal('CALL_UNKNOWN')) : context.text(text, status);
});

pipeline.use(async (context, next) => {
  const state = new FetchState(context.req.raw);
  const backend = await backendOf(state.locals);
  context.set('state', state);
  context.set('backend', backend);
  context.set('address', state.clientAddress ?? '');
  await next();
  if (backend.site.origin.startsWith('https:'))
    context.res.headers.set('Strict-Transport-Security', `max-age=${YEAR_S}`);
});

// An edge front is told by its API server what has changed.
pipeline.post(PURGE_PATH, ({ req, var: { backend } }, next) => backend.purge?.(req.raw) ?? next());

// The contract's calls; `/api` itself is among them.
pipeline.all('/api/*', ({ req, var: { backend, address, requestId } }) =>
  backend.api(req.raw, { address, requestId }),
);

// Pages are read, never written to.
pipeline.all('*', async (context) => {
  if (context.req.method !== 'GET' && context.req.method !== 'HEAD') {
    return context.text('页面只能浏览', 405, { Allow: 'GET, HEAD' });
  }
  const { backend, address, state } = context.var;
  // The cookie only decides what is shown; writes believe the Authorization header alone.
  const token = getCookie(context, 'token');
  const { viewer, fault } = await backend.viewerOf(token).then(
    (found) => ({ viewer: found, fault: null }),
    (error: unknown) => ({ viewer: null, fault: { error } }),
  );
  const { locals } = state;
  locals.site = backend.site;
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
    // Only what a visitor was shown may be shown to everybody. For the cache around this pipeline, which
    // takes it off.
    if (tags && isVisitor && page.status === 200)
      page.headers.set('Cache-Tag', [pageTags.site, ...tags].join(','));
    return page;
  };
  return backend.pages?.answer(context.req.raw, isVisitor, render) ?? render();
});

export default pipeline;

/** While nobody can say who is asking: pages that do not care are shown, the others fail with `error`. */
function failOnUse(locals: App.Locals, error: unknown): void {
  const get = (): never => {
    throw error;
  };
  Object.defineProperties(locals, { viewer: { get }, blog: { get } });
}

/**
 * The page in one piece. Astro hands out pages as they are made: with all of it there, a page that fails
 * halfway is an error page, and its length is known.
 */
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
  return new Response(bytes, { status, headers: page.headers });
}

async function backendOf(locals: App.Locals): Promise<Backend> {
  if (import.meta.env.DEV) return (await import('./lib/blog/dev.ts')).openDevBackend();
  return edgeBackend?.() ?? locals.backend;
}
