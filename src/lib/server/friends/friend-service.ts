import type { CallInput } from '../../contract/calls/calls.ts';
import {
  friendConsoleCalls,
  MAX_FRIENDS,
  type FriendCircle,
  type StaffFriend,
} from '../../contract/calls/friend-calls.ts';
import type { Friend } from '../../contract/entities.ts';
import type { AuditAction, AuditFacts } from '../../contract/rules/audit.ts';
import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import { PICTURE_URL } from '../../contract/rules/pictures.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Queryable, Trx } from '../db/database.ts';
import type { Uses } from '../services.ts';
import { newId, toInstant } from '../shared/ids.ts';
import * as queries from './friend-queries.ts';
import { createFriendRounds, MAX_FAILURES } from './friend-rounds.ts';

export type FriendService = ReturnType<typeof createFriendService>;

/** Maximum applications that wait for staff; more are refused until some are decided. */
const MAX_APPLICATIONS = 100;
const CIRCLE_PAGE_SIZE = 30;
const FIRST = { time: Number.MAX_SAFE_INTEGER, id: '' };

/** Friends of the site: other sites that it links to, and applications of visitors, which staff accepts. */
export function createFriendService(
  parts: Uses<'texts' | 'humans' | 'guard' | 'files' | 'origins' | 'outside'>,
) {
  const { db, events, audit, texts, humans, guard, files, origins, now } = parts;
  const { wake, run, start, stop } = createFriendRounds(parts);
  const changing = <T>(work: (trx: Trx, all: queries.FriendRow[]) => Promise<T>): Promise<T> =>
    db.write(async (trx) => {
      await queries.lockFriends(trx, db.engine === 'postgres');
      events.emit(trx, { type: 'friends-changed' });
      return work(trx, await queries.listFriends(trx));
    });
  const record = (
    trx: Trx,
    { id: actorId }: Viewer,
    { action, id, before = {}, after = {} }: { action: AuditAction; id: string } & Partial<Facts>,
  ) => audit.write(trx, { actorId, action, subject: { kind: 'friend', id }, before, after });

  /** Returns the address of a stored copy of a logo: readers load no pictures of other sites. */
  async function storedLogo(logo: string, viewer: Viewer): Promise<string> {
    if (logo === '') return logo;
    if (!logo.startsWith(PICTURE_URL))
      return files.fetchImage(viewer, logo).then(({ url }) => url, refuseLogo);
    if (await queries.hasPicture(db.read, logo.replace(PICTURE_URL, ''))) return logo;
    return refuse('FIELD_INVALID', { text: '图标的图片不存在，请重新填写', field: 'logo' });
  }

  return {
    start,
    stop,
    /** Checks and reads what is due now. */
    round: run,

    async list(): Promise<Friend[]> {
      return (await queries.listFriends(db.read)).filter(({ state }) => state === 'shown').map(toFriend);
    },

    async countApplied(): Promise<number> {
      return (await queries.listFriends(db.read)).filter(({ state }) => state === 'applied').length;
    },

    /** Articles of the feeds of friends, newest first; `before` is `next` of the page above. */
    async circle(before: string | undefined): Promise<FriendCircle> {
      const [time, id = ''] = before?.split('-') ?? [];
      const place = time === undefined ? FIRST : { time: Number(time), id };
      const rows = await queries.listEntries(db.read, place, CIRCLE_PAGE_SIZE + 1);
      const shown = rows.slice(0, CIRCLE_PAGE_SIZE);
      const last = rows.length > shown.length ? shown.at(-1) : undefined;
      return {
        entries: shown.map((row) => ({ ...row, publish_time: toInstant(row.publish_time) })),
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
      await changing(async (trx, all) => {
        await useProof(trx);
        const known = all.filter((each) => each.host === host);
        if (known.some(({ state }) => state === 'shown'))
          refuse('FIELD_INVALID', { text: '这个网站已经在友链里了', field: 'url' });
        const open = known.find(({ state }) => state === 'applied');
        if (!open && known.length > 0) return;
        if (!open && all.filter(({ state }) => state === 'applied').length >= MAX_APPLICATIONS)
          refuse('TOO_MANY_REQUESTS', { text: '等着看的申请太多了，请过几天再来', retryAfter: 86_400 });
        const { id } = open ?? { id: newId() };
        const row = { ...NEW, ...fields, id, host, email, create_time: now() };
        if (open) await queries.changeFriend(trx, { id }, row);
        else await queries.insertFriends(trx, [row]);
        await origins.note(trx, 'friend', id, { id: '', origin: from.address });
      });
    },

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
    async save({ id, group: group_name, ...given }: CallInput<'friendSave'>, viewer: Viewer): Promise<void> {
      const logo = await storedLogo(given.logo, viewer);
      const clean = await texts.requireClean('friend', given, viewer);
      const fields = { ...clean, logo, group_name, host: hostOf(given.url) };
      await changing(async (trx, all) => {
        const former = all.find((each) => each.id === id);
        if (id !== undefined && !former) refuseGone();
        const isNew = !former || !isAccepted(former);
        if (isNew && all.filter(isAccepted).length >= MAX_FRIENDS)
          refuse('FIELD_INVALID', { text: `友链最多 ${MAX_FRIENDS} 个` });
        const position = lastPosition(all) + 1;
        const added = isNew ? ({ state: 'shown', position } as const) : {};
        const saved = former?.id ?? newId();
        if (former) {
          const isElsewhere = former.feed !== fields.feed;
          const renewed = { ...(former.url === fields.url ? {} : UNCHECKED), ...(isElsewhere ? UNREAD : {}) };
          await queries.changeFriend(trx, { id: saved }, { ...fields, ...added, ...renewed });
          if (isElsewhere) await queries.putEntries(trx, saved, []);
        } else
          await queries.insertFriends(trx, [{ ...NEW, ...fields, ...added, id: saved, create_time: now() }]);
        const action = !former ? 'friend.add' : isNew ? 'friend.accept' : 'friend.change';
        const before = former && factsOf(former);
        await record(trx, viewer, { action, id: saved, after: factsOf(fields), ...(before && { before }) });
      });
      wake();
    },

    /**
     * Adds friends of an imported site, except hosts that are listed, pending, refused or hidden.
     * @returns how many were added, and Chinese sentences about those that cannot be
     */
    async import(
      given: readonly Partial<CallInput<'friendSave'>>[],
      { isDryRun }: { isDryRun: boolean },
    ): Promise<{ added: number; problems: string[] }> {
      const problems: string[] = [];
      const rows = new Map<string, queries.NewFriend>();
      for (const friend of given) {
        const { data, error } = SAVED.safeParse(friend);
        if (error) problems.push(`${friend.name}：${error.issues[0]?.message ?? ''}`);
        if (!data || rows.has(hostOf(data.url))) continue;
        const { id: _, group: group_name, ...fields } = data;
        const clean = await texts.requireClean('friend', fields, { isUnlimited: true });
        const host = hostOf(data.url);
        const made = { id: newId(), state: 'shown', email: '', create_time: now() } as const;
        rows.set(host, { ...clean, ...made, group_name, host, position: 0 });
      }
      const add = async (handle: Queryable, insert: (fresh: queries.NewFriend[]) => Promise<void>) => {
        const all = await queries.listFriends(handle);
        const known = new Set(all.map(({ host }) => host));
        const room = MAX_FRIENDS - all.filter(isAccepted).length;
        const first = lastPosition(all) + 1;
        const fresh = [...rows.values()].filter(({ host }) => !known.has(host));
        const added = fresh.slice(0, room).map((row, index) => ({ ...row, position: first + index }));
        if (fresh.length > room)
          problems.push(`友链最多 ${MAX_FRIENDS} 个，有 ${fresh.length - room} 个没有导入`);
        await insert(added);
        return added.length;
      };
      const added = isDryRun
        ? await add(db.read, async () => undefined)
        : await changing((trx) => add(trx, (fresh) => queries.insertFriends(trx, fresh)));
      return { added, problems };
    },

    /** Refuses with FIELD_INVALID a friend that is gone, or has another state than its action needs. */
    decide: ({ id, action }: CallInput<'friendDecide'>, viewer: Viewer): Promise<void> =>
      changing(async (trx, all) => {
        const friend = all.find((each) => each.id === id) ?? refuseGone();
        if (action === 'delete') await queries.deleteFriend(trx, id);
        else {
          const [from, state] = MOVES[action];
          if (!(await queries.changeFriend(trx, { id, state: from }, { state }))) refuseGone();
        }
        await record(trx, viewer, { action: `friend.${action}`, id, before: factsOf(friend) });
      }),

    /** Sets the order and groups of all friends. Refuses with FIELD_INVALID. */
    order: ({ friends }: CallInput<'friendOrder'>, viewer: Viewer): Promise<void> =>
      changing(async (trx, all) => {
        const known = new Set(all.filter(isAccepted).map(({ id }) => id));
        const named = new Set(friends.map(({ id }) => id));
        if (named.size !== friends.length || known.symmetricDifference(named).size > 0)
          refuse('FIELD_INVALID', { text: '友链在别处增加或删除过，请刷新后再排', field: 'friends' });
        for (const [index, { id, group }] of friends.entries())
          await queries.changeFriend(trx, { id }, { group_name: group, position: index + 1 });
        await record(trx, viewer, { action: 'friend.order', id: '', after: { count: friends.length } });
      }),
  };
}

type Facts = Record<'before' | 'after', AuditFacts>;

const NEW = { state: 'applied', email: '', group_name: '', position: 0 } as const;
const SAVED = friendConsoleCalls.friendSave.input;
const MOVES = {
  hide: ['shown', 'hidden'],
  show: ['hidden', 'shown'],
  refuse: ['applied', 'refused'],
} as const;
const UNCHECKED = { check_due: 0, check_time: 0, failures: 0, failing_since: 0, problem: '' };
const UNREAD = { feed_due: 0, feed_failures: 0, feed_problem: '', feed_etag: '', feed_modified: '' };

const lastPosition = (all: readonly queries.FriendRow[]): number =>
  Math.max(0, ...all.map(({ position }) => position));

const refuseGone = (): never => refuse('FIELD_INVALID', { text: '这个友链在别处改过，请刷新后再试' });

function refuseLogo(error: unknown): never {
  if (!isRefusal(error)) throw error;
  return refuse(error.code, { text: `图标没有存下来：${error.message}`, field: 'logo' });
}

/** Host of a web address, in lower case and without `www.`. */
export const hostOf = (url: string): string => new URL(url).host.replace(/^www\./, '');

export const isAccepted = ({ state }: Pick<queries.FriendRow, 'state'>): boolean =>
  state === 'shown' || state === 'hidden';

const factsOf = ({ name, url, group_name }: Pick<queries.FriendRow, 'name' | 'url' | 'group_name'>) => ({
  name,
  place: url,
  category: group_name,
});

const toFriend = ({ name, url, description, logo, feed, ...row }: queries.FriendRow): Friend => ({
  name,
  url,
  description,
  logo,
  feed,
  group: row.group_name,
  is_unreachable: row.failures >= MAX_FAILURES,
});
