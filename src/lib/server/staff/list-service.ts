import type { CallInput } from '../../contract/calls/calls.ts';
import type { StaffArticle, StaffComment, StaffUser } from '../../contract/calls/staff-calls.ts';
import type { SearchableList } from '../../contract/entities.ts';
import type { ModerationState } from '../../contract/moderation-moves.ts';
import type { ArticlesTable } from '../db/schema/schema.ts';
import { PERMANENT_BAN_TIME, isBanned } from '../shared/ban-text.ts';
import { toInstant } from '../shared/ids.ts';
import * as queries from './list-queries.ts';
import { writeCursor, type Position } from './newest-queries.ts';
import type { AppParts } from '../services.ts';

export type ListService = ReturnType<typeof createListService>;

export function createListService({ db, takedowns, now }: Pick<AppParts, 'db' | 'now' | 'takedowns'>) {
  async function toComments(rows: readonly CommentRow[], state: ModerationState): Promise<StaffComment[]> {
    const versions = await takedowns.versionsOf(
      'comment',
      rows.map(({ id, content }) => ({ id, content })),
    );
    return rows.map((row) => ({
      _id: row.id,
      content: row.content,
      ...namesOf(row),
      page_id: row.article_id,
      page_title: row.title,
      create_time: toInstant(row.create_time),
      state,
      reason: row.note,
      version: versions.get(row.id) ?? '',
    }));
  }

  return {
    async users(input: CallInput<'staffUsers'>): Promise<SearchableList<StaffUser>> {
      const { rows, ...found } = await queries.readUsers(db.read, input, now());
      const result = rows.map((row) => {
        const { banned_until: bannedUntil, ban_reason: reason } = row;
        const until =
          bannedUntil === null || bannedUntil >= PERMANENT_BAN_TIME ? null : toInstant(bannedUntil);
        return {
          _id: row.id,
          username: row.username,
          ...(row.display_name === '' ? {} : { display_name: row.display_name }),
          role: row.role,
          create_time: toInstant(row.create_time),
          page_num: row.page_num,
          ...(isBanned({ bannedUntil }, now()) ? { ban: { until, reason } } : {}),
        };
      });
      return { result, ...extentOf(found) };
    },
    async articles(input: CallInput<'staffArticles'>): Promise<SearchableList<StaffArticle>> {
      const { rows, ...found } = await queries.readArticles(db.read, input);
      const versions = await takedowns.versionsOf(
        'article',
        rows.map(({ id, title, summary }) => ({ id, title, summary })),
      );
      const result = rows.map((row) => ({
        _id: row.id,
        version: versions.get(row.id) ?? '',
        title: row.title,
        summary: row.summary,
        ...namesOf(row),
        create_time: toInstant(row.create_time),
        state: stateOf(row),
        reason: row.note ?? '',
        is_pinned: row.place !== null,
      }));
      return { result, ...extentOf(found) };
    },
    async comments(input: CallInput<'staffComments'>): Promise<SearchableList<StaffComment>> {
      const { state = 'shown' } = input;
      if (state === 'shown') {
        const { rows, ...found } = await queries.readComments(db.read, input);
        const noted = rows.map((row) => ({ ...row, note: '' }));
        return { result: await toComments(noted, state), ...extentOf(found) };
      }
      const { rows, total } = await queries.readWithheld(db.read, input, state);
      return { result: await toComments(rows, state), total };
    },
  };
}

const namesOf = ({ username, display_name }: { username: string; display_name: string }) => ({
  create_user: username,
  ...(display_name === '' ? {} : { author_name: display_name }),
});

/** Returns `total`, and for a search in parts its `cursor` and `searched_to`. */
function extentOf({ total, next }: { total: number; next?: Position | null }) {
  if (next === undefined) return { total };
  return { total, cursor: next && writeCursor(next), searched_to: next && toInstant(next.time) };
}

type CommentRow = Awaited<ReturnType<typeof queries.readWithheld>>['rows'][number];

function stateOf({ status, moderation }: Pick<ArticlesTable, 'status' | 'moderation'>): ModerationState {
  if (moderation === '') return 'shown';
  return status === 'cancel' ? 'deleted' : moderation;
}
