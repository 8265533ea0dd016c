import type { Call } from '../../contract/calls/call.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Caller } from '../auth/auth-service.ts';
import type { Services } from '../services.ts';

/**
 * Returns who makes a call: the user of a session or access token, or a visitor. The bearer of an access
 * token without the call's scope is a visitor. Refuses with ACCESS_TOKEN_INVALID, and with SCOPE_MISSING for
 * calls that visitors may not make.
 */
export async function callerOf(
  { accessTokens, auth }: Pick<Services, 'accessTokens' | 'auth'>,
  call: Pick<Call, 'auth' | 'scope'>,
  authorization: string | undefined,
  address: string,
): Promise<Caller> {
  const bearer = await accessTokens.bearerOf(authorization, address);
  if (!bearer) return auth.viewerOf(authorization, address);
  const { scope } = call;
  const isAllowed = scope !== null && bearer.scopes.includes(scope);
  if (!isAllowed && call.auth === 'required')
    refuse('SCOPE_MISSING', {
      text: scope === null ? '访问令牌不能用于这个接口，请登录网站操作' : `访问令牌没有权限 ${scope}`,
    });
  return { viewer: isAllowed ? bearer.viewer : null, expired: false, signinId: null };
}
