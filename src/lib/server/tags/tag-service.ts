import type { Insertable, Selectable } from 'kysely';
import { BOUNDS } from '../../contract/rules/bounds.ts';
import type { List, Tag } from '../../contract/entities.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Reader } from '../db/visibility.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Trx } from '../db/database.ts';
import { addressField } from '../../shared/urls.ts';
import type { TagsTable } from '../db/schema/schema.ts';
import { asClean } from '../shared/clean-text.ts';
import { idsIn, newId, toInstant } from '../shared/ids.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';
import type { Spender } from '../quotas/quota-service.ts';
import * as queries from './tag-queries.ts';
import type { AppParts } from '../services.ts';

/** Newest articles of a tag that are searched for related tags. */
const MAX_SEARCHED_ARTICLES = 200;

export type TagService = ReturnType<typeof createTagService>;

/**
 * Tags. Only its creator sees a tag that only drafts and secret articles use, because it would reveal
 * unpublished work; other users get their own tag of that name. A tag created by name, or used by a public
 * article, is listed for everyone and absorbs hidden tags of that name. After its last public article is
 * removed it keeps its record, and only authors with hidden articles under it see it.
 */
export function createTagService(parts: Pick<AppParts, 'db' | 'events' | 'now' | 'quotas' | 'texts'>) {
  const { db, events, quotas, texts: judge, now } = parts;
  async function findVisible(name: string, viewer: Reader | null): Promise<queries.TagRow | null> {
    return queries.findShownTag(db.read, name.normalize('NFC'), viewer?.id ?? null);
  }

  async function insert(
    trx: Trx,
    creator: Spender,
    tag: Pick<Insertable<TagsTable>, 'name' | 'description' | 'is_listed'> & { made_by_name?: 1 },
  ): Promise<string> {
    await quotas.use(trx, creator, { tags: 1 });
    const [id, time] = [newId(), now()];
    const record = { id, ...tag, creator_id: creator.id, create_time: time, update_time: time };
    await queries.insertTag(trx, record);
    if (tag.is_listed === 1) await queries.absorbHidden(trx, tag.name, id);
    return id;
  }

  return {
    findVisible,

    /** Whether a listed tag has or had this name, shown or not. */
    isListed: async (name: string): Promise<boolean> => (await queries.findTag(db.read, name, null)) !== null,

    /**
     * Returns a page of tags, most used first, with its number and the number of pages. Pages of up to 100
     * tags include the newest articles of each. `used` leaves out tags without a public article.
     */
    async list({
      used = false,
      ...request
    }: PageRequest & { used?: boolean | undefined }): Promise<
      List<Tag> & { page: number; pageCount: number }
    > {
      const shown = used ? 'used' : 'all';
      const total = await queries.countTags(db.read, shown);
      const { page, pageCount, offset } = locatePage(request, total);
      const rows = await queries.listTags(db.read, { offset, limit: request.pageSize, shown });
      const ids = rows.length > BOUNDS.pageSize ? [] : idsIn(rows);
      const latest = await queries.listLatest(db.read, ids);
      const result = rows.map((row) => {
        const titles = latest
          .get(row.id)
          ?.map(({ id, title, address }) => ({ _id: id, title, ...addressField({ address }) }));
        return { ...toTag(row), ...(titles ? { latest: titles } : {}) };
      });
      return { result, total, page, pageCount };
    },

    /** Returns the tag of that name with its related tags. Refuses with TAG_NOT_FOUND. */
    async detail(name: string, viewer: Reader | null): Promise<Tag> {
      const row = (await findVisible(name, viewer)) ?? refuse('TAG_NOT_FOUND');
      const most = { newest: MAX_SEARCHED_ARTICLES, limit: BOUNDS.relatedTags };
      return { ...toTag(row), related: await queries.listRelatedNames(db.read, row.id, most) };
    },

    /** Lists the names that an author can choose from, most used first, at most 2,000. */
    names: (viewer: Reader | null): Promise<string[]> =>
      queries.listTagNames(db.read, viewer?.id ?? null, BOUNDS.tagNames),

    /**
     * Creates a listed tag. Refuses with WORD_REFUSED, TAG_TAKEN (the caller sees one already, or it is a
     * former name), QUOTA_REACHED.
     */
    async create(input: { name: string; description: string }, viewer: Viewer): Promise<Tag> {
      const { name, description } = await judge.requireClean('tag', input, viewer);
      await db.write(async (trx) => {
        if (await queries.findShownTag(trx, name, viewer.id)) refuse('TAG_TAKEN');
        const former = await queries.findTag(trx, name, null);
        if (former && former.name !== name) refuse('TAG_TAKEN');
        if (former) {
          await quotas.use(trx, viewer, { tags: 1 });
          await queries.adoptTag(trx, former.id, {
            description,
            creator_id: viewer.id,
            update_time: now(),
          });
        } else await insert(trx, viewer, { name, description, is_listed: 1, made_by_name: 1 });
        events.emit(trx, { type: 'tag-changed', name });
      });
      return this.detail(name, viewer);
    },

    /**
     * Returns the ids of an article's tags, inside the transaction that saves it. Creates missing ones
     * without description, for `author` only unless the article is public. Refuses with QUOTA_REACHED.
     */
    async resolve(
      trx: Trx,
      names: readonly string[],
      article: { author: Spender; isPublic: boolean },
    ): Promise<string[]> {
      const ids: string[] = [];
      for (const name of names) {
        const former = await queries.findTag(trx, name, article.author.id);
        const is_listed = article.isPublic ? (1 as const) : (0 as const);
        const texts = { name: asClean(name, 'article'), description: asClean('', 'site') };
        ids.push(former?.id ?? (await insert(trx, article.author, { ...texts, is_listed })));
        if (former?.is_listed === 0 && article.isPublic) {
          await queries.listTag(trx, former.id);
          await queries.absorbHidden(trx, name, former.id);
        }
      }
      // Two names may refer to one merged tag.
      return [...new Set(ids)];
    },

    /**
     * Replaces former tag names with the current ones, without duplicates: a saved text may predate a
     * renaming.
     */
    async rename(trx: Trx, names: readonly string[]): Promise<string[]> {
      const newNames = await queries.listNewNames(trx, names);
      return [...new Set(names.map((name) => newNames.get(name) ?? name))];
    },

    /**
     * Adds a listed tag of another site inside `trx`; returns whether the name was new. The caller ensures
     * that `id` is unused.
     */
    async import(
      trx: Trx,
      tag: Omit<Selectable<TagsTable>, 'page_num' | 'is_listed' | 'made_by_name'>,
    ): Promise<boolean> {
      const former = await queries.findTag(trx, tag.name, null);
      if (former) return false;
      const name = asClean(tag.name, 'operator');
      const description = asClean(tag.description, 'operator');
      await queries.insertTag(trx, { ...tag, name, description, is_listed: 1, made_by_name: 1 });
      await queries.absorbHidden(trx, tag.name, tag.id);
      events.emit(trx, { type: 'tag-changed', name: tag.name });
      return true;
    },

    addToCounts: queries.addToTagCounts,
  };
}

function toTag(row: queries.TagRow): Tag {
  return {
    _id: row.id,
    name: row.name,
    description: row.description,
    create_user: row.username,
    create_time: toInstant(row.create_time),
    update_time: toInstant(row.update_time),
    page_num: row.page_num,
  };
}
