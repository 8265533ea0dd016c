import { refuse } from '../../../contract/rules/errors.ts';
import type { Trx } from '../../db/database.ts';
import type { NoticeEvent } from '../../notices/notice-event.ts';
import type { PushService } from '../../push/push-service.ts';
import type { Spender } from '../../quotas/quota-service.ts';
import { announceChange } from './article-change.ts';
import {
  findDisplayName,
  findRendering,
  listTagIds,
  putArticleTags,
  type ArticleState,
  changeArticle,
  findAnyState,
} from './article-queries.ts';
import { settleCounts } from './count-queries.ts';
import { settleSlug } from '../slugs/settle-slug.ts';
import type { AppParts, Uses } from '../../services.ts';
import { isShown } from '../../db/visibility.ts';
import { documentOf, listDocuments } from '../../db/search-documents.ts';
import type { SearchDocument } from '../../db/search-documents.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { ArticlesTable } from '../../db/schema/schema.ts';
import { isDated } from './dated.ts';

type Parts = Pick<AppParts, 'events' | 'search' | 'tags' | 'notices'> & Pick<PushService, 'outbox'>;

interface Facts {
  /** The article's author, who is charged for tags that do not exist yet. */
  author: Spender & { username: string };
  /** The stored rendering by default. */
  rendering?: { toc: string; text: string };
  /** Neither search engines nor webhooks are notified. */
  isUntold?: boolean | undefined;
  /** Slug on the site that it is imported from. */
  knownSlug?: string | undefined;
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
   * trash has the status 'cancel'. Refuses with QUOTA_REACHED if a tag cannot be created, and with
   * SLUG_TAKEN.
   */
  return async function applyVisibility(
    trx: Trx,
    before: ArticleState | null,
    written: ArticleState,
    { author, rendering, isUntold = false, knownSlug }: Facts,
  ): Promise<void> {
    const after = { ...written, address: await settleSlug(trx, before, written, knownSlug) };
    const { id } = after;
    const isPublic = after.is_public === 1;
    const names = JSON.parse(after.tags) as string[];
    const tagIds = after.status === 'cancel' ? [] : await tags.resolve(trx, names, { author, isPublic });
    const formerTagIds = before ? await listTagIds(trx, id) : [];
    await putArticleTags(trx, after, tagIds);
    await settleCounts(trx, tags, before && { ...before, tagIds: formerTagIds }, { ...after, tagIds });
    if (isShown(after)) {
      const { toc, text } = rendering ?? (await findRendering(trx, id)) ?? refuse('ARTICLE_NOT_FOUND');
      const display_name = await findDisplayName(trx, after.author_id);
      await search.put(trx, documentOf({ ...after, username: author.username, display_name, toc, text }));
    } else if (before && isShown(before)) await search.remove(trx, id);
    const change = isUntold ? null : changeOf(before, after);
    if (change)
      await notices.notify(trx, { kind: 'article', articleId: id, authorId: after.author_id, event: change });
    if (!isUntold) await outbox.add(trx, before, after);
    await announceChange(trx, events, before, after);
  };
}

export type SetModeration = ReturnType<typeof createSetModeration>;

export function createSetModeration({ applyVisibility, now }: Uses<'applyVisibility'>) {
  /**
   * Makes an article visible to its author only ('held', 'hidden'), or restores the visibility that the
   * author wants (''). An article that readers see for the first time is published now, unless its author
   * gave it a time; one in the trash stays there. Refuses with ARTICLE_NOT_FOUND.
   */
  return async function setModeration(
    trx: Trx,
    id: string,
    moderation: ArticlesTable['moderation'],
    author: Viewer,
  ): Promise<void> {
    const before = (await findAnyState(trx, id)) ?? refuse('ARTICLE_NOT_FOUND');
    if (before.moderation === moderation) return;
    const isKept = before.moderation !== '' || before.is_page === 1;
    const wanted_secret = isKept ? before.wanted_secret : before.secret;
    const isFirstPublication = before.status === 'normal' && moderation === '' && before.was_published === 0;
    const after = await changeArticle(trx, before, {
      moderation,
      wanted_secret,
      secret: moderation === '' && before.is_page === 0 ? wanted_secret : 1,
      ...(isFirstPublication ? { was_published: 1 as const } : {}),
      ...(isFirstPublication && !isDated(before) ? { create_time: now() } : {}),
    });
    await applyVisibility(trx, before, after, { author });
  };
}

const BATCH_SIZE = 20;

export type IndexAuthor = ReturnType<typeof createIndexAuthor>;

export function createIndexAuthor({ db, events, search }: Uses<'search'>) {
  /**
   * Indexes the public articles of a user under the names of the account.
   * @param names the future names, if they are not stored yet
   */
  return async (
    userId: string,
    names: Partial<Pick<SearchDocument, 'username' | 'display_name'>> = {},
  ): Promise<void> => {
    for (let after = ''; ;) {
      const rows = await db.write(async (trx) => {
        const found = await listDocuments(trx, { author: userId, after, limit: BATCH_SIZE });
        for (const row of found) await search.put(trx, { ...row, ...names });
        // A search that is cached before this batch has the former names.
        if (found.length > 0) events.emit(trx, { type: 'index-rebuilt' });
        return found;
      });
      if (rows.length < BATCH_SIZE) return;
      after = rows.at(-1)?.id ?? after;
    }
  };
}
