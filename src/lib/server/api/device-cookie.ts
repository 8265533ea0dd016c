import { randomBytes } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { DEVICE_COOKIE } from '../../contract/calls/calls.ts';
import { YEAR_S } from '../../contract/rules/units.ts';

const DEVICE = /^[A-Za-z0-9_-]{22}$/;

/**
 * Sets `context.var.device`, an identifier that recognises a browser at later sign-ins: from its cookie, or
 * new. The cookie is set after the call succeeds. It grants no rights. A browser without cookies gets a new
 * one each time.
 * @param isSecure whether the site is served over https
 */
export function nameDevice(isSecure: boolean): MiddlewareHandler<{ Variables: { device?: string } }> {
  return async (context, next) => {
    const named = getCookie(context, DEVICE_COOKIE) ?? '';
    const device = DEVICE.test(named) ? named : randomBytes(16).toString('base64url');
    context.set('device', device);
    await next();
    if (context.error) return;
    setCookie(context, DEVICE_COOKIE, device, {
      path: '/api',
      httpOnly: true,
      sameSite: 'Lax',
      secure: isSecure,
      maxAge: YEAR_S,
    });
  };
}
