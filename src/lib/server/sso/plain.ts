import { createHash } from 'node:crypto';
import type { ProviderSettings } from '../config/sso-settings.ts';
import {
  at,
  MADE_UP,
  shortText,
  type Person,
  type Provider,
  type Request,
  type Secrets,
} from './provider.ts';
type Settings = Exclude<ProviderSettings, { kind: 'oidc' }>;

export const isPlain = (settings: ProviderSettings): settings is Settings => settings.kind !== 'oidc';

interface Exchange {
  settings: Settings;
  code: string;
  verifier: string;
  redirectUri: string;
  /** Requests JSON; throws unless the answer is an object or a list without an error. */
  ask(url: string, init?: { token?: string; form?: Fields; json?: Fields }): Promise<unknown>;
}
type Fields = Record<string, string>;
type Described = Pick<Person, 'subject' | 'name' | 'email'> & { groups?: readonly string[] };

interface PlainProvider {
  /** Address at which readers sign in; `parameters` are those besides `redirect_uri`, `state` and PKCE. */
  authorize: string;
  parameters(settings: Settings): Fields;
  hasPkce: boolean;
  /** The namespace of the subjects. */
  issuer(settings: Settings): string;
  read(exchange: Exchange): Promise<Described>;
}

/** Providers with OAuth 2 but without an ID token: their addresses, and the fields that identify a person. */
const PROVIDERS: Record<Settings['kind'], PlainProvider> = {
  // https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
  github: {
    authorize: 'https://github.com/login/oauth/authorize',
    parameters: ({ client_id }) => ({ client_id, scope: 'read:user user:email' }),
    hasPkce: true,
    issuer: () => 'https://github.com/',
    read: (exchange) =>
      readUser(exchange, {
        token: 'https://github.com/login/oauth/access_token',
        user: 'https://api.github.com/user',
        emails: 'https://api.github.com/user/emails',
        isPrimary: (email) => at(email, 'primary') === true && at(email, 'verified') === true,
      }),
  },
  // https://gitee.com/api/v5/oauth_doc
  gitee: {
    authorize: 'https://gitee.com/oauth/authorize',
    parameters: ({ client_id }) => ({ client_id, scope: 'user_info emails', response_type: 'code' }),
    hasPkce: false,
    issuer: () => 'https://gitee.com/',
    read: (exchange) =>
      readUser(exchange, {
        token: 'https://gitee.com/oauth/token',
        user: 'https://gitee.com/api/v5/user',
        emails: 'https://gitee.com/api/v5/emails',
        isPrimary: (email) =>
          at(email, 'state') === 'confirmed' && listOf(at(email, 'scope')).includes('primary'),
      }),
  },
  // https://developer.work.weixin.qq.com/document/path/98151
  wecom: {
    authorize: 'https://login.work.weixin.qq.com/wwlogin/sso/login',
    parameters: (settings) => ({
      login_type: 'CorpApp',
      appid: settings.client_id,
      ...(settings.kind === 'wecom' ? { agentid: settings.agent_id } : {}),
    }),
    hasPkce: false,
    issuer: ({ client_id }) => `wecom:${client_id}`,
    async read({ settings: { client_id, client_secret }, code, ask }) {
      const api = (path: string, query: Fields) =>
        ask(`https://qyapi.weixin.qq.com/cgi-bin/${path}?${new URLSearchParams(query).toString()}`);
      const granted = await api('gettoken', { corpid: client_id, corpsecret: client_secret });
      const access_token = requireToken(at(granted, 'access_token'));
      // Members of the company have a userid; others, who have none, are refused.
      const subject = shortText(at(await api('auth/getuserinfo', { access_token, code }), 'userid'));
      const member = await api('user/get', { access_token, userid: subject });
      return {
        subject,
        name: shortText(at(member, 'name')),
        email: shortText(at(member, 'biz_mail')) || null,
        groups: listOf(at(member, 'department')).map(shortText),
      };
    },
  },
  // https://open.feishu.cn/document/authentication-management/access-token/get-user-access-token
  feishu: {
    authorize: 'https://accounts.feishu.cn/open-apis/authen/v1/authorize',
    parameters: ({ client_id }) => ({ client_id, response_type: 'code' }),
    hasPkce: true,
    issuer: ({ client_id }) => `feishu:${client_id}`,
    async read({ settings, code, verifier, redirectUri, ask }) {
      const granted = await ask('https://open.feishu.cn/open-apis/authen/v2/oauth/token', {
        json: grantOf({ settings, code, verifier, redirectUri }),
      });
      const token = requireToken(at(granted, 'access_token'));
      const user = at(await ask('https://open.feishu.cn/open-apis/authen/v1/user_info', { token }), 'data');
      return {
        subject: shortText(at(user, 'open_id')),
        name: shortText(at(user, 'name')),
        // Only the address that the company assigned; the other is what the member typed.
        email: shortText(at(user, 'enterprise_email')) || null,
      };
    },
  },
};

