import { Hono } from 'hono';
import { cors } from 'hono/cors';
import type { z } from 'zod';
import type { Call } from '../../contract/calls/call.ts';
import { calls, DEVICE_CALLS } from '../../contract/calls/calls.ts';
import { isRefusal, REFUSALS, refusal, refusalResponse, refuse } from '../../contract/rules/errors.ts';
import { may } from '../../contract/rules/permissions.ts';
import { XML_RPC_PATHS } from '../../contract/rules/paths.ts';
import type { Caller, Viewer } from '../auth/auth-service.ts';
import type { RequestLimiter } from '../auth/guard/guard.ts';
import type { App, Services } from '../services.ts';
import { addressKey } from '../http/address.ts';
import { holdsAccessToken } from '../shared/access-token.ts';
import { redactUrl, type Log } from '../shared/log.ts';
import { createTurns } from '../jobs/turns.ts';
import { accountHandlers } from './handlers/account-handlers.ts';
import { readInput } from './body.ts';
import { callerOf } from './caller.ts';
import { commentHandlers } from './handlers/comment-handlers.ts';
import { nameDevice } from './device-cookie.ts';
import { fileHandlers, serveBackups, serveExports, serveFiles } from './handlers/file-handlers.ts';
import { createHeldBodies } from './held-bodies.ts';
import { createCachedAnswers } from './cached-answers.ts';
import { discoveryHandlers } from './handlers/discovery-handlers.ts';
import { articleHandlers } from './handlers/article-handlers.ts';
import type { ApiRoutes, CallRequest, Handler, Handlers } from './handler.ts';
import { seriesHandlers } from './handlers/series-handlers.ts';
import { noticeHandlers, serveUnsubscribe } from './handlers/notice-handlers.ts';
import { serveOpenApi } from './handlers/openapi-handlers.ts';
import { serveOgPictures, serveSiteFiles, siteHandlers } from './handlers/site-handlers.ts';
import { serveSyncedFiles } from './handlers/sync-handlers.ts';
import { moderationHandlers } from './handlers/moderation-handlers.ts';
import { serveOauth, ssoHandlers } from './handlers/sso-handlers.ts';
import { staffHandlers } from './handlers/staff-handlers.ts';
import { tagHandlers } from './handlers/tag-handlers.ts';
import { navigationHandlers } from './handlers/navigation-handlers.ts';
import { serveMcp } from './protocols/mcp/serve-mcp.ts';
import { faultResponse, serveXmlRpc } from './protocols/xml-rpc/serve-xml-rpc.ts';
import { PICTURE_URL } from '../../contract/rules/pictures.ts';
import { MIB } from '../../contract/rules/units.ts';

/**
 * Request bodies in memory: `total` allows four client addresses to reach their limit (`each`). Data parsed
 * from the bodies may take as much memory again.
 */
const HELD = { total: 160 * MIB, each: 40 * MIB };
/**
 * API calls running and waiting, in total and per client. Each call starts in its own turn of the event loop
 * and then mostly waits for a remote database, so more calls than pages may run at once.
 */
const TURNS = { running: 32, runningEach: 8, waiting: 1024, waitingEach: 256 };

interface Parts {
  services: Services;
  pageCache: App['pageCache'];
  limiter: RequestLimiter;
  log: Log;
  site: { origin: string; timeZone: string };
  /** Other origins whose pages may make calls. */
  origins: readonly string[];
}

