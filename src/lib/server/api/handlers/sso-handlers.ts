import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { TokenPair } from '../../../contract/entities.ts';
import { isRefusal, refusal, refusalResponse, refuse, type Refusal } from '../../../contract/rules/errors.ts';
import { callbackPath, FLOW_COOKIE, NEWCOMER_PATH, OAUTH_PATH } from '../../../contract/rules/paths.ts';
import { sameSitePath } from '../../../shared/same-site-path.ts';
import { SESSION_COOKIES, SESSION_COOKIE_MAX_AGE_S } from '../../../shared/session-cookies.ts';
import { readClaims } from '../../../shared/token.ts';
import { KIB, MINUTE_S } from '../../../contract/rules/units.ts';
import type { RequestLimiter } from '../../auth/guard/guard.ts';
import type { Services } from '../../services.ts';
import { nameDevice } from '../device-cookie.ts';
import { answerWith, type ApiRoutes, type From, type Handlers } from '../handler.ts';
import { placeOf } from './account-handlers.ts';

const FLOW_COOKIE_MAX_AGE_S = 30 * MINUTE_S;
const MAX_FORM_BYTES = 8 * KIB;
const SETTINGS_PAGE = '/user/settings';
const NEWCOMER_PAGE = '/signup/name';

export const ssoHandlers = ({ identities }: Services) =>
  ({
    identityLink: ({ input, viewer, from }) => identities.begin(viewer, input, from),
    identityUnlink: answerWith('已解除绑定', ({ input, viewer, from }) =>
      identities.remove(viewer, input, from),
    ),
  }) satisfies Partial<Handlers>;

type Asked = Context<{ Bindings: From & { requestId: string }; Variables: { device?: string } }>;

/**
 * Sign-in by identity providers: browsers open these addresses themselves, so they are answered with
 * redirects, and set the session's cookies as the sign-in page does. Only an unknown provider is refused in
 * the envelope.
 */
export function serveOauth(
  api: ApiRoutes,
  { sso }: Services,
  { limiter, isSecure }: { limiter: RequestLimiter; isSecure: boolean },
): void {
  const cookie = { path: '/api', httpOnly: true, sameSite: 'Lax', secure: isSecure } as const;
  const keep = (context: Asked, value: string) =>
    setCookie(context, FLOW_COOKIE, value, { ...cookie, maxAge: FLOW_COOKIE_MAX_AGE_S });
  const drop = (context: Asked) => deleteCookie(context, FLOW_COOKIE, cookie);
  const signIn = (context: Asked, { token, refresh_token }: TokenPair) => {
    const session = {
      path: '/',
      sameSite: 'Lax',
      secure: isSecure,
      maxAge: SESSION_COOKIE_MAX_AGE_S,
    } as const;
    const { username, token: access, refreshToken } = SESSION_COOKIES;
    setCookie(context, username, readClaims(token)?.username ?? '', session);
    setCookie(context, access, token, session);
    setCookie(context, refreshToken, refresh_token, session);
    drop(context);
  };
  const from = (context: Asked) => {
    const { address } = context.env;
    const { device } = context.var;
    return placeOf({ from: { address, device }, userAgent: context.req.header('user-agent') });
  };
  /** Runs a step; a refusal is shown on the page at `back`. */
  const orBack = async (context: Asked, back: () => string, step: () => Promise<Response>) => {
    await limiter.consume(context.env.address, 'write');
    try {
      return await step();
    } catch (error) {
      if (!isRefusal(error) || error.code === 'PROVIDER_UNKNOWN') throw error;
      return context.redirect(pathOf(back(), { refused: error.code }));
    }
  };

  api.get(`${OAUTH_PATH}/:id`, (context) => {
    const { req } = context;
    const next = sameSitePath(req.query('redirect'));
    const link = req.query('link') ?? null;
    const back = () => (link === null ? pathOf('/signin', { redirect: next }) : SETTINGS_PAGE);
    return orBack(context, back, async () => {
      const invite = (req.query('invite') ?? '').slice(0, 40);
      const { url, sealed } = await sso.begin(req.param('id'), { next, invite, link });
      keep(context, sealed);
      return context.redirect(url);
    });
  });

  api.get(callbackPath(':id'), nameDevice(isSecure), (context) => {
    const { req } = context;
    const id = req.param('id');
    const sealed = getCookie(context, FLOW_COOKIE) ?? '';
    const flow = sso.findFlow(id, sealed, req.query('state') ?? null);
    const isLink = flow !== null && flow.linkedTo !== null;
    const back = () => (isLink ? SETTINGS_PAGE : pathOf('/signin', { redirect: flow?.next ?? '' }));
    return orBack(context, back, async () => {
      const token = getCookie(context, SESSION_COOKIES.token);
      const found = await sso.finish(id, { query: new URL(req.url).search, sealed, token }, from(context));
      if (found.kind === 'linked') {
        drop(context);
        return context.redirect(pathOf(SETTINGS_PAGE, { linked: id }));
      }
      if (found.kind === 'newcomer') {
        keep(context, found.secret);
        const { name, invite, refused, next: redirect } = found;
        return context.redirect(pathOf(NEWCOMER_PAGE, { name, invite, redirect, refused }));
      }
      if (found.kind === 'entered') {
        signIn(context, found.pair);
        return context.redirect(found.next);
      }
      drop(context);
      // Behind `#`, like every secret in an address: no log contains it.
      return context.redirect(`${pathOf('/signin', { redirect: found.next })}#${found.ticket}`);
    });
  });

  const tooLarge = () => refusalResponse(refusal('BODY_TOO_LARGE'));
  const limit = bodyLimit({ maxSize: MAX_FORM_BYTES, onError: tooLarge });
  api.post(NEWCOMER_PATH, limit, nameDevice(isSecure), async (context) => {
    const { req } = context;
    await limiter.consume(context.env.address, 'write');
    const form = new URLSearchParams(await req.text());
    const [name, invite] = [form.get('username') ?? '', form.get('invite') ?? ''];
    const isPage = req.query('page') !== undefined;
    try {
      // Without a browser's cookie this is the predecessor's call, which has nothing to finish.
      const secret = getCookie(context, FLOW_COOKIE) ?? refuse('SSO_FAILED');
      const { pair, next } = await sso.signUp(secret, { username: name, invite }, from(context));
      if (!isPage) return Response.json({ code: 'OK', data: pair });
      signIn(context, pair);
      return context.redirect(next, 303);
    } catch (error) {
      if (!isPage || !isRefusal(error)) throw error;
      return context.redirect(formAgain(error, { name, invite, redirect: form.get('redirect') ?? '' }), 303);
    }
  });
}

/** Page after a refused sign-up: the form again, or the sign-in page if nothing is left to finish. */
function formAgain({ code }: Refusal, fields: { name: string; invite: string; redirect: string }): string {
  const isOver = code === 'TICKET_OVER' || code === 'SSO_FAILED' || code === 'SIGNUP_CLOSED';
  return isOver
    ? pathOf('/signin', { redirect: fields.redirect, refused: code })
    : pathOf(NEWCOMER_PAGE, { ...fields, refused: code });
}

function pathOf(page: string, fields: Record<string, string>): string {
  const url = new URL(page, 'https://own.invalid');
  for (const [name, value] of Object.entries(fields)) if (value !== '') url.searchParams.set(name, value);
  return url.pathname + url.search;
}
