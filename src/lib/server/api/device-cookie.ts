import { randomBytes } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { DEVICE_COOKIE } from '../../contract/device-cookie.ts';

const YEAR_S = 365 * 24 * 3600;
/** 128 random bits as base64url. */
const DEVICE = /^[A-Za-z0-9_-]{22}$/;

/**
 * Gives a browser that signs in a name to recognise it by: `context.var.device`, from its cookie or new. The
 * cookie is set once the call is done, and gives no right at all: calls believe the Authorization header
 * alone. Clients without cookies have a new name each time.
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