/** Builds the API. Every response except files uses the envelope of CONTRACT.md, including errors. */
export function createRoutes({ services, pageCache, limiter, log, origins, site }: Parts): ApiRoutes {
  const api: ApiRoutes = new Hono({
    strict: false,
  });
  api.onError((error, { env, req }) => {
    const answer = XML_RPC_PATHS.some((path) => path === req.path) ? faultResponse : refusalResponse;
    if (isRefusal(error)) return answer(error);
    if (isBrokenOff(error)) return answer(refusal('BODY_MALFORMED'));
    log.error({ err: error, requestId: env.requestId, path: redactUrl(req.path) }, 'call failed');
    return answer(refusal('FAULT'));
  });
  const paths = new Set<string>(Object.values(calls).map(({ path }) => path));
  api.notFound(({ req }) =>
    refusalResponse(refusal(paths.has(req.path) ? 'METHOD_NOT_ALLOWED' : 'CALL_UNKNOWN')),
  );
  const answerOrigin = cors({ origin: [...origins], exposeHeaders: ['Retry-After'], maxAge: 600 });
  // The CORS middleware turns the response into a stream and a copy: 1 MB of comments took ten times as long.
  api.use((context, next) =>
    context.req.header('origin') === undefined ? next() : answerOrigin(context, next),
  );
  api.use(async (context, next) => {
    await next();
    const { headers } = context.res;
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
    // Set for caches even when the request has no Origin.
    if (!headers.get('Vary')?.includes('Origin')) headers.append('Vary', 'Origin');
  });
  api.use(({ req }, next) => (holdsAccessToken(req.url) ? refuse('ACCESS_TOKEN_IN_URL') : next()));
  const isSecure = site.origin.startsWith('https:');
  for (const path of DEVICE_CALLS) api.post(path, nameDevice(isSecure));
  const bodies = createHeldBodies(HELD);
  const cached = createCachedAnswers(pageCache);
  const turns = createTurns('call', TURNS);
  const handlers: Handlers = {
    ...accountHandlers(services),
    ...articleHandlers(services),
    ...discoveryHandlers(services),
    ...commentHandlers(services, cached),
    ...tagHandlers(services),
    ...seriesHandlers(services),
    ...navigationHandlers(services),
    ...fileHandlers(services, site.origin),
    ...siteHandlers(services),
    ...staffHandlers(services),
    ...moderationHandlers(services),
    ...noticeHandlers(services),
    ...ssoHandlers(services),
  };
  for (const [name, handler] of Object.entries(handlers) as [keyof Handlers, Handler<Call>][]) {
    const call: Call = calls[name];
    const takesTurns = call.kind === 'read' || name === 'humanCheck';
    api.on(call.method, call.path, async (context) => {
      const { address } = context.env;
      using body = bodies.open(context.req.raw, call.body.most, addressKey(address));
      await limiter.consume(address, call.kind);
      const authorization = context.req.header('authorization');
      const caller = await callerOf(services, call, authorization, address);
      const viewer = requireViewer(call, caller);
      if (call.permission && viewer) await requireSecondStep(services, viewer);
      const fields = await readInput(call, context.req.raw, body, addressKey(address));
      const typed = await withStoredPictures(services, call, caller, fields);
      const input = check(call.input, withOwnCover(typed.fields, site.origin));
      const from = { address, device: context.var.device };
      const userAgent = context.req.header('user-agent');
      const asked = { input, viewer, from, authorization, userAgent, told: typed.told };
      const owner = viewer?.id ?? addressKey(address);
      const inTurn = <T>(work: () => Promise<T>) => (takesTurns ? turns.run(work, owner) : work());
      const { expiredViewer } = caller;
      if (expiredViewer) await inTurn(() => refuseWhereOwn(call, handler, asked, expiredViewer));
      const acceptEncoding = context.req.header('accept-encoding');
      if ('respond' in handler) return await handler.respond(asked, acceptEncoding);
      if (typeof handler === 'function') return await inTurn(async () => done(call, await handler(asked)));
      if (viewer && 'answer' in handler)
        return await inTurn(async () => done(call, await handler.answer(asked)));
      const make = async () => {
        const data = await ('shared' in handler ? handler.shared(input) : handler.answer(asked));
        const tags = handler.tagsOf(input, data);
        return { bytes: Buffer.from(JSON.stringify(envelope(call, data))), tags };
      };
      const key = `${call.path} ${JSON.stringify(input)}`;
      return await cached.answer(key, acceptEncoding, () => inTurn(make));
    });
  }
  serveFiles(api, services);
  serveExports(api, services);
  serveBackups(api, services);
  serveSiteFiles(api, services);
  serveSyncedFiles(api, services, { bodies, limiter, turns });
  serveOgPictures(api, services);
  serveUnsubscribe(api, services);
  serveXmlRpc(api, { services, limiter, bodies, ...site });
  serveMcp(api, { services, limiter, bodies, origin: site.origin, origins });
  serveOpenApi(api);
  serveOauth(api, services, { limiter, isSecure });
  return api;
}