export const plainIssuerOf = (settings: Settings): string => PROVIDERS[settings.kind].issuer(settings);

export function createPlain(settings: Settings, request: Request): Provider {
  const { authorize, parameters, hasPkce, read } = PROVIDERS[settings.kind];
  const issuer = plainIssuerOf(settings);
  return {
    async begin({ state, verifier }: Secrets, redirectUri: string): Promise<URL> {
      const url = new URL(authorize);
      const challenge = createHash('sha256').update(verifier).digest('base64url');
      const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
      const all = { ...parameters(settings), redirect_uri: redirectUri, state, ...(hasPkce ? pkce : {}) };
      for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
      return url;
    },
    async finish(callback: URL, { verifier }: Secrets): Promise<Person> {
      const { searchParams, origin, pathname } = callback;
      const code = searchParams.get('code') ?? '';
      if (code === '' || searchParams.has('error')) throw new Error('the provider sent no code');
      // RFC 9207: an answer that names another issuer is a mix-up.
      const named = searchParams.get('iss');
      if (named !== null && URL.parse(named)?.origin !== new URL(authorize).origin)
        throw new Error('the answer is of another issuer');
      const redirectUri = origin + pathname;
      const found = await read({ settings, code, verifier, redirectUri, ask: askBy(request) });
      return { groups: [], ...found, issuer, hasSecondFactor: false };
    },
    async check(redirectUri: string): Promise<string> {
      const exchange = { settings, code: MADE_UP, verifier: MADE_UP, redirectUri, ask: askBy(request) };
      const problem = await read(exchange).then(
        () => null,
        (error: unknown) => {
          if (!(error instanceof RefusedRequest)) throw error;
          return error.problem;
        },
      );
      return problem ?? 'accepted';
    },
  };
}

const grantOf = ({ settings, code, verifier, redirectUri }: Omit<Exchange, 'ask'>): Fields => ({
  grant_type: 'authorization_code',
  client_id: settings.client_id,
  client_secret: settings.client_secret,
  code,
  redirect_uri: redirectUri,
  ...(PROVIDERS[settings.kind].hasPkce ? { code_verifier: verifier } : {}),
});

/** Reads a user and the user's primary mail address; `isPrimary` is true for a verified one only. */
async function readUser(
  exchange: Exchange,
  urls: { token: string; user: string; emails: string; isPrimary(email: unknown): boolean },
): Promise<Described> {
  const { ask } = exchange;
  const token = requireToken(at(await ask(urls.token, { form: grantOf(exchange) }), 'access_token'));
  const user = await ask(urls.user, { token });
  const primary = listOf(await ask(urls.emails, { token })).find(urls.isPrimary);
  const email = shortText(at(primary, 'email')) || null;
  return { subject: shortText(at(user, 'id')), name: shortText(at(user, 'login')), email };
}

const askBy =
  (request: Request): Exchange['ask'] =>
  async (url, { token, form, json } = {}) => {
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await request(url, {
      method: form || json ? 'POST' : 'GET',
      headers: {
        Accept: 'application/json',
        ...(form || json ? { 'Content-Type': type } : {}),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: form ? new URLSearchParams(form).toString() : json && JSON.stringify(json),
    });
    const answer: unknown = await response.json().catch(() => null);
    // Each of them also reports errors with status 200: `error`, `errcode` or `code`.
    const problem = at(answer, 'error') ?? (at(answer, 'errcode') || at(answer, 'code') || null);
    if (!response.ok || typeof answer !== 'object' || answer === null || problem !== null)
      throw new RefusedRequest(response.status, shortText(problem));
    return answer;
  };

class RefusedRequest extends Error {
  /** The provider's error code. */
  problem: string;
  constructor(status: number, problem: string) {
    super(`the provider refused the request (${status})`);
    this.problem = problem === '' ? `HTTP ${status}` : problem;
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads a token, which may be longer than a claim. */
function requireToken(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new Error('the provider sent no token');
  return value;
}
