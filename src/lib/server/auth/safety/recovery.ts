import { refuse } from '../../../contract/rules/errors.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { usernameOf } from '../../db/lists.ts';
import { outsideRequests } from '../../storage/storage.ts';
import type { AppParts } from '../../services.ts';
import type { AccountParts } from '../account-parts.ts';
import { veil } from '../../shared/veil.ts';
import type { Proof, Viewer } from '../auth-service.ts';
import * as queries from './safety-queries.ts';
import type { Place } from '../guard/known-places.ts';

/** Maximum open links of one kind per user; no more are sent meanwhile. */
const MAX_OPEN_LINKS = 5;
/** Payloads of password reset links: the operator's, with or without the second step, or mailed. */
const RESCUE = { withSecondFactor: 'second-factor', plain: '', mailed: 'mailed' } as const;

export type Recovery = ReturnType<typeof createRecovery>;

/**
 * Account recovery: verified addresses, links by mail, and links issued by the operator. Errors of sending
 * links are hidden from the requester.
 */
export function createRecovery(
  parts: AccountParts & Pick<AppParts, 'auth' | 'guard' | 'notifyChange' | 'passkeys'>,
) {
  const { db, auth, users, guard, mailer, site, notifyChange, isSsoOnly, now } = parts;
  const { origin } = site;
  const { tickets } = auth;
  let sending = Promise.resolve();
  const linkTo = (page: '/verify' | '/reset', secret: string) => `${origin}${page}#${secret}`;

  const findReachable = async (account: string) => {
    const byAddress = account.includes('@') ? await queries.findOwner(db.read, keyOf(account)) : null;
    const id = byAddress ?? (await users.find(account))?._id;
    const address = id === undefined ? null : await queries.findEmail(db.read, id);
    return id === undefined || address === null ? null : { id, address };
  };
  const sendReset = async (account: string): Promise<void> => {
    const found = await findReachable(account);
    if (!found || (await tickets.count(db.read, 'reset', found.id)) >= MAX_OPEN_LINKS) return;
    await db.write(async (trx) => {
      const secret = await tickets.issue(trx, 'reset', { userId: found.id, payload: RESCUE.mailed });
      const name = await usernameOf(trx, found.id);
      await mailer.queueMail(trx, {
        to: found.address,
        subject: `重设你在「${site.title}」的密码`,
        button: '重设密码',
        text: resetText({ title: site.title, name, link: linkTo('/reset', secret) }),
        uniqueKey: `reset ${tickets.nameOf(secret)}`,
      });
    });
  };

  return {
    get hasMail() {
      return mailer.hasMail;
    },
    emailOf: (userId: string): Promise<string | null> => queries.findEmail(db.read, userId),
    /**
     * Sends a link to an address, which becomes the viewer's when the link is opened. Does not reveal whether
     * another user has the address. Refuses with MAIL_OFF, MAIL_FAILED, PASSWORD_WRONG, CODE_WRONG,
     * TOO_MANY_REQUESTS.
     */
    async setEmail(viewer: Viewer, { email, ...proof }: Proof & { email: string }, from: Place) {
      if (!mailer.hasMail) refuse('MAIL_OFF');
      await auth.confirmChange(viewer, proof, from);
      if ((await tickets.count(db.read, 'email', viewer.id)) >= MAX_OPEN_LINKS)
        refuse('TOO_MANY_REQUESTS', { text: '今天发的确认邮件太多了，请明天再试', retryAfter: 3600 });
      await guard.count('mail', from.address);
      const sent = await db.write(async (trx) => {
        const secret = await tickets.issue(trx, 'email', { userId: viewer.id, payload: email });
        const former = await queries.findEmail(trx, viewer.id);
        const asked = { details: [`新邮箱：${veil(email)}`] };
        if (former !== null && keyOf(former) !== keyOf(email))
          await notifyChange(trx, viewer.id, 'email-asked', asked);
        const delivery = await mailer.queueMail(trx, {
          to: email,
          subject: `确认你在「${site.title}」的邮箱`,
          button: '确认邮箱',
          text: verifyText({ title: site.title, name: viewer.username, link: linkTo('/verify', secret) }),
          uniqueKey: `email ${tickets.nameOf(secret)}`,
          isAwaited: true,
        });
        return { secret, delivery };
      });
      try {
        await mailer.requireAccepted(sent.delivery);
      } catch (error) {
        // It does not count towards MAX_OPEN_LINKS.
        await db.write((trx) => tickets.take(trx, 'email', sent.secret));
        throw error;
      }
    },
    /** Assigns the address that a link was sent to. Refuses with LINK_OVER, EMAIL_TAKEN. */
    verifyEmail: (secret: string): Promise<{ email: string }> =>
      db.write(async (trx) => {
        const ticket = await tickets.find(trx, 'email', secret);
        if (ticket?.userId === undefined || ticket.userId === null) return refuse('LINK_OVER');
        const { userId, payload: address } = ticket;
        const addressKey = keyOf(address);
        const owner = await queries.findOwner(trx, addressKey);
        if (owner !== null && owner !== userId) refuse('EMAIL_TAKEN');
        await tickets.drop(trx, userId, 'email');
        const former = await queries.findEmail(trx, userId);
        if (former !== null && keyOf(former) !== addressKey) {
          const details = [`新邮箱：${veil(address)}`];
          await notifyChange(trx, userId, 'email', { addresses: [former, address], details });
        }
        await queries.replaceEmail(trx, userId, { address, addressKey, instant: now() });
        return { email: address };
      }),
    /** Deletes the viewer's address. Refuses with PASSWORD_WRONG, CODE_WRONG. */
    async removeEmail(viewer: Viewer, proof: Proof, from: Place): Promise<void> {
      await auth.confirmChange(viewer, proof, from);
      await db.write(async (trx) => {
        await notifyChange(trx, viewer.id, 'email-removed');
        await queries.deleteEmail(trx, viewer.id);
        // A password reset link may be in that mailbox.
        await tickets.drop(trx, viewer.id);
      });
    },
    /** Returns the id of the account with a verified address, or null. */
    ownerOf: (on: Queryable, address: string): Promise<string | null> =>
      queries.findOwner(on, keyOf(address)),
    /** Gives an account without an address one that is verified elsewhere, unless another account has it. */
    async adopt(trx: Trx, userId: string, address: string): Promise<void> {
      const addressKey = keyOf(address);
      if ((await queries.findOwner(trx, addressKey)) !== null) return;
      await queries.replaceEmail(trx, userId, { address, addressKey, instant: now() });
    },
    forgetEmail: (trx: Trx, userId: string): Promise<void> => queries.deleteEmail(trx, userId),
    /**
     * Mails a reset link to the user with that name or address, if possible. Responds before looking the user
     * up, so neither the response nor its timing reveals whether the user exists. Refuses with
     * TOO_MANY_REQUESTS, by the requester's address only, and SSO_ONLY.
     */
    async forgot(account: string, from: Place): Promise<void> {
      if (await isSsoOnly?.()) refuse('SSO_ONLY');
      await guard.count('mail', from.address);
      if (!mailer.hasMail) return;
      sending = outsideRequests(() => sending.then(() => sendReset(account).catch(parts.failed)));
    },
    settled: (): Promise<void> => sending,
    /**
     * Returns a password reset link for the operator to hand out; with `dropsSecondFactor` it also removes
     * two-step verification and passkeys, whose names it returns. `also` runs in the same transaction.
     * Refuses with USER_NOT_FOUND.
     */
    async rescue(
      username: string,
      { dropsSecondFactor }: { dropsSecondFactor: boolean },
      also: (trx: Trx, user: { _id: string; username: string }) => Promise<void>,
    ): Promise<{ username: string; link: string; passkeys: string[] }> {
      const user = (await users.find(username)) ?? refuse('USER_NOT_FOUND');
      const payload = dropsSecondFactor ? RESCUE.withSecondFactor : RESCUE.plain;
      const secret = await db.write(async (trx) => {
        await also(trx, user);
        return tickets.issue(trx, 'reset', { userId: user._id, payload });
      });
      const passkeys = dropsSecondFactor ? await parts.passkeys.list(user._id) : [];
      const names = passkeys.map(({ name }) => name);
      return { username: user.username, link: linkTo('/reset', secret), passkeys: names };
    },
    /** Sets a password by a link and ends every sign-in. Refuses with LINK_OVER and as `hashNew`. */
    async reset({ token, new_password }: { token: string; new_password: string }, from: Place) {
      // Hashing is expensive, so the link is checked first.
      if (!(await tickets.find(db.read, 'reset', token))) refuse('LINK_OVER');
      const hash = await auth.hashNew(new_password, from);
      const isProviderNeeded = await isSsoOnly?.();
      await db.write(async (trx) => {
        const { userId, payload } = (await tickets.take(trx, 'reset', token)) ?? refuse('LINK_OVER');
        if (userId === null) return refuse('LINK_OVER');
        if (payload === RESCUE.withSecondFactor) {
          await auth.twoStep.remove(trx, userId);
          const names = await parts.passkeys.removeAll(trx, userId);
          const details = names.length > 0 ? [`一并删除的通行密钥：${names.join('、')}`] : [];
          await notifyChange(trx, userId, 'totp-off', { details });
        }
        await auth.replacePassword(trx, userId, hash);
        if (isProviderNeeded && payload !== RESCUE.mailed)
          await tickets.issue(trx, 'rescued', { userId, payload: '' });
      });
    },
  };
}

/** Compares addresses without case: providers do not assign addresses that differ only in case. */
const keyOf = (address: string): string => address.trim().toLowerCase();

interface Letter {
  title: string;
  name: string;
  link: string;
}

const verifyText = ({ title, name, link }: Letter) => `${name}，你好：

请打开下面的链接，确认这是你在「${title}」用的邮箱。链接 24 小时内有效，只能用一次。

${link}

如果不是你填的，不用理会这封邮件。
`;

const resetText = ({ title, name, link }: Letter) => `${name}，你好：

有人（希望是你）要重设你在「${title}」的密码。打开下面的链接就可以设一个新的，链接 24 小时内有效，只能用一次。

${link}

如果不是你要的，不用理会这封邮件，密码不会变。
`;
