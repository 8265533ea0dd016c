import { z } from 'zod';
import { BOUNDS } from './bounds.ts';
import { open } from './call.ts';
import { ArticleListItem, listOf, TitleItem, User } from './entities.ts';
import { absentField, countField, idField, pageField } from './fields.ts';
import { routes } from './routes.ts';

/** Where to go on from a public article. */
export const ArticleWays = z.object({
  /** The public articles published just before and just after. */
  previous: TitleItem.nullable(),
  next: TitleItem.nullable(),
  related: z.array(ArticleListItem),
  /** Its author, with the number of their public articles. */
  author: User.extend({ page_num: z.int() }),
});
export type ArticleWays = z.infer<typeof ArticleWays>;

/** What the front page names as worth reading. */
export const WorthReading = z.object({
  pinned: z.array(ArticleListItem),
  /** Read most in `month`, most first; null where nothing was read yet. */
  read: z.array(ArticleListItem),
  month: z.iso.datetime().nullable(),
});
export type WorthReading = z.infer<typeof WorthReading>;

/** An article in an archive. */
export const ArchiveItem = TitleItem.extend({ create_user: z.string(), create_time: z.iso.datetime() });
export type ArchiveItem = z.infer<typeof ArchiveItem>;

/** Public articles by time, newest first: those of a month, of a year, of all time. */
export const Archive = listOf(ArchiveItem).extend({
  /** Of the whole site, by the site's calendar, newest first; those without an article are left out. */
  months: z.array(z.object({ year: z.int(), month: z.int(), page_num: z.int() })),
});
export type Archive = z.infer<typeof Archive>;

const part = (least: number, most: number) =>
  absentField(z.coerce.number().int().min(least).max(most).optional());

/** Ways through the site. */
export const waysCalls = {
  articleWays: open('read', routes.articleWays, z.object({ id: idField }), ArticleWays),
  worthReading: open('read', routes.worthReading, z.object({}), WorthReading),
  archive: open(
    'read',
    routes.archive,
    z.object({
      year: part(1000, 9999),
      /** Of `year`; without one it is nothing. */
      month: part(1, 12),
      /** Of this author alone. */
      username: z.string().optional().catch(undefined),
      page: pageField,
      pageSize: countField(BOUNDS.archivePageSize, BOUNDS.pageSize),
    }),
    Archive,
  ),
};
