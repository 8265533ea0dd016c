import { randomBytes } from 'node:crypto';
import type { TokenPair } from '../../contract/entities.ts';
import { SHIPPED_LOOKS } from '../../contract/rules/looks.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Role } from '../../contract/rules/permissions.ts';
import type { AuthService, Credentials, Proof, Viewer } from '../auth/auth-service.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { hashOf } from '../shared/seal.ts';
import * as queries from './role-queries.ts';
import { DAY_MS } from '../../contract/rules/units.ts';
import type { SiteOptions } from '../../contract/site-options.ts';
import type { Uses } from '../services.ts';

const LINK_LIFETIME_MS = DAY_MS;
const HAS_OPERATOR =
  '网站已经有站长了，这个链接不能再用。请用站长的账号登录；进不去的话，在服务器上运行 moye user rescue 和站长的用户名';

interface RoleChange extends Omit<Proof, 'password'> {
  username: string;
  role: Role;
  password?: string | undefined;
}

/** First facts of the site; undefined ones stay as they are. */
interface FirstFacts {
  title?: string | undefined;
  description?: string | undefined;
  /** Name of a shipped look. */
  look?: string | undefined;
  signup?: SiteOptions['signup'] | undefined;
}

export type RoleService = ReturnType<typeof createRoleService>;

export function createRoleService(parts: Uses<'auth' | 'texts' | 'site' | 'options'>) {
  const { db, auth, texts, site, options, audit, now } = parts;
  const change = async (
    trx: Trx,
    member: queries.Member,
    role: Role,
    { actorId, note = '' }: { actorId: string | null; note?: string },
  ) => {
    await queries.updateRole(trx, member.id, role);
    await audit.write(trx, {
      actorId,
      action: 'user.role',
      subject: { kind: 'user', id: member.id },
      before: { username: member.username, role: member.role },
      after: note === '' ? { role } : { role, note },
    });
  };
  /** Refuses a link that is unknown or expired, or whose site has an operator by now. */
  const requireLink = async (handle: Queryable, key: string) => {
    if ((await queries.countOperators(handle)) > 0) refuse('SETUP_LINK_INVALID', { text: HAS_OPERATOR });
    if (!(await queries.hasLink(handle, hashOf(key), now()))) refuse('SETUP_LINK_INVALID');
  };
  /** Uses up the link: the account becomes the site's operator. */
  const claim = async (trx: Trx, key: string, username: string): Promise<{ id: string }> => {
    await requireLink(trx, key);
    const member = (await queries.findMember(trx, username)) ?? refuse('USER_NOT_FOUND');
    await queries.deleteLinks(trx);
    await change(trx, member, 'operator', { actorId: member.id });
    return { id: member.id };
  };

  const find = async (handle: Queryable, username: string): Promise<queries.Member> =>
    (await queries.findMember(handle, username.trim())) ?? refuse('USER_NOT_FOUND');

  /**
   * Gives an account another role from its next request on; `actorId` is null on the command line. Refuses
   * with USER_NOT_FOUND, and with LAST_OPERATOR if no operator would be left.
   * @returns the name as stored, and the former role
   */
  const set = (
    username: string,
    role: Role,
    actorId: string | null,
  ): Promise<{ username: string; before: Role }> =>
    db.write(async (trx) => {
      const member = await find(trx, username);
      const { role: before } = member;
      const isLast = before === 'operator' && (await queries.countOperators(trx)) === 1;
      if (isLast && role !== 'operator') refuse('LAST_OPERATOR');
      if (before !== role) await change(trx, member, role, { actorId });
      return { username: member.username, before };
    });

  return {
    set,
    /**
     * As `set`, by an operator, whose proof is needed to appoint or dismiss an operator. Refuses also with
     * PASSWORD_WRONG, CODE_WRONG, TOO_MANY_REQUESTS.
     */
    async change(viewer: Viewer, { username, role, password, code }: RoleChange, from: Place) {
      const { role: before } = await find(db.read, username);
      if (before !== role && (before === 'operator' || role === 'operator')) {
        if (password === undefined) refuse('PASSWORD_WRONG', { field: 'password', text: '请填写当前密码' });
        await auth.confirmChange(viewer, { password, code }, from);
      }
      return set(username, role, viewer.id);
    },
    /**
     * Gives an account inside `trx` the role that its groups at an identity provider determine; the last
     * operator stays one.
     */
    async assign(trx: Trx, username: string, role: Role, note: string): Promise<void> {
      const member = await find(trx, username);
      const isLast = member.role === 'operator' && (await queries.countOperators(trx)) === 1;
      if (member.role !== role && !isLast) await change(trx, member, role, { actorId: null, note });
    },
    isWithoutOperator: async (): Promise<boolean> => (await queries.countOperators(db.read)) === 0,
    /** Creates a link that is valid for 24 hours; returns its key, of which only a hash is stored. */
    async newLink(): Promise<string> {
      const key = randomBytes(32).toString('base64url');
      await db.write((trx) => queries.insertLink(trx, hashOf(key), now() + LINK_LIFETIME_MS));
      return key;
    },
    /**
     * Creates the operator's account, signs it in, and sets the first facts of the site, except those that
     * its settings define. Refuses with WORD_REFUSED, SETUP_LINK_INVALID, and as signing up does.
     */
    async setUp(
      {
        key,
        title,
        description,
        look: chosen,
        signup,
        ...account
      }: Credentials & FirstFacts & { key: string },
      from: Place,
    ): Promise<TokenPair> {
      const typed = { ...account, gender: 'x' as const, bio: '' };
      const fresh = await texts.requireClean('user', typed, null);
      await requireLink(db.read, key);
      let operator = { id: '' };
      const tokens = await auth.signup(fresh, from, async (trx) => {
        operator = await claim(trx, key, account.username);
      });
      const { fixed } = await site.identity();
      const look = SHIPPED_LOOKS.find(({ name }) => name === chosen);
      const facts = Object.entries({ title, description, look }).filter(([name]) => !(name in fixed));
      await site.change(Object.fromEntries(facts), operator);
      await options.change({ signup }, operator.id);
      return tokens;
    },
    /** Makes the viewer the operator. Refuses with SETUP_LINK_INVALID. */
    claim: async (key: string, { username }: Viewer): Promise<void> => {
      await db.write((trx) => claim(trx, key, username));
    },
  };
}

type Place = Parameters<AuthService['signup']>[1];
