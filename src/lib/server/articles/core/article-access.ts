import { refuse } from '../../../contract/rules/errors.ts';
import { may } from '../../../contract/rules/permissions.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { isShown } from '../../db/visibility.ts';
import { findPageAuthor, findState, type ArticleState } from './article-queries.ts';
import { findRevision } from '../history/revision-queries.ts';

/** Times of the versions that the caller last saw (ISO 8601). */
export interface Seen {
  update_time?: string | undefined;
  /** Time of the revision, or the article's `update_time` if it had no revision. */
  revision_time?: string | undefined;
}

/** Whether `viewer` may change the article: its author may, and a page only with the permission. */
export const isEditor = (
  { author_id, is_page }: Pick<ArticleState, 'author_id' | 'is_page'>,
  viewer: Viewer,
): boolean => author_id === viewer.id && (is_page === 0 || may(viewer.role, 'pages.manage'));

/**
 * Returns the account that changes an article: the viewer, or for a page, which all who may manage pages
 * edit, its author, to whom its text and pictures are charged.
 */
export async function editorOf<V extends Pick<Viewer, 'id' | 'username' | 'role'>>(
  db: Queryable,
  id: string,
  viewer: V,
): Promise<V> {
  if (!may(viewer.role, 'pages.manage')) return viewer;
  const author = await findPageAuthor(db, id);
  if (!author || author.id === viewer.id) return viewer;
  return { ...viewer, ...author, actorId: viewer.id };
}

/**
 * Returns an article that `viewer` may change. Refuses with ARTICLE_NOT_FOUND, NOT_YOURS (another author's
 * public article), or ARTICLE_CHANGED (the stored version differs from a given time).
 */
export async function requireOwn(
  trx: Trx,
  id: string,
  viewer: Viewer,
  { update_time, revision_time }: Seen = {},
): Promise<ArticleState> {
  const state = await findState(trx, id);
  if (!state || (state.author_id !== viewer.id && !isShown(state))) refuse('ARTICLE_NOT_FOUND');
  if (!isEditor(state, viewer)) refuse('NOT_YOURS');
  if (update_time !== undefined && Date.parse(update_time) !== state.update_time) refuse('ARTICLE_CHANGED');
  if (revision_time !== undefined) {
    const latest = (await findRevision(trx, id))?.update_time ?? state.update_time;
    if (Date.parse(revision_time) !== latest) refuse('ARTICLE_CHANGED');
  }
  return state;
}
