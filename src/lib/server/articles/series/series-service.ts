import type { Insertable, Selectable } from 'kysely';
import type { SeriesPlace } from '../../../blog/blog.ts';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import type { CallInput } from '../../../contract/calls/calls.ts';
import type { List, Series } from '../../../contract/entities.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { REMOVALS } from '../../../contract/calls/profile-calls.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import type { SeriesTable } from '../../db/schema/schema.ts';
import type { Reader } from '../../db/visibility.ts';
import { asClean } from '../../shared/clean-text.ts';
import { idsIn, newId, toInstant } from '../../shared/ids.ts';
import { toListed, type ListedArticle } from '../core/article-wire.ts';
import { requirePicture } from '../core/authored-queries.ts';
import * as queries from './series-queries.ts';
import type { Uses } from '../../services.ts';

const UNTITLED = '未命名专栏';

export type SeriesService = ReturnType<typeof createSeriesService>;

/**
 * Series: articles of one author in a chosen order. Without an article that `viewer` may see, a series exists
 * only for its author.
 */
export function createSeriesService({ db, events, texts, now }: Uses<'texts'>) {
  async function requireOwn(trx: Trx, id: string, viewer: Viewer): Promise<queries.SeriesRow> {
    const row = await queries.findSeries(trx, id);
    if (!row || row.author_id !== viewer.id) refuse('SERIES_NOT_FOUND');
    return row;
  }

  const changed = (trx: Trx, { id, author_id }: Pick<SeriesTable, 'id' | 'author_id'>) =>
    events.emit(trx, { type: 'series-changed', seriesId: id, authorId: author_id });

  /** Refuses with FIELD_INVALID a cover that is not a picture of this site. */
  async function insert(trx: Trx, series: Insertable<SeriesTable>): Promise<void> {
    if (series.cover !== '') await requirePicture(trx, series.cover);
    await queries.insertSeries(trx, series);
    changed(trx, series);
  }

  /** Changes a series; returns it. Refuses as `insert`. */
  async function update(trx: Trx, row: queries.SeriesRow, fields: Omit<queries.SeriesChange, 'update_time'>) {
    if (fields.cover) await requirePicture(trx, fields.cover);
    const changes = { ...fields, update_time: now() };
    await queries.updateSeries(trx, row.id, changes);
    changed(trx, row);
    return { ...row, ...changes };
  }

  return {
    async list(userId: string, viewer: Reader | null): Promise<List<Series>> {
      const rows = await queries.listSeries(db.read, userId);
      const counts = await queries.countSeen(db.read, idsIn(rows), viewer);
      const seen = rows.filter(({ id }) => userId === viewer?.id || counts.has(id));
      return { result: seen.map((row) => toSeries(row, counts.get(row.id) ?? 0)), total: seen.length };
    },

    /**
     * Returns a series with the articles that `viewer` may see, in order; null if the series does not exist
     * for `viewer`.
     */
    async find(
      id: string,
      viewer: Reader | null,
    ): Promise<{ series: Series; articles: ListedArticle[] } | null> {
      const row = await queries.findSeries(db.read, id);
      if (!row) return null;
      const articles = await queries.listOfSeries(db.read, id, viewer, BOUNDS.seriesArticles);
      if (articles.length === 0 && row.author_id !== viewer?.id) return null;
      return { series: toSeries(row, articles.length), articles: articles.map(toListed) };
    },

    /** Returns the place of an article among the public ones of its series; null without a series. */
    async placeOf(articleId: string, id: string): Promise<SeriesPlace | null> {
      const row = id === '' ? null : await queries.findSeries(db.read, id);
      if (!row) return null;
      const articles = await queries.listTitles(db.read, id, BOUNDS.seriesArticles);
      const number = articles.findIndex((article) => article.id === articleId) + 1;
      return { id, title: row.title, number, articles };
    },

    /** Creates a series. Refuses with WORD_REFUSED, SERIES_TOO_MANY, FIELD_INVALID. */
    async create(typed: CallInput<'seriesCreate'>, viewer: Viewer): Promise<Series> {
      const fields = await texts.requireClean('series', typed, viewer);
      const series = await db.write(async (trx) => {
        if ((await queries.listSeries(trx, viewer.id)).length >= BOUNDS.series) refuse('SERIES_TOO_MANY');
        const time = now();
        const made = { id: newId(), author_id: viewer.id, ...fields, create_time: time, update_time: time };
        await insert(trx, made);
        return requireOwn(trx, made.id, viewer);
      });
      return toSeries(series, 0);
    },

    /** Adds a series of another site inside `trx`. Refuses as `create`. */
    async import(trx: Trx, foreign: Selectable<Omit<SeriesTable, 'page_num'>>): Promise<void> {
      const title = asClean(foreign.title, 'operator');
      const series = { ...foreign, title, description: asClean(foreign.description, 'operator') };
      if ((await queries.listSeries(trx, series.author_id)).length >= BOUNDS.series)
        refuse('SERIES_TOO_MANY');
      await insert(trx, series);
    },

    /** Changes a series of the viewer. Refuses with WORD_REFUSED, SERIES_NOT_FOUND, FIELD_INVALID. */
    async edit({ id, ...typed }: CallInput<'seriesEdit'>, viewer: Viewer): Promise<Series> {
      const fields = await texts.requireClean('series', typed, viewer);
      const row = await db.write(async (trx) => update(trx, await requireOwn(trx, id, viewer), fields));
      return toSeries(row, (await queries.countSeen(db.read, [id], viewer)).get(id) ?? 0);
    },

    /** Replaces the cover of the viewer's series. Refuses with SERIES_NOT_FOUND, FIELD_INVALID. */
    async setCover(id: string, cover: string, viewer: Viewer): Promise<void> {
      await db.write(async (trx) => update(trx, await requireOwn(trx, id, viewer), { cover }));
    },

    /**
     * Clears a field of a series inside `trx`, for staff; returns its owner, and the field before and after.
     * Refuses with SERIES_NOT_FOUND.
     */
    async clearField(trx: Trx, id: string, field: keyof typeof REMOVALS.series) {
      const row = (await queries.findSeries(trx, id)) ?? refuse('SERIES_NOT_FOUND');
      const after = asClean(field === 'title' ? UNTITLED : '', 'site');
      await update(trx, row, { [field]: after });
      return { ownerId: row.author_id, username: row.username, before: row[field], after };
    },

    /** Puts the articles of the viewer's series in the order of `ids`. Refuses with SERIES_NOT_FOUND. */
    async order({ id, ids }: CallInput<'seriesOrder'>, viewer: Viewer): Promise<void> {
      await db.write(async (trx) => {
        const row = await requireOwn(trx, id, viewer);
        const present = await queries.listIds(trx, id);
        const named = new Set(ids).intersection(new Set(present));
        const order = [...named, ...present.filter((each) => !named.has(each))];
        for (const [index, articleId] of order.entries())
          await queries.placeInSeries(trx, articleId, index + 1);
        changed(trx, row);
      });
    },

    /** Deletes a series of the viewer; its articles stay, in no series. Refuses with SERIES_NOT_FOUND. */
    async remove(id: string, viewer: Viewer): Promise<void> {
      await db.write(async (trx) => {
        const row = await requireOwn(trx, id, viewer);
        await queries.deleteSeries(trx, id);
        changed(trx, row);
      });
    },
  };
}

const toSeries = (row: queries.SeriesRow, page_num: number): Series => ({
  _id: row.id,
  title: row.title,
  description: row.description,
  cover: row.cover,
  create_user: row.username,
  ...(row.display_name === '' ? {} : { author_name: row.display_name }),
  create_time: toInstant(row.create_time),
  update_time: toInstant(row.update_time),
  page_num,
});
