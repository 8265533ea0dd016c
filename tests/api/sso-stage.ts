import { readClaims } from '../../src/lib/shared/token.ts';
import {
  openIdentityProvider,
  ssoSettings,
  type Claims,
  type IdentityProvider,
} from '../identity-provider.ts';
import { openServer, type TestServer } from './server.ts';

/** Origin of the site as browsers see it. */
export const SITE = 'http://site.test';

interface Landing {
  /** Path and query where the browser stops, on the site. */
  path: string;
  hash: string;
  status: number;
  text: string;
}

/** A browser without scripts: follows redirects and holds the cookies of each origin. */
export interface Browser {
  /** Opens an address and follows its redirects, until `stop` matches one of the site. */
  open(address: string, stop?: RegExp): Promise<Landing>;
  /** Submits a form of the site. */
  submit(path: string, fields: Record<string, string>): Promise<Landing>;
  /** Cookies of the site, by name. */
  readonly cookies: Map<string, string>;
  /** Name of the account that is signed in, or null. */
  readonly username: string | null;
  /** Copies the browser with its cookies. */
  copy(): Browser;
}

const MAX_REDIRECTS = 20;

export function openBrowser(url: string, known: [string, Map<string, string>][] = []): Browser {
  const jars = new Map(known.map(([origin, jar]) => [origin, new Map(jar)]));
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const send = async (target: URL, init: RequestInit = {}): Promise<Response> => {
    const jar = jarOf(target.origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const actual = target.origin === SITE ? new URL(target.pathname + target.search, url) : target;
    const headers = { ...init.headers, ...(cookie === '' ? {} : { Cookie: cookie }) };
    const response = await fetch(actual, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', ...value] = pair.split('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value.join('='));
    }
    return response;
  };
  const follow = async (first: URL, response: Response, stop?: RegExp): Promise<Landing> => {
    let [at, answer] = [first, response];
    for (let count = 0; count < MAX_REDIRECTS; count++) {
      const location = answer.headers.get('location');
      const text = await answer.text();
      if (location === null || answer.status < 300 || answer.status >= 400)
        return { path: at.pathname + at.search, hash: at.hash, status: answer.status, text };
      at = new URL(location, at);
      if (at.origin === SITE && (stop?.test(at.pathname) ?? false))
        return { path: at.pathname + at.search, hash: at.hash, status: 0, text: '' };
      answer = await send(at);
    }
    throw new Error('too many redirects');
  };
  return {
    async open(address, stop) {
      const target = new URL(address, SITE);
      return follow(target, await send(target), stop);
    },
    async submit(path, fields) {
      const target = new URL(path, SITE);
      return follow(target, await send(target, { method: 'POST', body: new URLSearchParams(fields) }));
    },
    get cookies() {
      return jarOf(SITE);
    },
    get username() {
      return readClaims(jarOf(SITE).get('token') ?? '')?.username ?? null;
    },
    copy: () => openBrowser(url, [...jars]),
  };
}

export interface SsoStage {
  server: TestServer;
  idp: IdentityProvider;
  /** Opens a browser without cookies. */
  browser(): Browser;
  /** Signs a person in at the provider, in a new browser unless one is given. */
  enter(person: Claims, browser?: Browser): Promise<Browser & { landing: Landing }>;
  close(): Promise<void>;
}

/** Starts a site with one provider; `more` is added to the settings of the provider. */
export async function openSso(
  more: Record<string, unknown> = {},
  environment: Record<string, string> = {},
): Promise<SsoStage> {
  const idp = await openIdentityProvider(SITE);
  const server = await openServer({
    SITE_URL: SITE,
    SSO_JSON: ssoSettings(idp.issuer, more),
    ...environment,
  });
  const browser = () => openBrowser(server.url);
  return {
    server,
    idp,
    browser,
    async enter(person, given = browser()) {
      idp.person = person;
      const landing = await given.open('/api/oauth/company');
      return Object.assign(given.copy(), { landing });
    },
    async close() {
      await server.close();
      await idp.close();
    },
  };
}
