import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import { DAY_MS, HOUR_MS, MIB, MINUTE_MS } from '../../contract/rules/units.ts';
import type { Trx } from '../db/database.ts';
import { createJob } from '../jobs/jobs.ts';
import { createReusedThread } from '../jobs/reused-thread.ts';
import type { Uses } from '../services.ts';
import { asClean } from '../shared/clean-text.ts';
import { hashOf } from '../shared/seal.ts';
import * as queries from './friend-queries.ts';
import type { FeedDocument, ReadEntry } from './read-feed.ts';

const SCRIPT = new URL('./feed-worker.ts', import.meta.url);
/** Processor time; a feed of 1 MB takes a tenth of a second. */
const PARSE_TIMEOUT_MS = 3_000;
const HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };
const MAX_FEED_BYTES = MIB;
const MAX_HEADER_CHARACTERS = 200;
const MAX_ENTRY_AGE_MS = 365 * DAY_MS;
/** Refused applications are kept this long, so that the same site is not reviewed again. */
const REFUSED_LIFETIME_MS = 90 * DAY_MS;
const ROUND_INTERVAL_MS = 5 * MINUTE_MS;
const FEED_INTERVAL_MS = HOUR_MS;
const CHECK_INTERVAL_MS = 7 * DAY_MS;
/** Failed checks in a row, a day apart, after which a site counts as unreachable. */
export const MAX_FAILURES = 3;
const HEADERS = { Accept: 'application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5' };

/**
 * Checks the sites of friends every week and reads their feeds at most once an hour, one request at a time,
 * in one process. What is due is claimed before its request, so a crash or another process does not repeat
 * it.
 */
