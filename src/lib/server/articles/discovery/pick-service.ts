import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import { listPublicByIds } from '../core/article-queries.ts';
import { toListed, type ListedArticle } from '../core/article-wire.ts';
import { calendarOf } from '../../shared/days.ts';
import { toInstant } from '../../shared/ids.ts';
import type { AuditEntry } from '../../staff/audit.ts';
import * as queries from './pick-queries.ts';
import type { AppParts } from '../../services.ts';

export type PickService = ReturnType<typeof createPickService>;

/** More than are shown, so a withdrawn article leaves no gap until the next hourly refresh. */
const MAX_STORED_PICKS = 2 * BOUNDS.picks;

/** Recommended articles. They are stored, so a page counts nothing; `refresh` updates them. */
export function createPickService(parts: Pick<AppParts, 'db' | 'audit' | 'events' | 'timeZone' | 'now'>) {
  const { db, audit, events, timeZone, now } = parts;
  const { monthOf, startOfMonth } = calendarOf(timeZone);

  const changePins = (
    entry: Pick<AuditEntry, 'actorId' | 'action'> & { id: string },
    change: (ids: string[]) => string[],
  ): Promise<void> =>
    db.write(async (trx) => {
      const ids = (await queries.listPicks(trx, 'pinned')).map((pick) => pick.article_id);
      await queries.putPicks(trx, 'pinned', change(ids), 0);
      const { id, ...by } = entry;
      const before = await queries.nameArticle(trx, id);
      await audit.write(trx, { ...by, subject: { kind: 'article', id }, before, after: {} });
      events.emit(trx, { type: 'picks-changed' });
    });

  return {
    /** `month` is the start of the month that `read` covers, or null if `read` is empty. */
    async list() {
      const rows = await queries.listPicked(db.read);
      const of = (kind: queries.Kind) => rows.filter((row) => row.kind === kind).slice(0, BOUNDS.picks);
      const [first] = of('read');
      return {
        pinned: of('pinned').map(toListed),
        read: of('read').map(toListed),
        month: first ? toInstant(first.month) : null,
      };
    },

    async listPins(): Promise<ListedArticle[]> {
      const ids = (await queries.listPicks(db.read, 'pinned')).map((pick) => pick.article_id);
      return (await listPublicByIds(db.read, ids)).map(toListed);
    },

    /**
     * Pins a public article in last place; one that is already pinned moves there. Refuses with
     * ARTICLE_NOT_FOUND, PICKS_TOO_MANY.
     * @param actorId null on the command line, as for `unpin`
     */
    async pin(id: string, actorId: string | null = null): Promise<void> {
      if ((await listPublicByIds(db.read, [id])).length === 0) refuse('ARTICLE_NOT_FOUND');
      await changePins({ actorId, action: 'article.pin', id }, (ids) => {
        const others = ids.filter((each) => each !== id);
        if (others.length >= BOUNDS.picks) refuse('PICKS_TOO_MANY');
        return [...others, id];
      });
    },

    /** Unpins an article. Refuses with PICK_NOT_FOUND. */
    unpin: (id: string, actorId: string | null = null): Promise<void> =>
      changePins({ actorId, action: 'article.unpin', id }, (ids) =>
        ids.includes(id) ? ids.filter((each) => each !== id) : refuse('PICK_NOT_FOUND'),
      ),

    /**
     * Finds the articles most read this month, or last month while this month has too few. Emits
     * `picks-changed` only if the result differs.
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
      const ofMonth = await queries.listMostRead(db.read, current, MAX_STORED_PICKS);
      const ofLast =
        ofMonth.length < BOUNDS.picks ? await queries.listMostRead(db.read, last, MAX_STORED_PICKS) : [];
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
