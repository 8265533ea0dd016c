import { type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { TokenPair } from '../../contract/entities.ts';
import { usernameField, emailField } from '../../contract/fields.ts';
import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import { callbackPath } from '../../contract/rules/paths.ts';
import type { Entry } from '../auth/auth-service.ts';
import type { Place } from '../auth/guard/known-places.ts';
import type { ProviderSettings, SsoSettings } from '../config/sso-settings.ts';
import type { Trx } from '../db/database.ts';
import * as queries from './identity-queries.ts';
import type { Person, Secrets, Provider, Request } from './provider.ts';
import type { Uses } from '../services.ts';
import type { Current } from '../settings/operator-settings.ts';
import { ROLES, type Role } from '../../contract/rules/permissions.ts';
import { MINUTE_MS } from '../../contract/rules/units.ts';
import { seal, unseal } from '../shared/seal.ts';
import { createOidc, oidcIssuerOf } from './oidc.ts';
import { createPlain, isPlain, plainIssuerOf } from './plain.ts';

/** Outcome of an answer of a provider; `next` is a path of this site. */
type Finished =
  | { kind: 'entered'; pair: TokenPair; next: string }
  | { kind: 'code'; ticket: string; next: string }
  | { kind: 'newcomer'; secret: string; name: string; next: string; invite: string; refused: string }
  | { kind: 'linked' };

/** Person and provider of a ticket for signing up. */
const Newcomer = z.object({
  provider: z.string(),
  next: z.string(),
  person: z.object({
    issuer: z.string(),
    subject: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    groups: z.array(z.string()),
    hasSecondFactor: z.boolean(),
  }),
});

/** Refusals of a name or an invitation, after which the reader may enter another. */
const CORRECTABLE = new Set([
  'FIELD_INVALID',
  'USERNAME_TAKEN',
  'USERNAME_RESERVED',
  'WORD_REFUSED',
  'INVITATION_REQUIRED',
  'INVITATION_INVALID',
]);

export type SsoService = ReturnType<typeof createSsoService>;

/**
 * Sign-in by identity providers: begins at a provider, continues with its answer, and creates or finds the
 * account.
 */
export function createSsoService(
  parts: Uses<'auth' | 'recovery' | 'notifyChange' | 'outside' | 'signups' | 'roles'> & {
    settings: Current<SsoSettings>;
    /** Seals the flows in cookies. */
    key: KeyObject;
    /** Public origin of the site. */
    origin: string;
  },
) {
  const { db, settings, key, origin, auth, recovery, signups, roles, log, now } = parts;
  const offer = (each: ProviderSettings) => ({
    settings: each,
    provider: createProvider(each, parts.outside.request),
  });
  /** Providers, which hold the metadata of their settings. */
  const offered = new WeakMap<SsoSettings, ReturnType<typeof offer>[]>();
  const get = async (id: string) => {
    const now = await settings.read();
    const all = offered.get(now) ?? now.providers.map(offer);
    offered.set(now, all);
    return all.find((each) => each.settings.id === id) ?? refuse('PROVIDER_UNKNOWN');
  };
  const redirectUri = (id: string) => origin + callbackPath(id);

  /** Runs a step at a provider. Refuses with PROVIDER_UNREACHABLE, SSO_FAILED. */
  const ask = async <T>(id: string, step: () => Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      const isUnreachable = causesOf(error).some((cause) => isRefusal(cause));
      // The message of the library has no codes or tokens; its causes may.
      log.warn({ provider: id, problem: messageOf(error) }, 'sign-in at a provider failed');
      return refuse(isUnreachable ? 'PROVIDER_UNREACHABLE' : 'SSO_FAILED');
    }
  };

  const insert = (trx: Trx, person: Person, userId: string) =>
    queries.insertIdentity(trx, person, { userId, instant: now() });
  const assignRole = async (trx: Trx, from: ProviderSettings, person: Person, username: string) => {
    const role = roleOf(from, person);
    if (role !== null) await roles.assign(trx, username, role, `由「${from.label}」的群组决定`);
  };

  /** Finds the account of a person; links the one whose verified address a trusted provider confirms. */
  const findAccount = async (trx: Trx, from: ProviderSettings, person: Person) => {
    const known = await queries.findOwner(trx, person);
    if (known) {
      await queries.touchIdentity(trx, person, now());
      return known;
    }
    const mail = mailOf(from, person);
    const id = mail === null ? null : await recovery.ownerOf(trx, mail);
    if (id === null) return null;
    const others = await queries.listIdentities(trx, id);
    if (others.some(({ issuer }) => issuer === person.issuer)) return null;
    await insert(trx, person, id);
    await parts.notifyChange(trx, id, 'identity-added');
    return queries.findOwner(trx, person);
  };

  const enter = (from: ProviderSettings, person: Person, place: Place): Promise<Entry | null> =>
    db.write(async (trx) => {
      const account = await findAccount(trx, from, person);
      if (!account) return null;
      await assignRole(trx, from, person, account.username);
      const skipsCode = person.hasSecondFactor && from.trust.includes('mfa');
      return auth.admit(trx, account, place, { skipsCode });
    });

  /** Creates the account of a person; `claim` runs in the same transaction. */
  const create = async (
    from: ProviderSettings,
    person: Person,
    { username: typed, invite }: { username: string; invite: string },
    place: Place,
    claim: (trx: Trx) => Promise<void> = async () => {},
  ): Promise<TokenPair> => {
    const parsed = usernameField.safeParse(typed);
    if (!parsed.success)
      return refuse('FIELD_INVALID', { field: 'username', text: parsed.error.issues[0]?.message ?? '' });
    const username = parsed.data;
    const account = { username, password: null, gender: 'x' as const, bio: '', invite };
    return signups.signUp(account, place, async (trx, id) => {
      await claim(trx);
      // Another answer for the same person has created an account meanwhile.
      if (await queries.findOwner(trx, person)) refuse('SSO_FAILED');
      await insert(trx, person, id);
      const mail = mailOf(from, person);
      if (mail !== null) await recovery.adopt(trx, id, mail);
      await assignRole(trx, from, person, username);
    });
  };

  /** Links a person to the user of a flow, whom the browser must still be signed in as. */
  const link = async (person: Person, userId: string, token: string | undefined): Promise<Finished> => {
    const { viewer, expiredViewer } = await auth.viewerOf(token);
    if ((viewer ?? expiredViewer)?.id !== userId) return refuse('SSO_FAILED');
    await db.write(async (trx) => {
      const own = await queries.listIdentities(trx, userId);
      const isTaken = (await queries.findOwner(trx, person)) !== null;
      if (isTaken || own.some(({ issuer }) => issuer === person.issuer)) refuse('IDENTITY_TAKEN');
      await insert(trx, person, userId);
      await parts.notifyChange(trx, userId, 'identity-added');
    });
    return { kind: 'linked' };
  };

  const welcome = async (
    from: ProviderSettings,
    person: Person,
    flow: Flow,
    place: Place,
  ): Promise<Finished> => {
    const { next, invite } = flow;
    const { name } = person;
    try {
      const pair = await create(from, person, { username: name, invite }, place);
      return { kind: 'entered', pair, next };
    } catch (error) {
      if (!isRefusal(error) || !CORRECTABLE.has(error.code)) throw error;
      const payload = JSON.stringify({ provider: from.id, next, person });
      const secret = await db.write((trx) => auth.tickets.issue(trx, 'newcomer', { userId: null, payload }));
      return { kind: 'newcomer', secret, name, next, invite, refused: name === '' ? '' : error.code };
    }
  };

  return {
    /**
     * Begins at a provider; returns its address and the text for the cookie. `link` is a ticket of
     * `identities.begin`. Refuses with PROVIDER_UNKNOWN, PROVIDER_UNREACHABLE, TICKET_OVER.
     */
    async begin(id: string, asked: Pick<Flow, 'next' | 'invite'> & { link: string | null }) {
      const { provider } = await get(id);
      const linkedTo = await db.write(async (trx) => {
        if (asked.link === null) return null;
        const ticket = await auth.tickets.take(trx, 'link', asked.link);
        return ticket?.payload === id ? ticket.userId : refuse('TICKET_OVER');
      });
      const { next, invite } = asked;
      const { flow, sealed } = beginFlow(key, { provider: id, next, invite, linkedTo }, now());
      const url = await ask(id, () => provider.begin(flow, redirectUri(id)));
      return { url: url.href, sealed };
    },
    /** Returns the flow that an answer continues, or null: where to go if it fails. */
    findFlow: (id: string, sealed: string, state: string | null): Flow | null =>
      openFlow(key, sealed, { provider: id, state, now: now() }),
    /**
     * Continues with the answer of a provider, which is accepted once. Refuses with PROVIDER_UNKNOWN,
     * PROVIDER_UNREACHABLE, SSO_FAILED, SSO_NOT_ADMITTED, IDENTITY_TAKEN, ACCOUNT_BANNED, and as signing up
     * does.
     * @param query the query of the answer
     * @param token the access token of the browser's session
     */
    async finish(
      id: string,
      { query, sealed, token }: { query: string; sealed: string; token: string | undefined },
      place: Place,
    ): Promise<Finished> {
      const { provider, settings: from } = await get(id);
      const callback = new URL(redirectUri(id) + query);
      const state = callback.searchParams.get('state');
      const flow = openFlow(key, sealed, { provider: id, state, now: now() }) ?? refuse('SSO_FAILED');
      const isFirst = await db.write((trx) => auth.tickets.markUsed(trx, `sso ${flow.state}`));
      if (!isFirst) refuse('SSO_FAILED');
      const person = await ask(id, async () => {
        const found = await provider.finish(callback, flow);
        if (found.subject === '') throw new Error('the provider names no subject');
        return found;
      });
      const obstacle = findObstacle(from, person);
      if (obstacle !== null) {
        log.warn({ provider: id, problem: obstacle }, 'sign-in at a provider not admitted');
        return refuse('SSO_NOT_ADMITTED');
      }
      if (flow.linkedTo !== null) return link(person, flow.linkedTo, token);
      const entry = await enter(from, person, place);
      if (!entry) return welcome(from, person, flow, place);
      const { next } = flow;
      return 'ticket' in entry
        ? { kind: 'code', ticket: entry.ticket, next }
        : { kind: 'entered', pair: await auth.pairOf(entry.session), next };
    },
    /**
     * Creates the account of a newcomer under a name that they chose. Refuses with TICKET_OVER, and as
     * signing up does.
     */
    async signUp(secret: string, chosen: { username: string; invite: string }, place: Place) {
      const ticket = (await auth.tickets.find(db.read, 'newcomer', secret)) ?? refuse('TICKET_OVER');
      const { provider, person, next } = Newcomer.parse(JSON.parse(ticket.payload));
      const { settings: from } = await get(provider);
      const pair = await create(from, person, chosen, place, async (trx) => {
        if (!(await auth.tickets.take(trx, 'newcomer', secret))) refuse('TICKET_OVER');
      });
      return { pair, next };
    },
    /** Ids and issuers of the providers, for linked accounts, and whether only they sign users in. */
    async ways() {
      const { providers, isOnly } = await settings.read();
      return {
        offered: providers.map((each) => ({ id: each.id, label: each.label, issuer: issuerOf(each) })),
        isOnly,
      };
    },
    /** Tests a provider with its secret; returns the result. Refuses with PROVIDER_UNKNOWN, SSO_FAILED. */
    async check(id: string): Promise<string> {
      const problem = await problemOf(await get(id));
      return problem === ''
        ? `能用：服务商认得这个应用和密钥。回调地址是 ${redirectUri(id)}，要在服务商那里登记；再用它登录一次试试`
        : refuse('SSO_FAILED', { text: problem });
    },
    /**
     * Refuses, with FIELD_INVALID at SSO_ONLY, settings with which neither the user nor others could sign in
     * by a provider.
     */
    async requireWayIn({ providers }: SsoSettings, userId: string): Promise<void> {
      const problems = await Promise.all(providers.map((each) => problemOf(offer(each))));
      const usable = providers.filter((_, index) => problems[index] === '').map(issuerOf);
      const own = await queries.listIdentities(db.read, userId);
      const text =
        usable.length === 0
          ? `没有一个登录方式能用，不能只用它们登录。${problems[0] ?? ''}`
          : '先在账号安全里绑定其中一个能用的登录方式，不然你自己也登录不了';
      if (!own.some(({ issuer }) => usable.includes(issuer)))
        refuse('FIELD_INVALID', { field: 'SSO_ONLY', text });
    },
  };

  /** Returns why no user could sign in at a provider, '' if it accepts the site's client. */
  async function problemOf({ settings: from, provider }: ReturnType<typeof offer>): Promise<string> {
    const name = `「${from.label}」`;
    try {
      const code = await provider.check(redirectUri(from.id));
      if (KNOWS_CLIENT.has(code)) return '';
      return REFUSES_CLIENT.has(code)
        ? `${name}不认这个应用编号或密钥（${code}），请检查后重新填写`
        : `${name}的回答是 ${code}：请检查应用编号，以及登记的回调地址是不是 ${redirectUri(from.id)}`;
    } catch (error) {
      const cause = causesOf(error).find((each) => isRefusal(each));
      log.warn({ provider: from.id, problem: messageOf(error) }, 'test of a provider failed');
      if (cause?.code === 'URL_REFUSED')
        return `${name}的地址在内部网络里，还没有保存的不能访问：先保存它，再关掉密码`;
      if (cause) return `连不上${name}：${cause.message}`;
      return from.kind === 'oidc'
        ? `${name}的地址 ${from.issuer} 没有发现文档，或者文档里的 issuer 不是它`
        : `读不懂${name}的回答`;
    }
  }
}

