import { refuse } from '../../../contract/rules/errors.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import { findState, type ArticleState } from './article-queries.ts';
import { findRevision } from '../history/revision-queries.ts';

/** Times of the versions that the caller last saw (ISO 8601). */
export interface Seen {
  update_time?: string | undefined;
  /** Time of the revision, or the article's `update_time` if it had no revision. */
  revision_time?: string | undefined;
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
  if (!state || (state.author_id !== viewer.id && state.is_public === 0)) refuse('ARTICLE_NOT_FOUND');
  if (state.author_id !== viewer.id) refuse('NOT_YOURS');
  if (update_time !== undefined && Date.parse(update_time) !== state.update_time) refuse('ARTICLE_CHANGED');
  if (revision_time !== undefined) {
    const latest = (await findRevision(trx, id))?.update_time ?? state.update_time;
    if (Date.parse(revision_time) !== latest) refuse('ARTICLE_CHANGED');
  }
  return state;
}
