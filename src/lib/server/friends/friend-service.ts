import type { CallInput } from '../../contract/calls/calls.ts';
import { MAX_FRIENDS, type FriendCircle, type StaffFriend } from '../../contract/calls/friend-calls.ts';
import type { Friend } from '../../contract/entities.ts';
import type { AuditAction, AuditFacts } from '../../contract/rules/audit.ts';
import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import { PICTURE_URL } from '../../contract/rules/pictures.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Trx } from '../db/database.ts';
import type { Uses } from '../services.ts';
import { newId, toInstant } from '../shared/ids.ts';
import * as queries from './friend-queries.ts';
import { createFriendRounds, MAX_FAILURES } from './friend-rounds.ts';

export type FriendService = ReturnType<typeof createFriendService>;

/** Maximum applications that wait for staff; more are refused until some are decided. */
const MAX_APPLICATIONS = 100;
const CIRCLE_PAGE_SIZE = 30;

/** Friends of the site: other sites that it links to, and applications of visitors, which staff accepts. */
export function createFriendService(
  parts: Uses<'texts' | 'humans' | 'guard' | 'files' | 'origins' | 'outside'>,
) {
  const { db, events, audit, texts, humans, guard, files, origins, now } = parts;
  const { wake, run, start, stop } = createFriendRounds(parts);
  const changing = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
    db.write(async (trx) => {
      await queries.lockFriends(trx, db.engine === 'postgres');
      events.emit(trx, { type: 'friends-changed' });
      return work(trx);
    });
  const record = (
    trx: Trx,
    viewer: Viewer,
    { action, id, before, after }: { action: AuditAction; id: string; before: AuditFacts; after: AuditFacts },
  ) => audit.write(trx, { actorId: viewer.id, action, subject: { kind: 'friend', id }, before, after });

  /** Returns the address of a stored copy of a logo: readers load no pictures of other sites. */
  async function storedLogo(logo: string, viewer: Viewer): Promise<string> {
    if (logo === '' || logo.startsWith(PICTURE_URL)) return logo;
    try {
      return (await files.fetchImage(viewer, logo)).url;
    } catch (error) {
      if (!isRefusal(error) || error.field !== undefined) throw error;
      return refuse(error.code, { text: `图标没有存下来：${error.message}`, field: 'logo' });
    }
  }

  return {
    start,
    stop,
    /** Checks and reads what is due now. */
    round: run,

    async list(): Promise<Friend[]> {
      return (await queries.listFriends(db.read, ['shown'])).map(toFriend);
    },

    /** Articles of the feeds of friends, newest first; `before` is `next` of the page above. */
    async circle(before: string | undefined): Promise<FriendCircle> {
      const [time, id = ''] = before?.split('-') ?? [];
      const place = time === undefined ? null : { time: Number(time), id };
      const rows = await queries.listEntries(db.read, place, CIRCLE_PAGE_SIZE + 1);
      const shown = rows.slice(0, CIRCLE_PAGE_SIZE);
      const last = rows.length > shown.length ? shown.at(-1) : undefined;
      return {
        entries: shown.map(({ title, url, publish_time, name, friend_url }) => ({
          title,
          url,
          publish_time: toInstant(publish_time),
          friend: name,
          friend_url,
        })),
        next: last ? `${last.publish_time}-${last.id}` : '',
      };
    },

    /**
     * Stores the application of a visitor for staff, one for each site: a later one replaces it. Refuses with
     * WORD_REFUSED, CHECK_NEEDED, CHECK_FAILED, TOO_MANY_REQUESTS, and with FIELD_INVALID a site that is
     * listed. A site that staff has refused or hidden is not stored again.
     */
    async apply(input: CallInput<'friendApply'>, from: { address: string }): Promise<void> {
      await guard.count('friend', from.address);
      const { check, email = '', ...fields } = await texts.requireClean('friend', input, null);
      const useProof = await humans.ofVisitor(check);
      const host = hostOf(fields.url);
      await changing(async (trx) => {
        await useProof(trx);
        const known = await queries.listByHost(trx, host);
        if (known.some(({ state }) => state === 'shown'))
          refuse('FIELD_INVALID', { text: '这个网站已经在友链里了', field: 'url' });
        const open = known.find(({ state }) => state === 'applied');
        if (!open && known.length > 0) return;
        if (!open && (await queries.countFriends(trx, ['applied'])) >= MAX_APPLICATIONS)
          refuse('TOO_MANY_REQUESTS', { text: '等着看的申请太多了，请过几天再来', retryAfter: 86_400 });
        const id = open?.id ?? newId();
        const row = { ...fields, host, email, create_time: now() };
        if (open) await queries.changeFriend(trx, id, row);
        else
          await queries.insertFriends(trx, [{ ...row, id, state: 'applied', group_name: '', position: 0 }]);
        await origins.note(trx, 'friend', id, { id: '', origin: from.address });
      });
    },

    countApplied: (): Promise<number> => queries.countFriends(db.read, ['applied']),

    async listAll(): Promise<StaffFriend[]> {
      return (await queries.listFriends(db.read)).map((row) => ({
        ...toFriend(row),
        _id: row.id,
        state: row.state,
        email: row.email,
        create_time: toInstant(row.create_time),
        ...(row.check_time === 0 ? {} : { check_time: toInstant(row.check_time) }),
        ...(row.failing_since === 0 ? {} : { failing_since: toInstant(row.failing_since) }),
        problem: row.problem,
        feed_problem: row.feed_problem,
      }));
    },

    /**
     * Adds a friend, changes one, or accepts an application with these texts. Refuses with FIELD_INVALID, and
     * as `files.fetchImage`.
     */
    async save(input: CallInput<'friendSave'>, viewer: Viewer): Promise<void> {
      const logo = await storedLogo(input.logo, viewer);
      const { id, group: group_name, ...given } = input;
      const { name, url, description, feed } = await texts.requireClean('friend', given, viewer);
      const fields = { name, url, description, feed, logo, group_name, host: hostOf(url) };
      await changing(async (trx) => {
        if (logo !== '' && !(await queries.hasPicture(trx, logo.replace(PICTURE_URL, ''))))
          refuse('FIELD_INVALID', { text: '图标的图片不存在，请重新填写', field: 'logo' });
        const former = id === undefined ? null : ((await queries.findFriend(trx, id)) ?? refuseGone());
        const isNew = !former || !queries.ACCEPTED.includes(former.state);
        if (isNew && (await queries.countFriends(trx, queries.ACCEPTED)) >= MAX_FRIENDS)
          refuse('FIELD_INVALID', { text: `友链最多 ${MAX_FRIENDS} 个` });
        const added = isNew ? { state: 'shown' as const, position: await queries.nextPosition(trx) } : {};
        const afresh = {
          ...(former?.url === url ? {} : UNCHECKED),
          ...(former?.feed === feed ? {} : UNREAD),
        };
        const saved = former?.id ?? newId();
        if (former) await queries.changeFriend(trx, saved, { ...fields, ...added, ...afresh });
        else
          await queries.insertFriends(trx, [
            { ...fields, state: 'shown', position: 0, ...added, id: saved, email: '', create_time: now() },
          ]);
        if (former && former.feed !== feed) await queries.putEntries(trx, saved, []);
        const action = !former ? 'friend.add' : isNew ? 'friend.accept' : 'friend.change';
        const before = former ? factsOf(former) : {};
        await record(trx, viewer, { action, id: saved, before, after: factsOf(fields) });
      });
      wake();
    },

    /** Refuses with FIELD_INVALID a friend that is gone, or has another state than its action needs. */
    decide: ({ id, action }: CallInput<'friendDecide'>, viewer: Viewer): Promise<void> =>
      changing(async (trx) => {
        const friend = (await queries.findFriend(trx, id)) ?? refuseGone();
        if (action === 'delete') await queries.deleteFriend(trx, id);
        else if (friend.state !== MOVES[action].from) refuseGone();
        else await queries.changeFriend(trx, id, { state: MOVES[action].to });
        await record(trx, viewer, { action: `friend.${action}`, id, before: factsOf(friend), after: {} });
      }),

    /** Sets the order and groups of all friends. Refuses with FIELD_INVALID. */
    order: ({ friends }: CallInput<'friendOrder'>, viewer: Viewer): Promise<void> =>
      changing(async (trx) => {
        const known = new Set((await queries.listFriends(trx, queries.ACCEPTED)).map(({ id }) => id));
        const named = new Set(friends.map(({ id }) => id));
        if (named.size !== friends.length || known.symmetricDifference(named).size > 0)
          refuse('FIELD_INVALID', { text: '友链在别处增加或删除过，请刷新后再排', field: 'friends' });
        for (const [index, { id, group }] of friends.entries())
          await queries.changeFriend(trx, id, { group_name: group, position: index + 1 });
        const after = { count: friends.length };
        await record(trx, viewer, { action: 'friend.order', id: '', before: {}, after });
      }),
  };
}

const MOVES = {
  hide: { from: 'shown', to: 'hidden' },
  show: { from: 'hidden', to: 'shown' },
  refuse: { from: 'applied', to: 'refused' },
} as const;
const UNCHECKED = { check_due: 0, check_time: 0, failures: 0, failing_since: 0, problem: '' };
const UNREAD = { feed_due: 0, feed_failures: 0, feed_problem: '', feed_etag: '', feed_modified: '' };

const refuseGone = (): never => refuse('FIELD_INVALID', { text: '这个友链在别处改过，请刷新后再试' });

/** Host of a web address, in lower case and without `www.`. */
export const hostOf = (url: string): string => new URL(url).host.replace(/^www\./, '');

const factsOf = ({ name, url, group_name }: Pick<queries.FriendRow, 'name' | 'url' | 'group_name'>) => ({
  name,
  place: url,
  category: group_name,
});

const toFriend = (row: queries.FriendRow): Friend => ({
  name: row.name,
  url: row.url,
  description: row.description,
  logo: row.logo,
  feed: row.feed,
  group: row.group_name,
  is_unreachable: row.failures >= MAX_FAILURES,
});
