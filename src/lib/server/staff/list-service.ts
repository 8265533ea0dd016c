import type { CallInput } from '../../contract/calls/calls.ts';
import type { List } from '../../contract/entities.ts';
import type {
  ContentState,
  StaffArticle,
  StaffComment,
  StaffUser,
} from '../../contract/calls/staff-calls.ts';
import { PERMANENT_BAN_TIME, isBanned } from '../shared/ban-text.ts';
import type { Database } from '../db/database.ts';
import { toInstant } from '../shared/ids.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';
import * as queries from './list-queries.ts';

export type ListService = ReturnType<typeof createListService>;

export function createListService({ db, now }: { db: Database; now: () => number }) {
  const partOf = (request: PageRequest, total: number) => ({
    offset: locatePage(request, total).offset,
    limit: request.pageSize,
  });
  return {
    async users(input: CallInput<'staffUsers'>): Promise<List<StaffUser>> {
      const query = queries.selectUsers(db.read, { ...input, now: now() });
      const total = await queries.countUsers(query);
      const rows = await queries.listUsers(query, partOf(input, total));
      const result = rows.map((row) => {
        const { banned_until: bannedUntil, ban_reason: reason } = row;
        const until =
          bannedUntil === null || bannedUntil >= PERMANENT_BAN_TIME ? null : toInstant(bannedUntil);
        return {
          _id: row.id,
          username: row.username,
          role: row.role,
          create_time: toInstant(row.create_time),
          page_num: row.page_num,
          ...(isBanned({ bannedUntil }, now()) ? { ban: { until, reason } } : {}),
        };
      });
      return { result, total };
    },
    async articles(input: CallInput<'staffArticles'>): Promise<List<StaffArticle>> {
      const query = queries.selectArticles(db.read, input);
      const total = await queries.countArticles(query);
      const rows = await queries.listArticles(query, partOf(input, total));
      const result = rows.map((row) => ({
        _id: row.id,
        title: row.title,
        summary: row.summary,
        create_user: row.username,
        create_time: toInstant(row.create_time),
        state: stateOf(row),
        reason: row.note ?? '',
      }));
      return { result, total };
    },
    async comments(input: CallInput<'staffComments'>): Promise<List<StaffComment>> {
      const { keywords, state = 'shown' } = input;
      if (state === 'shown') {
        const query = queries.selectComments(db.read, keywords);
        const total = await queries.countComments(query);
        const rows = await queries.listComments(query, partOf(input, total));
        return { result: rows.map((row) => toComment({ ...row, note: '' }, state)), total };
      }
      const query = queries.selectWithheld(db.read, keywords, state);
      const total = await queries.countWithheld(query);
      const rows = await queries.listWithheld(query, partOf(input, total));
      return { result: rows.map((row) => toComment(row, state)), total };
    },
  };
}

interface CommentRow {
  id: string;
  content: string;
  username: string;
  article_id: string;
  title: string;
  create_time: number;
  note: string;
}

const toComment = (row: CommentRow, state: ContentState): StaffComment => ({
  _id: row.id,
  content: row.content,
  create_user: row.username,
  page_id: row.article_id,
  page_title: row.title,
  create_time: toInstant(row.create_time),
  state,
  reason: row.note,
});

interface Moderated {
  status: string;
  moderation: '' | 'held' | 'hidden';
}

function stateOf({ status, moderation }: Moderated): ContentState {
  if (moderation === '') return 'shown';
  return status === 'cancel' ? 'deleted' : moderation;
}