function isBrokenOff(error: Error): boolean {
  return error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}

function requireViewer(call: Call, caller: Caller) {
  if (call.auth === 'required' && !caller.viewer)
    refuse(caller.expired ? 'TOKEN_EXPIRED' : 'SIGNIN_REQUIRED');
  if (call.permission && !may(caller.viewer?.role, call.permission)) refuse('NOT_ALLOWED');
  return caller.viewer;
}

/** Refuses staff without two-step verification while the operator requires it (SECOND_FACTOR_MISSING). */
async function requireSecondStep({ options, safety }: Services, { id }: Viewer): Promise<void> {
  const { secondFactorForStaff } = await options.read();
  if (secondFactorForStaff && !(await safety.twoStep(id)).has_totp) refuse('SECOND_FACTOR_MISSING');
}

/**
 * Refuses with TOKEN_EXPIRED when the owner of the expired token would get a different response than a
 * visitor. Otherwise a client that is told that the user's own draft does not exist would not refresh its
 * token.
 */
async function refuseWhereOwn(
  call: Call,
  handler: Handler<Call>,
  asked: CallRequest<Call>,
  bearer: Viewer,
): Promise<void> {
  if (call.kind === 'write' || (typeof handler === 'object' && 'shared' in handler)) return;
  const answerTo = async (viewer: Viewer | null): Promise<string> => {
    const as = { ...asked, viewer };
    try {
      if ('respond' in handler) return await (await handler.respond(as, undefined)).text();
      const data = await (typeof handler === 'function' ? handler(as) : handler.answer(as));
      return JSON.stringify(call.output.parse(data));
    } catch (error) {
      if (isRefusal(error) && error.status === 200) return error.code;
      throw error;
    }
  };
  if ((await answerTo(bearer)) !== (await answerTo(null))) refuse('TOKEN_EXPIRED');
}

/** Stores the pictures that the text of an article contains, before its length is checked. */
async function withStoredPictures(
  { embedded }: Services,
  { body }: Call,
  { viewer, mayUpload }: Awaited<ReturnType<typeof callerOf>>,
  fields: unknown,
): Promise<{ fields: unknown; told: { notes?: string[] } }> {
  const isText = body.embeds && typeof fields === 'object' && fields !== null && 'content' in fields;
  if (!isText || !viewer || typeof fields.content !== 'string') return { fields, told: {} };
  const { content, notes } = await embedded.take(viewer, fields.content, { mayUpload });
  return { fields: { ...fields, content }, told: notes.length > 0 ? { notes } : {} };
}

/** Programs with an access token know uploaded pictures by their absolute address. */
function withOwnCover(fields: unknown, origin: string): unknown {
  if (typeof fields !== 'object' || fields === null || !('cover' in fields)) return fields;
  const { cover } = fields;
  const isOwn = typeof cover === 'string' && cover.startsWith(origin + PICTURE_URL);
  return isOwn ? { ...fields, cover: cover.slice(origin.length) } : fields;
}

function check(schema: z.ZodType, fields: unknown): unknown {
  // zod's default messages are English; rules without a Chinese message get this one.
  const parsed = schema.safeParse(fields, { error: () => REFUSALS.FIELD_INVALID.text });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path[0];
  return refuse('FIELD_INVALID', {
    ...(issue?.message ? { text: issue.message } : {}),
    ...(typeof field === 'string' ? { field } : {}),
  });
}

const envelope = (call: Call, data: unknown) => ({ code: 'OK', data: call.output.parse(data) });

const done = (call: Call, data: unknown): Response =>
  Response.json(envelope(call, data), call.kind === 'write' ? AFTER_WRITE : {});

/** Clears pages that the browser prefetched (src/layouts/speculation-rules.ts) before the write. */
const AFTER_WRITE = { headers: { 'Clear-Site-Data': '"prefetchCache"' } };