/** Error codes of a made-up code for a client that the provider knows, and for one that it does not. */
const KNOWS_CLIENT: ReadonlySet<string> = new Set(['invalid_grant', 'bad_verification_code', '40029']);
const REFUSES_CLIENT: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'Not Found',
  '40001',
  '40013',
]);

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each);
  return causes;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

/**
 * Returns the English reason, without personal data, for which the operator's lists of domains and groups do
 * not admit a person; null if they do. Empty lists admit everyone.
 */
function findObstacle(from: ProviderSettings, { email, emailFault, groups }: Person): string | null {
  const domain = email?.toLowerCase().split('@').at(-1) ?? '';
  if (from.domains.length > 0 && !from.domains.includes(domain))
    return email === null
      ? (emailFault ?? 'the provider names no verified mail address')
      : 'the domain of the mail address is not among the domains of the setting';
  const wanted = 'groups' in from ? from.groups : [];
  const isInGroup = wanted.length === 0 || wanted.some((group) => groups.includes(group));
  return isInGroup ? null : 'none of the groups is among those of the setting';
}

/** The highest role of a person's groups, author for none; null if the provider does not set roles. */
function roleOf(from: ProviderSettings, { groups }: Person): Role | null {
  const byGroup = Object.entries('roles' in from ? from.roles : {});
  if (byGroup.length === 0) return null;
  const held = byGroup.filter(([group]) => groups.includes(group)).map(([, role]) => ROLES.indexOf(role));
  return ROLES[Math.max(0, ...held)] ?? 'author';
}

