import { refuse, type Refusal } from '../../../../contract/rules/errors.ts';
import { isSameName } from '../../../../contract/rules/names.ts';
import { XML_RPC_PATHS } from '../../../../contract/rules/paths.ts';
import { MIB } from '../../../../contract/rules/units.ts';
import type { Viewer } from '../../../auth/auth-service.ts';
import type { RequestLimiter } from '../../../auth/guard/guard.ts';
import { addressKey } from '../../../http/address.ts';
import type { Services } from '../../../services.ts';
import type { ApiRoutes, From } from '../../handler.ts';
import type { HeldBodies } from '../../held-bodies.ts';
import { createAsk } from '../ask.ts';
import { perform } from './methods.ts';
import { beginCall } from './read-call.ts';
import { faultOf, toAnswer, toFault, XML_TYPE } from '../../../http/xml-rpc-answer.ts';

/** A picture of 6 MB in base64. */
const MAX_BODY_BYTES = 8 * MIB;

interface Parts {
  services: Pick<Services, 'accessTokens' | 'quotas' | 'site' | 'users'>;
  limiter: RequestLimiter;
  bodies: HeldBodies;
  origin: string;
  timeZone: string;
}

/**
 * Serves MetaWeblog, Blogger and Movable Type methods for editors. An access token takes the place of the
 * password. `api` answers errors with `faultResponse`.
 */
export function serveXmlRpc(api: ApiRoutes, { services, limiter, bodies, origin, timeZone }: Parts): void {
  const answer = async (request: Request, env: From & { requestId: string }): Promise<string> => {
    const { address } = env;
    using body = bodies.open(request, MAX_BODY_BYTES, addressKey(address));
    await limiter.consume(address, 'read');
    const value = await perform(await beginCall(body, MAX_BODY_BYTES), async (name, token) => {
      const authorization = `Bearer ${token}`;
      const viewer = await requireViewer(services, { name, authorization }, address);
      const userAgent = request.headers.get('user-agent') ?? undefined;
      return {
        ask: createAsk(api, { authorization, env, userAgent }),
        username: viewer.username,
        origin,
        timeZone,
        readTitle: async () => (await services.site.read()).title,
        async requireSome(kinds) {
          await limiter.consume(address, 'write');
          await services.quotas.requireSome(viewer, kinds);
        },
      };
    });
    return toAnswer(value);
  };
  for (const path of XML_RPC_PATHS) {
    api.post(path, async ({ req, env }) => xml(await answer(req.raw, env)));
    api.all(path, () => xml(toFault(405, '这个地址只接受 POST 请求'), 405, { Allow: 'POST' }));
  }
}

/** A refusal as a fault. Its HTTP status is 200, which is what editors read. */
export function faultResponse(refused: Refusal): Response {
  const { retryAfter } = refused;
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return xml(faultOf(refused), 200, headers);
}

const xml = (text: string, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(text, { status, headers: { 'Content-Type': XML_TYPE, ...headers } });

async function requireViewer(
  { accessTokens, users }: Parts['services'],
  { name, authorization }: { name: string; authorization: string },
  address: string,
): Promise<Viewer> {
  const bearer = await accessTokens.bearerOf(authorization, address);
  if (!bearer)
    return refuse('ACCESS_TOKEN_INVALID', { text: '密码处请填写访问令牌，在网站的「账号设置」里新建' });
  const { id, username } = bearer.viewer;
  // Editors may still have a former name.
  if (!isSameName(name.trim(), username) && (await users.findShown(name))?._id !== id)
    refuse('ACCESS_TOKEN_INVALID', { text: '访问令牌不属于这个用户名' });
  return bearer.viewer;
}
