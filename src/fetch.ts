import { getFetchState, pages } from 'astro/hono';
import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { requestId } from 'hono/request-id';
import { secureHeaders } from 'hono/secure-headers';
import type { Backend } from './lib/blog/backend.ts';

/**
 * The request pipeline, from top to bottom: limits, security headers, API, pages. The same in dev, in Node and at the edge; what
 * answers is the `Backend` that comes with the request.
 */
type Pipeline = { Variables: { backend: Backend; address: string; requestId: string } };

const MAX_URL = 8192;
const YEAR_S = 31_536_000;

const pipeline = new Hono<Pipeline>();

pipeline.use(requestId({ limitLength: 64 }));

// Limits: what no route of ours could need.
pipeline.use(async (context, next) => {
  if (context.req.url.length <= MAX_URL) return next();
  const isCall = context.req.path.startsWith('/api/');
  return isCall ? context.json({ code: 'ERROR', data: '网址过长' }, 414) : context.text('网址过长', 414);
});

pipeline.use(async (context, next) => {
  const state = getFetchState(context);
  context.set('backend', await backendOf(state.locals));
  context.set('address', state.clientAddress ?? '');
  await next();
});

// Security headers. Pages bring their own Content-Security-Policy (astro.config.mjs), everything else runs nothing.
pipeline.use(
  secureHeaders({
    referrerPolicy: 'strict-origin-when-cross-origin',
    crossOriginOpenerPolicy: 'same-origin',
    crossOriginResourcePolicy: false,
    xFrameOptions: 'DENY',
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [], usb: [] },
    strictTransportSecurity: false,
    xXssProtection: false,
  }),
);
pipeline.use(async (context, next) => {
  await next();
  context.header('X-Request-Id', context.var.requestId);
  if (context.res.headers.get('Content-Type') === 'text/html')
    context.header('Content-Type', 'text/html; charset=utf-8');
  // Clients of the contract live at other origins and show our pictures.
  const isPicture = context.req.path.startsWith('/api/file/');
  context.header('Cross-Origin-Resource-Policy', isPicture ? 'cross-origin' : 'same-origin');
  if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-cache');
  if (context.var.backend.site.origin.startsWith('https:')) {
    context.header('Strict-Transport-Security', `max-age=${YEAR_S}`);
  }
  if (!context.res.headers.has('Content-Security-Policy')) {
    context.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  }
});

// The contract's calls.
pipeline.all('/api/*', ({ req, var: { backend, address, requestId } }) =>
  backend.api(req.raw, { address, requestId }),
);
pipeline.all('/api', ({ req, var: { backend, address, requestId } }) =>
  backend.api(req.raw, { address, requestId }),
);

// Pages are read, never written to.
pipeline.use(async (context, next) => {
  if (context.req.method !== 'GET' && context.req.method !== 'HEAD') {
    return context.text('页面只能浏览', 405, { Allow: 'GET, HEAD' });
  }
  const { backend } = context.var;
  // The cookie only decides what is shown; writes believe the Authorization header alone.
  const viewer = await backend.viewerOf(getCookie(context, 'token'));
  const { locals } = getFetchState(context);
  locals.site = backend.site;
  locals.viewer = viewer?.username ?? null;
  locals.blog = backend.blogFor(viewer);
  return next();
});
pipeline.all('*', pages());

export default pipeline;

async function backendOf(locals: App.Locals): Promise<Backend> {
  if (import.meta.env.DEV) return (await import('./lib/blog/dev.ts')).openDevBackend();
  return locals.backend;
}
