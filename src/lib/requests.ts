import { Hono, type Context } from 'hono';
import { findablePath } from './shared/urls.ts';
import type { Backend } from './blog/backend.ts';
import { refusal, refusalResponse, REFUSALS } from './contract/rules/errors.ts';
import { isApiRequest, isMadeFile, MADE_FILES, PROTOCOL_PATHS } from './contract/rules/paths.ts';
import { PURGE_PATH } from './shared/purge-signature.ts';
import { YEAR_S } from './contract/rules/units.ts';

/** Backend of a request, and client address for rate limits. */
type RequestContext = { backend: Backend; address: string };

/** Bindings are data that our own server adds to a request. */
type Environment = { Bindings: { address: string }; Variables: RequestContext & { requestId: string } };

const MAX_URL_CHARACTERS = 8192;
const SECURITY_HEADERS = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
});

/**
 * Middleware before the pages: security headers, limits, path normalisation, purges and API calls. The caller
 * adds the handler for pages (src/fetch.ts). `ask` is called once per request.
 */
export function createRequests(
  ask: (context: Context<Environment>) => RequestContext | Promise<RequestContext>,
): Hono<Environment> {
  const requests = new Hono<Environment>();

  requests.notFound(({ req: { method }, redirect, text }) =>
    method === 'GET' || method === 'HEAD'
      ? redirect('/404')
      : text('页面只能浏览', 405, { Allow: 'GET, HEAD' }),
  );

  // Security headers. Pages only run scripts that the build allowed by hash; other responses run none.
  requests.use(async (context, next) => {
    const requestId = crypto.randomUUID();
    context.set('requestId', requestId);
    await next();
    // Set on the response itself, because setting each through the context would copy it.
    const { headers } = context.res;
    for (const [name, value] of SECURITY_HEADERS) headers.set(name, value);
    headers.set('X-Request-Id', requestId);
    if (headers.get('Content-Type') === 'text/html') headers.set('Content-Type', 'text/html; charset=utf-8');
    // Clients on other origins show pictures of this server.
    const isPicture = context.req.path.startsWith('/api/file/') || isMadeFile(context.req.path);
    headers.set('Cross-Origin-Resource-Policy', isPicture ? 'cross-origin' : 'same-origin');
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-cache');
    // Astro sets the policy of pages (`security.csp` in astro.config.mjs), except in dev, where Vite injects
    // styles and scripts.
    const isDevPage = import.meta.env?.DEV && headers.get('Content-Type')?.startsWith('text/html');
    if (!headers.has('Content-Security-Policy') && !isDevPage)
      headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  });

  requests.use(async (context, next) => {
    if (context.req.url.length <= MAX_URL_CHARACTERS) return next();
    const isCall = context.req.path.startsWith('/api/');
    const { status, text } = REFUSALS.URL_TOO_LONG;
    return isCall ? refusalResponse(refusal('URL_TOO_LONG')) : context.text(text, status);
  });

  // Normalises paths that Astro would misread: it logs paths that are not percent-encoded UTF-8 in its own
  // format, and decodes texts twice.
  requests.use(async (context, next) => {
    const { pathname, search } = new URL(context.req.url);
    const path = findablePath(pathname);
    if (path === pathname) return next();
    if (path !== null) return context.redirect(path + search);
    const { status, text } = REFUSALS.URL_MALFORMED;
    const isCall = context.req.path.startsWith('/api/');
    return isCall ? refusalResponse(refusal('CALL_UNKNOWN')) : context.text(text, status);
  });

  requests.use(async (context, next) => {
    const { backend, address } = await ask(context);
    context.set('backend', backend);
    context.set('address', address);
    await next();
    if (backend.site.origin.startsWith('https:'))
      context.res.headers.set('Strict-Transport-Security', `max-age=${YEAR_S}`);
  });

  requests.post(PURGE_PATH, ({ req, var: { backend } }, next) => backend.purge?.(req.raw) ?? next());

  const askApi = ({ req, var: { backend, address, requestId } }: Context<Environment>) =>
    backend.api(req.raw, { address, requestId });
  requests.all('/api/*', async (context, next) =>
    isApiRequest(context.req.method, context.req.path) ? askApi(context) : next(),
  );
  for (const path of PROTOCOL_PATHS) requests.all(path, askApi);
  for (const path of MADE_FILES) requests.get(path, askApi);
  return requests;
}
