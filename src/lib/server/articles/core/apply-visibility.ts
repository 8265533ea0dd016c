import { refuse } from '../../../contract/rules/errors.ts';
import type { Trx } from '../../db/database.ts';
import type { NoticeEvent } from '../../notices/notice-event.ts';
import type { Outbox } from '../../push/push-service.ts';
import type { Spender } from '../../quotas/quota-service.ts';
import { announceChange } from './article-change.ts';
import { findRendering, listTagIds, putArticleTags, type ArticleState } from './article-queries.ts';
import { settleCounts } from './count-queries.ts';
import type { AppParts } from '../../services.ts';

interface Parts extends Pick<AppParts, 'events' | 'search' | 'tags' | 'notices'> {
  outbox: Outbox;
}

interface Facts {
  /** The article's author, who is charged for tags that do not exist yet. */
  author: Spender & { username: string };
  /** The stored rendering by default. */
  rendering?: { toc: string; text: string };
  /** Neither search engines nor webhooks are notified. */
  isUntold?: boolean | undefined;
}

export type ApplyVisibility = ReturnType<typeof createApplyVisibility>;

/** Returns how an article changed for readers; null if they see the same. */
function changeOf(
  before: ArticleState | null,
  after: ArticleState,
): Extract<NoticeEvent, { kind: 'article' }>['event'] | null {
  const wasPublic = before?.is_public === 1;
  if (after.is_public !== 1) return wasPublic ? 'article.withdrawn' : null;
  if (!wasPublic) return 'article.published';
  return before.update_time === after.update_time ? null : 'article.updated';
}

export function createApplyVisibility({ search, tags, outbox, notices, events }: Parts) {
  /**
   * Updates what depends on an article, in the transaction that has changed its row: tags, counters, search
   * index, submissions to search engines, webhooks, events. `before` is null for a new article; one in the
   * trash has the status 'cancel'. Refuses with QUOTA_REACHED if a tag cannot be created.
   */
  return async function applyVisibility(
    trx: Trx,
    before: ArticleState | null,
    after: ArticleState,
    { author, rendering, isUntold = false }: Facts,
  ): Promise<void> {
    const { id } = after;
    const isPublic = after.is_public === 1;
    const names = JSON.parse(after.tags) as string[];
    const tagIds = after.status === 'cancel' ? [] : await tags.resolve(trx, names, { author, isPublic });
    const formerTagIds = before ? await listTagIds(trx, id) : [];
    await putArticleTags(trx, after, tagIds);
    await settleCounts(trx, tags, before && { ...before, tagIds: formerTagIds }, { ...after, tagIds });
    if (isPublic) {
      const { toc, text } = rendering ?? (await findRendering(trx, id)) ?? refuse('ARTICLE_NOT_FOUND');
      await search.put(trx, { ...after, username: author.username, toc, text });
    } else if (before?.is_public === 1) await search.remove(trx, id);
    const change = isUntold ? null : changeOf(before, after);
    if (change)
      await notices.notify(trx, { kind: 'article', articleId: id, authorId: after.author_id, event: change });
    if (!isUntold) await outbox.add(trx, before, after);
    await announceChange(trx, events, before, after);
  };
}
