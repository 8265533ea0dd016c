import { z } from 'zod';
import { byId, open, read } from './call.ts';
import { ArticleListItem, listOf, TitleItem, User } from '../entities.ts';
import { absentField, pageField, pageSizeField } from '../fields.ts';
import { BOUNDS } from '../rules/bounds.ts';
import { instant, int, list, string } from '../titled.ts';

export const ArticleNavigation = z.object({
  previous: TitleItem.nullable().meta({ title: '上一篇' }),
  next: TitleItem.nullable().meta({ title: '下一篇' }),
  related: list('相关的', ArticleListItem),
  author: User.extend({ page_num: int('公开的文章数') }).meta({ title: '作者' }),
});
export type ArticleNavigation = z.infer<typeof ArticleNavigation>;

export const WorthReading = z.object({
  pinned: list('在主页置顶', ArticleListItem),
  /** Most read in `month`, most reads first; `month` is null if nothing was read yet. */
  read: list('读得多的文章', ArticleListItem),
  month: z.iso.datetime().nullable().meta({ title: '月份' }),
});
export type WorthReading = z.infer<typeof WorthReading>;

export const ArchiveItem = TitleItem.extend({
  create_user: string('作者的用户名'),
  author_name: string('作者的显示名，没有就不出现').optional(),
  create_time: instant('新建的时间'),
});
export type ArchiveItem = z.infer<typeof ArchiveItem>;

/** Public articles of a month, a year, or all time; newest first. */
export const Archive = listOf(ArchiveItem).extend({
  /** Months of the whole site in its time zone, newest first; months without articles are omitted. */
  months: list(
    '有文章的月份',
    z.object({ year: int('年份'), month: int('月份'), page_num: int('公开的文章数') }),
  ),
});
export type Archive = z.infer<typeof Archive>;

const part = (title: string, least: number, most: number) =>
  absentField(z.coerce.number().int().min(least).max(most).meta({ title }).optional());

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
      year: part('年份', 1000, 9999),
      /** Month of `year`; ignored without `year`. */
      month: part('月份', 1, 12),
      username: string('用户名').optional().catch(undefined),
      page: pageField,
      pageSize: pageSizeField(BOUNDS.pageSize, BOUNDS.archivePageSize),
    }),
    output: Archive,
    refusals: ['USER_NOT_FOUND'],
    isOptional: true,
  }),
};
