import { BOUNDS } from '../../contract/bounds.ts';
import { refuse } from '../../contract/errors.ts';
import { listPublicByIds } from './article-queries.ts';
import { toListed, type ListedArticle } from './article-wire.ts';
import { calendarOf } from '../days.ts';
import type { Database } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { toInstant } from '../ids.ts';
import * as queries from './pick-queries.ts';

export type PickService = ReturnType<typeof createPickService>;

/** More than are shown: one that is withdrawn leaves no gap until the next hour. */
const KEPT = 2 * BOUNDS.picks;

interface Parts {
  db: Database;
  events: Events;
  timeZone: string;
  now: () => number;
}

/** What the front page names as worth reading: pinned by the operator, and read most this month. */
export interface Picked {
  pinned: ListedArticle[];
  read: ListedArticle[];
  /** When the month of `read` began; null where there is none. */
  month: string | null;
}

/** What is worth reading. It is kept, so that a page counts nothing; `refresh` brings it up to date. */
export function createPickService({ db, events, timeZone, now }: Parts) {
  const { monthOf, startOfMonth } = calendarOf(timeZone);

  /** Replaces the pinned articles by what `change` makes of their ids. */
  const changePins = (change: (ids: string[]) => string[]): Promise<void> =>
    db.write(async (trx) => {
      const ids = (await queries.listPicks(trx, 'pinned')).map((pick) => pick.article_id);
      await queries.putPicks(trx, 'pinned', change(ids), 0);
      events.emit(trx, { type: 'picks-changed' });
    });

  return {
    /** What everybody may see of it. */
    async list(): Promise<Picked> {
      const rows = await queries.listPicked(db.read);
      const of = (kind: queries.Kind) => rows.filter((row) => row.kind === kind).slice(0, BOUNDS.picks);
      const [first] = of('read');
      return {
        pinned: of('pinned').map(toListed),
        read: of('read').map(toListed),
        month: first ? toInstant(first.month) : null,
      };
    },

    /** The pinned articles that are public, in their order. */
    async listPins(): Promise<ListedArticle[]> {
      const ids = (await queries.listPicks(db.read, 'pinned')).map((pick) => pick.article_id);
      return (await listPublicByIds(db.read, ids)).map(toListed);
    },

    /**
     * Pins a public article, last in order; one that is pinned already moves there. Refuses with
     * ARTICLE_NOT_FOUND, PICKS_TOO_MANY.
     */
    async pin(id: string): Promise<void> {
      if ((await listPublicByIds(db.read, [id])).length === 0) refuse('ARTICLE_NOT_FOUND');
      await changePins((ids) => {
        const others = ids.filter((each) => each !== id);
        if (others.length >= BOUNDS.picks) refuse('PICKS_TOO_MANY');
        return [...others, id];
      });
    },

    /** Pins an article no longer. Refuses with PICK_NOT_FOUND. */
    unpin: (id: string): Promise<void> =>
      changePins((ids) => (ids.includes(id) ? ids.filter((each) => each !== id) : refuse('PICK_NOT_FOUND'))),

    /**
     * Finds what was read most this month, or, until as many were read as are shown, in the last one. Pages
     * are told only where that changes what they name.
     */
    async refresh(): Promise<void> {
      const { year, month } = monthOf(now());
      const [last, current, next] = [-1, 0, 1].map((by) => startOfMonth(year, month + by)) as [
        number,
        number,
        number,
      ];
      if (!(await queries.wasRead(db.read, current)))
        await db.write((trx) => queries.sumDays(trx, current, next));
      const ofMonth = await queries.listMostRead(db.read, current, KEPT);
      const ofLast = ofMonth.length < BOUNDS.picks ? await queries.listMostRead(db.read, last, KEPT) : [];
      const [ids, start] = ofLast.length > ofMonth.length ? [ofLast, last] : [ofMonth, current];
      const former = await queries.listPicks(db.read, 'read');
      const isSame =
        former.map((pick) => pick.article_id).join() === ids.join() &&
        former.every((pick) => pick.month === start);
      if (isSame) return;
      await db.write(async (trx) => {
        await queries.forgetMonths(trx, last);
        await queries.putPicks(trx, 'read', ids, start);
        events.emit(trx, { type: 'picks-changed' });
      });
    },
  };
}
