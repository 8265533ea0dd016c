import type { Call } from '../../contract/calls/call.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Scope } from '../../contract/rules/scopes.ts';
import type { Caller } from '../auth/auth-service.ts';
import type { Services } from '../services.ts';

const UPLOADING: Scope = 'pictures:write';

/**
 * Returns who makes a call: the user of a session or access token, or a visitor. The bearer of an access
 * token without the call's scope is a visitor. Refuses with ACCESS_TOKEN_INVALID, and with SCOPE_MISSING for
 * calls that visitors may not make.
 * @returns `mayUpload`: whether the caller, if it is a user, may upload pictures
 */
export async function callerOf(
  { accessTokens, auth }: Pick<Services, 'accessTokens' | 'auth'>,
  call: Pick<Call, 'auth' | 'scope'>,
  authorization: string | undefined,
  address: string,
): Promise<Caller & { mayUpload: boolean }> {
  const bearer = await accessTokens.bearerOf(authorization, address);
  if (!bearer) return { ...(await auth.viewerOf(authorization, address)), mayUpload: true };
  const { scope } = call;
  const isAllowed = scope !== null && bearer.scopes.includes(scope);
  if (!isAllowed && call.auth === 'required')
    refuse('SCOPE_MISSING', {
      text: scope === null ? '访问令牌不能用于这个接口，请登录网站操作' : `访问令牌没有权限 ${scope}`,
    });
  const mayUpload = bearer.scopes.includes(UPLOADING);
  return { viewer: isAllowed ? bearer.viewer : null, expired: false, signinId: null, mayUpload };
}
