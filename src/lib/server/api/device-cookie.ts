import { randomBytes } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { DEVICE_COOKIE } from '../../contract/calls.ts';

const YEAR_S = 365 * 24 * 3600;
/** 128 random bits as base64url. */
const DEVICE = /^[A-Za-z0-9_-]{22}$/;

/**
 * Names a browser that signs in, to recognise it by: `context.var.device`, from its cookie or new, set once
 * the call is done. It gives no right at all. Without cookies each time has a new name.
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
