import { refuse } from '../../../contract/rules/errors.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import type { ArticlesTable } from '../../db/schema/schema.ts';
import { changeArticle, findAnyState } from './article-queries.ts';
import { isDated } from './dated.ts';
import type { Uses } from '../../services.ts';

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
    const wanted_secret = before.moderation === '' ? before.secret : before.wanted_secret;
    const isFirstPublication = before.status === 'normal' && moderation === '' && before.was_published === 0;
    const after = await changeArticle(trx, before, {
      moderation,
      wanted_secret,
      secret: moderation === '' ? wanted_secret : 1,
      ...(isFirstPublication ? { was_published: 1 as const } : {}),
      ...(isFirstPublication && !isDated(before) ? { create_time: now() } : {}),
    });
    await applyVisibility(trx, before, after, { author });
  };
}