export function createFriendRounds({ db, events, log, now, outside, texts }: Uses<'outside' | 'texts'>) {
  const thread = createReusedThread<FeedDocument, ReadEntry[]>(SCRIPT, {
    idleMs: MINUTE_MS,
    answerMs: PARSE_TIMEOUT_MS,
    resourceLimits: HEAP,
  });

  const claim = (what: 'check_due' | 'feed_due', interval: number) =>
    db.write(async (trx) => {
      const friend = await queries.findDue(trx, what, now());
      if (friend) await queries.changeFriend(trx, friend.id, { [what]: now() + interval });
      return friend;
    });

  /** Whether staff has not changed an address meanwhile. */
  const isStill = async (trx: Trx, friend: queries.FriendRow, what: 'url' | 'feed') =>
    (await queries.findFriend(trx, friend.id))?.[what] === friend[what];

  async function check(friend: queries.FriendRow, signal: AbortSignal): Promise<void> {
    const problem = await outside.get(friend.url, { headers: {}, most: 0, signal }).then(
      // Other errors mean that a site exists, which refuses programs.
      ({ status }) => (status === 404 || status === 410 || status >= 500 ? `网站回答了状态 ${status}` : ''),
      problemOf,
    );
    if (signal.aborted) return;
    const failures = problem === '' ? 0 : friend.failures + 1;
    const since = friend.failures === 0 ? now() : friend.failing_since;
    await db.write(async (trx) => {
      if (!(await isStill(trx, friend, 'url'))) return;
      await queries.changeFriend(trx, friend.id, {
        check_time: now(),
        failures,
        failing_since: failures === 0 ? 0 : since,
        problem,
        ...(failures === 0 ? {} : { check_due: now() + DAY_MS }),
      });
      if (failures >= MAX_FAILURES !== friend.failures >= MAX_FAILURES)
        events.emit(trx, { type: 'friends-changed' });
    });
  }

  /** Returns the entries to store; null if the feed has not changed. @throws refusals */
  async function request(friend: queries.FriendRow, signal: AbortSignal) {
    const { feed_etag: etag, feed_modified: modified } = friend;
    // A moved database has no entries.
    const isKnown = await queries.hasEntries(db.read, friend.id);
    const conditions = {
      ...(isKnown && etag !== '' ? { 'If-None-Match': etag } : {}),
      ...(isKnown && modified !== '' ? { 'If-Modified-Since': modified } : {}),
    };
    const most = MAX_FEED_BYTES;
    const answer = await outside.get(friend.feed, { headers: { ...HEADERS, ...conditions }, most, signal });
    const { status, headers, body: bytes, isCut } = answer;
    if (status === 304) return null;
    if (status !== 200) refuse('URL_UNREACHABLE', { text: `网站回答了状态 ${status}` });
    if (isCut) refuse('URL_UNREACHABLE', { text: `超过了 ${MAX_FEED_BYTES / MIB} MB` });
    const document = { bytes, type: headers['content-type'] ?? '', url: friend.feed };
    const read = await thread
      .ask(document)
      .catch(() => refuse('URL_UNREACHABLE', { text: '不是能读的 RSS 或 Atom' }));
    return {
      entries: await rowsOf(friend.id, read),
      feed_etag: headerOf(headers.etag),
      feed_modified: headerOf(headers['last-modified']),
    };
  }

  /** Leaves out titles with listed words. Times that are missing or ahead are those of the first reading. */
  async function rowsOf(friendId: string, read: readonly ReadEntry[]) {
    const known = new Map((await queries.listEntriesOf(db.read, friendId)).map((row) => [row.id, row]));
    const rows = new Map<string, Parameters<typeof queries.putEntries>[2][number]>();
    for (const { title, url, time } of read) {
      const id = hashOf(`${friendId} ${url}`).slice(0, 24);
      const publish_time =
        time === null || time > now() ? (known.get(id)?.publish_time ?? now()) : Math.max(0, time);
      if (publish_time < now() - MAX_ENTRY_AGE_MS) continue;
      if ((await texts.wordsAmong([title, url], {})).length > 0) continue;
      rows.set(id, { id, friend_id: friendId, title: asClean(title, 'checked'), url, publish_time });
    }
    const isSame =
      rows.size === known.size &&
      [...rows.values()].every(({ id, title, publish_time }) => {
        const former = known.get(id);
        return former?.title === title && former.publish_time === publish_time;
      });
    return isSame ? null : [...rows.values()];
  }

  async function readFeedOf(friend: queries.FriendRow, signal: AbortSignal): Promise<void> {
    try {
      const found = await request(friend, signal);
      const { entries = null, ...validators } = found ?? {};
      await db.write(async (trx) => {
        if (!(await isStill(trx, friend, 'feed'))) return;
        await queries.changeFriend(trx, friend.id, { ...validators, feed_failures: 0, feed_problem: '' });
        if (!entries) return;
        await queries.putEntries(trx, friend.id, entries);
        events.emit(trx, { type: 'friends-changed' });
      });
    } catch (error) {
      if (signal.aborted) return;
      const feed_failures = friend.feed_failures + 1;
      const feed_due = now() + Math.min(DAY_MS, FEED_INTERVAL_MS * 2 ** Math.min(feed_failures, 5));
      const changes = { feed_failures, feed_due, feed_problem: problemOf(error) };
      await db.write(async (trx) => {
        if (await isStill(trx, friend, 'feed')) await queries.changeFriend(trx, friend.id, changes);
      });
    }
  }

  async function round(signal: AbortSignal): Promise<void> {
    await db.write(async (trx) => {
      await queries.deleteRefused(trx, now() - REFUSED_LIFETIME_MS);
      if (await queries.deleteEntriesBefore(trx, now() - MAX_ENTRY_AGE_MS))
        events.emit(trx, { type: 'friends-changed' });
    });
    while (!signal.aborted) {
      const due = await claim('check_due', CHECK_INTERVAL_MS);
      if (due) await check(due, signal);
      const fed = signal.aborted ? null : await claim('feed_due', FEED_INTERVAL_MS);
      if (fed) await readFeedOf(fed, signal);
      if (!due && !fed) return;
    }
  }

  const job = createJob((signal) => db.alone(() => round(signal), 'friends'), {
    everyMs: ROUND_INTERVAL_MS,
    failed: (error) => log.warn({ err: error }, 'checking the sites of friends failed'),
  });
  return {
    ...job,
    async stop(): Promise<void> {
      await job.stop();
      await thread.close();
    },
  };
}

/** Returns the text of a refusal. @throws any other error */
function problemOf(error: unknown): string {
  if (!isRefusal(error)) throw error;
  return error.message;
}

const headerOf = (value: string | undefined): string =>
  value !== undefined && value.length <= MAX_HEADER_CHARACTERS ? value : '';
