import { isRefusal, refuse } from '../../contract/rules/errors.ts';
import { DAY_MS, HOUR_MS, MIB, MINUTE_MS } from '../../contract/rules/units.ts';
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
/** Refused applications are kept this long, so that staff does not review the same site again. */
const REFUSED_LIFETIME_MS = 90 * DAY_MS;
const ROUND_INTERVAL_MS = 5 * MINUTE_MS;
const INTERVALS = { check_due: 7 * DAY_MS, feed_due: HOUR_MS };
/** Failed checks in a row, a day apart, after which a site counts as unreachable. */
export const MAX_FAILURES = 3;
const ACCEPT = 'application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5';

/**
 * Checks the sites of friends every week and reads their feeds at most once an hour, one request at a time,
 * in one process. Each request is claimed before it is sent, so a crash or another process does not repeat
 * it.
 */
export function createFriendRounds({ db, events, log, now, outside, texts }: Uses<'outside' | 'texts'>) {
  const limits = { answerMs: PARSE_TIMEOUT_MS, resourceLimits: HEAP };
  const thread = createReusedThread<FeedDocument, ReadEntry[]>(SCRIPT, { idleMs: MINUTE_MS, ...limits });

  const claim = async (friend: queries.FriendRow, what: keyof typeof INTERVALS): Promise<boolean> => {
    const { id, [what]: due } = friend;
    if (due > now()) return false;
    return db.write((trx) =>
      queries.changeFriend(trx, { id, [what]: due }, { [what]: now() + INTERVALS[what] }),
    );
  };

  async function check({ id, url, ...former }: queries.FriendRow, signal: AbortSignal): Promise<void> {
    const problem = await outside.get(url, { headers: {}, most: 0, signal }).then(
      // Other errors mean that a site exists, which refuses programs.
      ({ status }) => (status === 404 || status === 410 || status >= 500 ? statusText(status) : ''),
      problemOf,
    );
    if (signal.aborted) return;
    const failures = problem === '' ? 0 : former.failures + 1;
    const since = former.failures === 0 ? now() : former.failing_since;
    const state = { check_time: now(), failures, failing_since: failures === 0 ? 0 : since, problem };
    await db.write(async (trx) => {
      const next = failures === 0 ? {} : { check_due: now() + DAY_MS };
      const isStored = await queries.changeFriend(trx, { id, url }, { ...state, ...next });
      if (isStored && failures >= MAX_FAILURES !== former.failures >= MAX_FAILURES)
        events.emit(trx, { type: 'friends-changed' });
    });
  }

  type Known = Awaited<ReturnType<typeof queries.listEntriesOf>>;

  /** Returns the columns to store, with the entries; no entries if they have not changed. @throws refusals */
  async function request(friend: queries.FriendRow, known: Known, signal: AbortSignal) {
    const { feed: url, feed_etag: etag, feed_modified: modified } = friend;
    // A moved database has no entries.
    const isKnown = known.length > 0;
    const headers = {
      Accept: ACCEPT,
      ...(isKnown && etag !== '' ? { 'If-None-Match': etag } : {}),
      ...(isKnown && modified !== '' ? { 'If-Modified-Since': modified } : {}),
    };
    const answer = await outside.get(url, { headers, most: MAX_FEED_BYTES, signal });
    const { status, headers: fields, body: bytes, isCut } = answer;
    if (status === 304) return {};
    if (status !== 200) refuse('URL_UNREACHABLE', { text: statusText(status) });
    if (isCut) refuse('URL_UNREACHABLE', { text: `超过了 ${MAX_FEED_BYTES / MIB} MB` });
    const entries = await thread
      .ask({ bytes, type: fields['content-type'] ?? '', url })
      .catch(() => refuse('URL_UNREACHABLE', { text: '不是能读的 RSS 或 Atom' }));
    const validators = { feed_etag: headerOf(fields.etag), feed_modified: headerOf(fields['last-modified']) };
    return { entries, validators };
  }

  /** Leaves out titles with listed words. Missing and future times become the time of the first reading. */
  async function rowsOf(friend_id: string, read: readonly ReadEntry[], known: Known): Promise<Known> {
    const times = new Map(known.map(({ id, publish_time }) => [id, publish_time]));
    const rows = new Map<string, Known[number]>();
    for (const { title, url, time } of read) {
      const id = hashOf(`${friend_id} ${url}`).slice(0, 24);
      const publish_time = time === null || time > now() ? (times.get(id) ?? now()) : Math.max(0, time);
      const isShown =
        publish_time > now() - MAX_ENTRY_AGE_MS && (await texts.wordsAmong([title, url], {})).length === 0;
      if (isShown) rows.set(id, { id, friend_id, title, url, publish_time });
    }
    return [...rows.values()];
  }

  async function readFeed(friend: queries.FriendRow, signal: AbortSignal): Promise<void> {
    const { id, feed } = friend;
    const known = await queries.listEntriesOf(db.read, id);
    const found = await request(friend, known, signal).catch((error: unknown) => problemOf(error));
    if (signal.aborted) return;
    if (typeof found === 'string') {
      const feed_failures = friend.feed_failures + 1;
      const feed_due = now() + Math.min(DAY_MS, HOUR_MS * 2 ** Math.min(feed_failures, 5));
      const changes = { feed_failures, feed_due, feed_problem: found };
      await db.write((trx) => queries.changeFriend(trx, { id, feed }, changes));
      return;
    }
    const rows = found.entries && (await rowsOf(id, found.entries, known));
    await db.write(async (trx) => {
      const changes = { ...found.validators, feed_failures: 0, feed_problem: '' };
      const isStored = await queries.changeFriend(trx, { id, feed }, changes);
      if (!isStored || !rows || printOf(rows) === printOf(known)) return;
      const clean = rows.map((row) => ({ ...row, title: asClean(row.title, 'checked') }));
      await queries.putEntries(trx, id, clean);
      events.emit(trx, { type: 'friends-changed' });
    });
  }

  async function round(signal: AbortSignal): Promise<void> {
    await db.write(async (trx) => {
      await queries.deleteRefused(trx, now() - REFUSED_LIFETIME_MS);
      if (await queries.deleteEntriesBefore(trx, now() - MAX_ENTRY_AGE_MS))
        events.emit(trx, { type: 'friends-changed' });
    });
    for (const friend of await queries.listFriends(db.read)) {
      if (friend.state !== 'shown') continue;
      if (!signal.aborted && (await claim(friend, 'check_due'))) await check(friend, signal);
      if (!signal.aborted && friend.feed !== '' && (await claim(friend, 'feed_due')))
        await readFeed(friend, signal);
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

const statusText = (status: number): string => `网站回答了状态 ${status}`;

const headerOf = (value = ''): string => (value.length <= MAX_HEADER_CHARACTERS ? value : '');

const printOf = (rows: readonly { id: string; title: string; publish_time: number }[]): string =>
  rows
    .map(({ id, title, publish_time }) => `${id} ${publish_time} ${title}`)
    .toSorted()
    .join('\n');