/** A person's verified address, if the operator trusts the provider to verify addresses. */
function mailOf(from: ProviderSettings, { email }: Person): string | null {
  if (email === null || !from.trust.includes('email')) return null;
  const parsed = emailField.safeParse(email);
  return parsed.success ? parsed.data : null;
}

const FLOW_LIFETIME_MS = 10 * MINUTE_MS;
const CONTEXT = 'sso flow';

/** A sign-in that has begun, kept in a cookie of the browser that began it. */
interface Flow extends Secrets {
  /** Id of the provider. */
  provider: string;
  /** Path to open at the end. */
  next: string;
  /** Invitation code for a new account, or ''. */
  invite: string;
  /** User who links an account, null for a sign-in. */
  linkedTo: string | null;
  time: number;
}

const randomText = (): string => randomBytes(32).toString('base64url');

/** Begins a flow; returns it with the text for the cookie, which only this site can read. */
function beginFlow(
  key: KeyObject,
  asked: Pick<Flow, 'provider' | 'next' | 'invite' | 'linkedTo'>,
  time: number,
): { flow: Flow; sealed: string } {
  const flow = { ...asked, state: randomText(), nonce: randomText(), verifier: randomText(), time };
  return { flow, sealed: seal(key, CONTEXT, JSON.stringify(flow)) };
}

/** Returns the flow in a cookie if it continues with `state` at `provider`, otherwise null. */
function openFlow(
  key: KeyObject,
  sealed: string,
  { provider, state, now }: { provider: string; state: string | null; now: number },
): Flow | null {
  const text = unseal(key, CONTEXT, sealed);
  const flow = text === null ? null : (JSON.parse(text) as Flow);
  const isCurrent = flow?.provider === provider && flow.state === state;
  return flow && isCurrent && now - flow.time < FLOW_LIFETIME_MS ? flow : null;
}

export const createProvider = (settings: ProviderSettings, request: Request): Provider =>
  isPlain(settings) ? createPlain(settings, request) : createOidc(settings, request);

/** Key of a provider's accounts, which stays valid when its id or label changes. */
export const issuerOf = (settings: ProviderSettings): string =>
  isPlain(settings) ? plainIssuerOf(settings) : oidcIssuerOf(settings);
