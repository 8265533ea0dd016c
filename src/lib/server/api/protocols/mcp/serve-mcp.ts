import { BODIES } from '../../../../contract/calls/call.ts';
import { isRefusal, refuse, type Refusal } from '../../../../contract/rules/errors.ts';
import { MCP_PATH } from '../../../../contract/rules/paths.ts';
import type { RequestLimiter } from '../../../auth/guard/guard.ts';
import { addressKey } from '../../../http/address.ts';
import { createTurns } from '../../../jobs/turns.ts';
import type { Services } from '../../../services.ts';
import { readInput } from '../../body.ts';
import type { ApiRoutes, From } from '../../handler.ts';
import type { createHeldBodies } from '../../held-bodies.ts';
import { createAsk } from '../ask.ts';

/** Messages answered and waiting. Apart from calls, because tools wait for calls. */
const TURNS = { running: 16, runningEach: 4, waiting: 256, waitingEach: 64 };

interface Parts {
  services: Pick<Services, 'accessTokens' | 'options' | 'site'>;
  limiter: RequestLimiter;
  bodies: ReturnType<typeof createHeldBodies>;
  origin: string;
  /** Other origins whose pages may connect. */
  origins: readonly string[];
}

/** Serves the Model Context Protocol to bearers of access tokens while the operator allows it. */
export function serveMcp(api: ApiRoutes, { services, limiter, bodies, origin, origins }: Parts): void {
  const turns = createTurns('mcp', TURNS);
  const known = new Set([origin, ...origins]);
  const answer = async (request: Request, env: From & { requestId: string }): Promise<Response> => {
    const { headers, method } = request;
    const { address } = env;
    const { mcp } = await services.options.read();
    if (!mcp) refuse('CALL_UNKNOWN');
    // With DNS rebinding a page of another site would reach a server that only its reader can reach.
    const from = headers.get('origin');
    if (from !== null && !known.has(from)) return errorWith(403, '这个网站的页面不能连接这里');
    // Clients know by the status that there is no stream to open.
    if (method !== 'POST') return errorWith(405, '这个地址只接受 POST 请求', { Allow: 'POST' });
    await limiter.consume(address, 'read');
    const authorization = headers.get('authorization') ?? '';
    const bearer = await services.accessTokens.bearerOf(authorization, address);
    if (!bearer) return refuse('ACCESS_TOKEN_INVALID', { text: '请用 Authorization 请求头带上访问令牌' });
    using body = bodies.open(request, BODIES.article.most, addressKey(address));
    const parsedBody = await readInput({ body: BODIES.article }, request, body, addressKey(address));
    // Only servers that use the package load it, at their start (run-server.ts) or here.
    const { answerMcp } = await import('./answer.ts');
    const { title } = await services.site.read();
    const ask = createAsk(api, { authorization, env, userAgent: headers.get('user-agent') ?? undefined });
    const { viewer, scopes } = bearer;
    const session = { title, ask, username: viewer.username, scopes, origin };
    return await turns.run(() => answerMcp(request, { parsedBody, ...session }), viewer.id);
  };
  api.all(MCP_PATH, async ({ req, env }) => {
    try {
      return await answer(req.raw, env);
    } catch (error) {
      if (isRefusal(error)) return toError(error);
      throw error;
    }
  });
}

/** Errors before a message is handled have the form of JSON-RPC and their own status. */
const errorWith = (status: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status, headers });

const toError = ({ status, message, retryAfter }: Refusal): Response =>
  errorWith(status === 200 ? 400 : status, message, {
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  });
