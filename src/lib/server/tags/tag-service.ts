import type { List, Tag } from '../../contract/entities.ts';
import { refuse } from '../../contract/errors.ts';
import type { Reader } from '../articles/article-queries.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Database, Trx } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { newId, toInstant } from '../ids.ts';
import { locatePage, type PageRequest } from '../paging.ts';
import * as queries from './tag-queries.ts';

export type TagService = ReturnType<typeof createTagService>;

/**
 * Tags. One that only drafts and secret articles have named exists for its creator alone, so that a tag list never tells of
 * what is being written; it becomes everybody's once it is created by name or an article under it is published.
 */
export function createTagService({ db, events, now }: { db: Database; events: Events; now: () => number }) {
  /** The tag of that name as `viewer` may see it, or null. */
  async function findVisible(name: string, viewer: Reader | null): Promise<queries.TagRow | null> {
    const row = await queries.findTag(db.read, name.normalize('NFC'));
    return row && (row.is_listed === 1 || row.creator_id === viewer?.id) ? row : null;
  }

  return {
    findVisible,

    /** Listed tags, most used first; `page` and `pageCount` say which part. */
    async list(request: PageRequest): Promise<List<Tag> & { page: number; pageCount: number }> {
      const total = await queries.countTags(db.read);
      const { page, pageCount, offset } = locatePage(request, total);
      const rows = await queries.listTags(db.read, { offset, limit: request.pageSize });
      return { result: rows.map(toTag), total, page, pageCount };
    },

    /** The tag of that name. Refuses with TAG_NOT_FOUND. */
    async detail(name: string, viewer: Reader | null): Promise<Tag> {
      return toTag((await findVisible(name, viewer)) ?? refuse('TAG_NOT_FOUND'));
    },

    /** Names a writer can choose from, most used first. */
    names: (viewer: Reader | null): Promise<string[]> => queries.listTagNames(db.read, viewer?.id ?? null),

    /** Creates a tag for everybody. Refuses with TAG_TAKEN when the caller can see one of that name. */
    async create(input: { name: string; description: string }, viewer: Viewer): Promise<Tag> {
      await db.write(async (trx) => {
        const time = now();
        const former = await queries.findTag(trx, input.name);
        if (former && (former.is_listed === 1 || former.creator_id === viewer.id)) refuse('TAG_TAKEN');
        const tag = {
          description: input.description,
          creator_id: viewer.id,
          create_time: time,
          update_time: time,
        };
        if (former) await queries.listTag(trx, former.id, tag);
        else await queries.insertTag(trx, { id: newId(), name: input.name, ...tag, is_listed: 1 });
        events.emit(trx, { type: 'tag-changed', name: input.name });
      });
      return this.detail(input.name, viewer);
    },

    /**
     * The ids of the tags an article names, inside the transaction that saves it. Missing records are made with an empty
     * description, for `authorId` alone unless the article is public.
     */
    async resolve(
      trx: Trx,
      names: readonly string[],
      article: { authorId: string; isPublic: boolean },
    ): Promise<string[]> {
      const ids: string[] = [];
      for (const name of names) {
        const former = await queries.findTag(trx, name);
        const id = former?.id ?? newId();
        ids.push(id);
        const time = now();
        const record = {
          description: '',
          creator_id: article.authorId,
          create_time: time,
          update_time: time,
        };
        if (!former) {
          await queries.insertTag(trx, { id, name, ...record, is_listed: article.isPublic ? 1 : 0 });
        } else if (article.isPublic && former.is_listed === 0) {
          // A tag the author could not know of starts anew, or it would tell who has used it in what nobody may see.
          await queries.listTag(trx, id, former.creator_id === article.authorId ? {} : record);
        }
      }
      return ids;
    },

    /** Adds `delta` to the public articles of the tags `ids`. */
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
