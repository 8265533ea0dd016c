import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import type { z } from 'zod';
import { calls, type Call } from '../../contract/calls.ts';
import { isRefusal, refusal, refuse, type Refusal } from '../../contract/errors.ts';
import type { Caller } from '../auth/auth-service.ts';
import type { RequestLimiter } from '../auth/guard.ts';
import type { App, Services } from '../services.ts';
import type { Log } from '../log.ts';
import { isOwnOrigin } from '../origin.ts';
import { accountRoutes } from './account-routes.ts';
import { DEVICE_CALLS } from '../../contract/device-cookie.ts';
import { readFields } from './body.ts';
import { commentRoutes } from './comment-routes.ts';
import { nameDevice } from './device-cookie.ts';
import { fileRoutes, readImagePart, serveFiles } from './file-routes.ts';
import { pageRoutes } from './page-routes.ts';
import type { From, Route } from './route.ts';
import { tagRoutes } from './tag-routes.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Bytes of a body. 200,000 characters outside the basic plane are 2.4 MB as a form, an avatar of 2 MiB is up
 * to 6 MB.
 */
const BODY_LIMITS: Partial<Record<Call['path'], number>> = {
  [calls.pageNew.path]: 4 * MIB,
  [calls.pageEdit.path]: 4 * MIB,
  [calls.pageRevision.path]: 4 * MIB,
  [calls.uploadAvatar.path]: 9 * MIB,
  [calls.uploadImage.path]: 8 * MIB + 64 * KIB,
};
const BODY_LIMIT = 256 * KIB;

interface Parts {
  services: Services;
  /** Where answers are kept that cost much; null where nothing is. */
  pageCache: App['pageCache'];
  limiter: RequestLimiter;
  log: Log;
  /** Origins whose pages may call: this site's and CORS_ORIGINS. */
  origins: readonly string[];
  /** Whether the site is served over https. */
  isSecure: boolean;
}

/** Answers every call under /api; `from` says who is asking, `requestId` goes into the log of a fault. */
export type Api = (request: Request, from: From & { requestId: string }) => Promise<Response>;

/** Builds the API. Every answer but a file is the envelope of CONTRACT.md, errors included. */
export function createApi({ services, pageCache, limiter, log, origins, isSecure }: Parts): Api {
  const api = new Hono<{ Bindings: From & { requestId: string }; Variables: { device?: string } }>({
    strict: false,
  });
  api.onError((error, context) => {
    if (isRefusal(error)) return refused(error);
    if (isBrokenOff(error)) return refused(refusal('BODY_MALFORMED'));
    log.error({ err: error, requestId: context.env.requestId, path: context.req.path }, 'call failed');
    return refused(refusal('FAULT'));
  });
  const paths = new Set<string>(Object.values(calls).map(({ path }) => path));
  api.notFound(({ req }) => refused(refusal(paths.has(req.path) ? 'METHOD_NOT_ALLOWED' : 'CALL_UNKNOWN')));
  const answerOrigin = cors({ origin: [...origins], exposeHeaders: ['Retry-After'], maxAge: 600 });
  // What the middleware adds would make the answer a stream, and a copy: 1 MB of comments took ten times as
  // long.
  api.use((context, next) =>
    context.req.header('origin') === undefined ? next() : answerOrigin(context, next),
  );
  api.use(async (context, next) => {
    refuseForeignOrigin(context.req.raw, origins);
    await next();
    const { headers } = context.res;
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
    // For caches, also where the request names no origin.
    if (!headers.get('Vary')?.includes('Origin')) headers.append('Vary', 'Origin');
  });
  for (const path of DEVICE_CALLS) api.post(path, nameDevice(isSecure));

  const routes: Route[] = [accountRoutes, pageRoutes, commentRoutes, tagRoutes, fileRoutes].flatMap((make) =>
    make(services, pageCache),
  );
  for (const route of routes) {
    const { call } = route;
    api.on(call.method, call.path, limitBody(call), async (context) => {
      await limiter.consume(context.env.address, call.kind);
      const authorization = context.req.header('authorization');
      const viewer = requireViewer(call, await services.auth.viewerOf(authorization));
      const input = check(call.input, await readFields(context.req.raw));
      const from = { address: context.env.address, device: context.var.device };
      const asked = { input, viewer, from, authorization };
      if ('respond' in route) return route.respond(asked, context.req.header('accept-encoding'));
      return done(call, await route.answer(asked));
    });
  }
  api.post(calls.uploadImage.path, limitBody(calls.uploadImage), async (context) => {
    await limiter.consume(context.env.address, 'write');
    const viewer = requireViewer(
      calls.uploadImage,
      await services.auth.viewerOf(context.req.header('authorization')),
    );
    if (!viewer) refuse('SIGNIN_REQUIRED');
    const { url } = await services.files.saveImage(viewer, await readImagePart(context.req.raw));
    return done(calls.uploadImage, { url });
  });
  serveFiles(api as unknown as Hono, services);
  return async (request, from) => api.fetch(request, from);
}

const limitBody = (call: Call) =>
  bodyLimit({
    maxSize: BODY_LIMITS[call.path] ?? BODY_LIMIT,
    onError: () => refused(refusal('BODY_TOO_LARGE')),
  });

/**
 * A browser names the page's origin on every POST; one that is not ours is another site acting for its
 * visitor.
 */
function refuseForeignOrigin(request: Request, origins: readonly string[]): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const header = (name: string) => request.headers.get(name) ?? undefined;
  if (!isOwnOrigin(header('origin'), header('host'), origins)) refuse('ORIGIN_FOREIGN');
}

/** Whether the client has gone before its body was whole: nobody's fault, and nobody reads the answer. */
function isBrokenOff(error: Error): boolean {
  return error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}

function requireViewer(call: Call, caller: Caller) {
  if (call.auth === 'required' && !caller.viewer)
    refuse(caller.expired ? 'TOKEN_EXPIRED' : 'SIGNIN_REQUIRED');
  return caller.viewer;
}

function check(schema: z.ZodType, fields: unknown): unknown {
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues[0]?.message;
  return refuse('FIELD_INVALID', message ? { text: message } : {});
}

function done(call: Call, data: unknown): Response {
  return Response.json(
    { code: 'OK', data: call.output.parse(data) },
    call.kind === 'write' ? AFTER_WRITE : {},
  );
}

/**
 * Who wrote reads what they wrote: pages that their browser has fetched ahead
 * (src/layouts/speculation-rules.ts), in this tab or in another, are from before.
 */
const AFTER_WRITE = { headers: { 'Clear-Site-Data': '"prefetchCache"' } };

function refused(error: Refusal): Response {
  const headers = error.retryAfter === undefined ? {} : { 'Retry-After': String(error.retryAfter) };
  return Response.json({ code: 'ERROR', data: error.message }, { status: error.status, headers });
}
