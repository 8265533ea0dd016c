import { z } from 'zod';
import { byId, open, read } from './call.ts';
import { ArticleListItem, listOf, TitleItem, User } from '../entities.ts';
import { absentField, countField, pageField } from '../fields.ts';
import { BOUNDS } from '../rules/bounds.ts';

export const ArticleNavigation = z.object({
  previous: TitleItem.nullable(),
  next: TitleItem.nullable(),
  related: z.array(ArticleListItem),
  author: User.extend({ page_num: z.int() }),
});
export type ArticleNavigation = z.infer<typeof ArticleNavigation>;

export const WorthReading = z.object({
  pinned: z.array(ArticleListItem),
  /** Most read in `month`, most reads first; `month` is null if nothing was read yet. */
  read: z.array(ArticleListItem),
  month: z.iso.datetime().nullable(),
});
export type WorthReading = z.infer<typeof WorthReading>;

export const ArchiveItem = TitleItem.extend({
  create_user: z.string(),
  author_name: z.string().optional(),
  create_time: z.iso.datetime(),
});
export type ArchiveItem = z.infer<typeof ArchiveItem>;

/** Public articles of a month, a year, or all time; newest first. */
export const Archive = listOf(ArchiveItem).extend({
  /** Months of the whole site in its time zone, newest first; months without articles are omitted. */
  months: z.array(z.object({ year: z.int(), month: z.int(), page_num: z.int() })),
});
export type Archive = z.infer<typeof Archive>;

const part = (least: number, most: number) =>
  absentField(z.coerce.number().int().min(least).max(most).optional());

export const navigationCalls = {
  articleWays: read(open(), 'POST /api/page/ways', '一篇公开文章的上一篇、下一篇、相关文章和作者', {
    input: byId,
    output: ArticleNavigation,
    refusals: ['ARTICLE_NOT_FOUND'],
  }),
  worthReading: read(open(), 'POST /api/page/worth', '首页的置顶和本月读得最多的文章', {
    output: WorthReading,
  }),
  archive: read(open(), 'POST /api/page/archive', '归档：全部文章，或某年、某月、某位作者的', {
    input: z.object({
      year: part(1000, 9999),
      /** Month of `year`; ignored without `year`. */
      month: part(1, 12),
      /** Of this author alone. */
      username: z.string().optional().catch(undefined),
      page: pageField,
      pageSize: countField(BOUNDS.archivePageSize, BOUNDS.pageSize),
    }),
    output: Archive,
    refusals: ['USER_NOT_FOUND'],
    isOptional: true,
  }),
};
