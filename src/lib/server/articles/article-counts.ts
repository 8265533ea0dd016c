import type { Trx } from '../db/database.ts';
import type { Flag } from '../db/schema.ts';
import type { TagService } from '../tags/tag-service.ts';
import { addToPublicCount, addToUserCounts } from './article-queries.ts';

/** What of an article is counted somewhere. */
export interface Counted {
  author_id: string;
  status: 'normal' | 'draft' | 'cancel';
  is_public: Flag;
  tagIds: readonly string[];
}

/**
 * Brings every kept number from what `before` was counted as to what `after` is, in the transaction that makes the change:
 * the author's public, secret and draft articles, public articles in all, and those of each tag. Null: not there.
 */
export async function settleCounts(
  trx: Trx,
  tags: Pick<TagService, 'addToCounts'>,
  before: Counted | null,
  after: Counted | null,
): Promise<void> {
  const [was, is] = [countsAs(before), countsAs(after)];
  const authorId = after?.author_id ?? before?.author_id;
  if (authorId === undefined) return;
  await addToUserCounts(trx, authorId, {
    page: is.page - was.page,
    secret: is.secret - was.secret,
    draft: is.draft - was.draft,
  });
  await addToPublicCount(trx, is.page - was.page);
  const formerTags = new Set(was.page === 1 ? before?.tagIds : []);
  const laterTags = new Set(is.page === 1 ? after?.tagIds : []);
  await tags.addToCounts(trx, [...formerTags.difference(laterTags)], -1);
  await tags.addToCounts(trx, [...laterTags.difference(formerTags)], 1);
}

function countsAs(article: Counted | null): { page: number; secret: number; draft: number } {
  const isNormal = article?.status === 'normal';
  return {
    page: article?.is_public === 1 ? 1 : 0,
    secret: isNormal && article.is_public === 0 ? 1 : 0,
    draft: article?.status === 'draft' ? 1 : 0,
  };
}
