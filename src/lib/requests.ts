import { Hono, type Context } from 'hono';
import { findablePath } from '../components/urls.ts';
import type { Backend } from './blog/backend.ts';
import { refusal, refusalResponse, REFUSALS } from './contract/errors.ts';
import { isMadeFile, MADE_FILES } from './contract/made-files.ts';
import { PURGE_PATH } from './purge-signature.ts';

/** What answers a request, and the address limits are counted by. */
type Asked = { backend: Backend; address: string };

/** Bindings are what a server of ours says of a request. */
type Environment = { Bindings: { address: string }; Variables: Asked & { requestId: string } };

const MAX_URL = 8192;
const YEAR_S = 31_536_000;
const SECURITY_HEADERS = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
});

/**
 * A request's way to the pages: security headers, limits, addresses, purges, calls; then the handler added
 * (src/fetch.ts). `ask` says what answers a request, once for each.
 */
export function createRequests(
  ask: (context: Context<Environment>) => Asked | Promise<Asked>,
): Hono<Environment> {
  const requests = new Hono<Environment>();

  // Pages are read, never written to.
  requests.notFound(({ req: { method }, redirect, text }) =>
    method === 'GET' || method === 'HEAD'
      ? redirect('/404')
      : text('页面只能浏览', 405, { Allow: 'GET, HEAD' }),
  );

  // Security headers. Pages run what the build knows by its hash, everything else runs nothing.
  requests.use(async (context, next) => {
    const requestId = crypto.randomUUID();
    context.set('requestId', requestId);
    await next();
    // Set on the answer itself: through the context each header would copy it.
    const { headers } = context.res;
    for (const [name, value] of SECURITY_HEADERS) headers.set(name, value);
    headers.set('X-Request-Id', requestId);
    if (headers.get('Content-Type') === 'text/html') headers.set('Content-Type', 'text/html; charset=utf-8');
    // Clients of the contract live at other origins and show our pictures.
    const isPicture = context.req.path.startsWith('/api/file/') || isMadeFile(context.req.path);
    headers.set('Cross-Origin-Resource-Policy', isPicture ? 'cross-origin' : 'same-origin');
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-cache');
    // Astro writes that of pages (`security.csp` in astro.config.mjs), in dev none: Vite puts styles and
    // scripts of its own into them.
    const isDevPage = import.meta.env?.DEV && headers.get('Content-Type')?.startsWith('text/html');
    if (!headers.has('Content-Security-Policy') && !isDevPage)
      headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  });

  // Limits: what no route of ours could need.
  requests.use(async (context, next) => {
    if (context.req.url.length <= MAX_URL) return next();
    const isCall = context.req.path.startsWith('/api/');
    const { status, text } = REFUSALS.URL_TOO_LONG;
    return isCall ? refusalResponse(refusal('URL_TOO_LONG')) : context.text(text, status);
  });

  // Addresses that Astro would misread: it logs those that are not percent-encoded UTF-8 in lines of its own,
  // and decodes texts twice.
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

  // An edge front is told by its API server what has changed.
  requests.post(PURGE_PATH, ({ req, var: { backend } }, next) => backend.purge?.(req.raw) ?? next());

  // The contract's calls; `/api` itself is among them.
  requests.all('/api/*', ({ req, var: { backend, address, requestId } }) =>
    backend.api(req.raw, { address, requestId }),
  );
  // Icons, pictures of links, and what else is made of settings and articles.
  for (const path of MADE_FILES)
    requests.get(path, ({ req, var: { backend, address, requestId } }) =>
      backend.api(req.raw, { address, requestId }),
    );
  return requests;
}
