import type { List } from '../../../contract/entities.ts';
import type { ArchiveItem } from '../../../contract/calls/navigation-calls.ts';
import { calendarOf } from '../../shared/days.ts';
import { addressField } from '../../../shared/urls.ts';
import { toInstant } from '../../shared/ids.ts';
import { locatePage, type PageRequest } from '../../shared/paging.ts';
import { countIn, findLatest, listTitlesBy, type Span } from './archive-queries.ts';
import { countArticles } from '../core/count-queries.ts';
import type { Core } from '../../services.ts';

export type ArchiveService = ReturnType<typeof createArchiveService>;

export interface ArchiveMonth {
  year: number;
  /** January is 1. */
  month: number;
  page_num: number;
}

export type ArchiveList = List<ArchiveItem> & { page: number; pageCount: number };

/** 100 years. */
const MAX_MONTHS = 1_200;
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

export function createArchiveService({ db, timeZone }: Core) {
  const { monthOf, startOfMonth } = calendarOf(timeZone);

  async function listed(
    of: { authorId: string } | Span,
    request: PageRequest,
    total: number,
  ): Promise<ArchiveList> {
    const { page, pageCount, offset } = locatePage(request, total);
    const rows = await listTitlesBy(db.read, of, { offset, limit: request.pageSize });
    const result = rows.map(({ id, title, address, create_time, username, display_name }) => ({
      _id: id,
      title,
      ...addressField({ address }),
      create_user: username,
      ...(display_name === '' ? {} : { author_name: display_name }),
      create_time: toInstant(create_time),
    }));
    return { result, total, page, pageCount };
  }

  return {
    /** Lists the months with public articles, newest first, at most MAX_MONTHS. */
    async months(): Promise<ArchiveMonth[]> {
      const months: ArchiveMonth[] = [];
      let at = await findLatest(db.read, END_OF_TIME);
      while (at !== null && months.length < MAX_MONTHS) {
        const { year, month } = monthOf(at);
        const span = { from: startOfMonth(year, month), to: startOfMonth(year, month + 1) };
        months.push({ year, month, page_num: await countIn(db.read, span) });
        at = await findLatest(db.read, span.from);
      }
      return months;
    },

    async listOf({ year, month }: { year: number; month?: number | undefined }, request: PageRequest) {
      const span = {
        from: startOfMonth(year, month ?? 1),
        to: month === undefined ? startOfMonth(year + 1, 1) : startOfMonth(year, month + 1),
      };
      return listed(span, request, await countIn(db.read, span));
    },

    async listOfAuthor(authorId: string, request: PageRequest) {
      return listed({ authorId }, request, await countArticles(db.read, { of: 'author', authorId }));
    },

    async listAll(request: PageRequest) {
      const everything = { from: Number.MIN_SAFE_INTEGER, to: END_OF_TIME };
      return listed(everything, request, await countArticles(db.read, { of: 'public' }));
    },
  };
}
