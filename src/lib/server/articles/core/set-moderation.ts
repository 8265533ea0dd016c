import { refuse } from '../../../contract/rules/errors.ts';
import type { Trx } from '../../db/database.ts';
import type { Events } from '../../db/events.ts';
import type { ArticlesTable, Flag } from '../../db/schema/schema.ts';
import type { Outbox } from '../../push/push-service.ts';
import type { SearchIndex } from '../../search/search.ts';
import type { TagService } from '../../tags/tag-service.ts';
import { announceChange } from './article-change.ts';
import {
  findAnyState,
  findRendering,
  listTagIds,
  nameOf,
  putArticleTags,
  putModeration,
  type ArticleState,
} from './article-queries.ts';
import { settleCounts } from './count-queries.ts';

interface Parts {
  search: SearchIndex;
  tags: TagService;
  outbox: Outbox;
  events: Events;
  now: () => number;
}

export type SetModeration = ReturnType<typeof createSetModeration>;

export function createSetModeration({ search, tags, outbox, events, now }: Parts) {
  async function index(trx: Trx, state: ArticleState, username: string): Promise<void> {
    const { text, toc } = (await findRendering(trx, state.id)) ?? refuse('ARTICLE_NOT_FOUND');
    await search.put(trx, {
      articleId: state.id,
      title: state.title,
      tags: JSON.parse(state.tags) as string[],
      author: username,
      toc,
      text,
      createTime: state.create_time,
    });
  }

  /**
   * Makes an article visible to its author only ('held', 'hidden'), or restores the visibility that the
   * author wants (''). An article that readers see for the first time is published now; one in the trash
   * stays there. Refuses with ARTICLE_NOT_FOUND.
   * @returns the state before
   */
  return async function setModeration(
    trx: Trx,
    id: string,
    moderation: ArticlesTable['moderation'],
  ): Promise<ArticleState> {
    const before = (await findAnyState(trx, id)) ?? refuse('ARTICLE_NOT_FOUND');
    if (before.moderation === moderation) return before;
    const wanted_secret = before.moderation === '' ? before.secret : before.wanted_secret;
    const secret: Flag = moderation === '' ? wanted_secret : 1;
    const isNormal = before.status === 'normal';
    const is_public: Flag = isNormal && secret === 0 ? 1 : 0;
    const isFirstPublication = isNormal && moderation === '' && before.was_published === 0;
    const create_time = isFirstPublication ? now() : before.create_time;
    const was_published = isFirstPublication ? 1 : before.was_published;
    const changes = { moderation, wanted_secret, secret, is_public, create_time, was_published };
    const after: ArticleState = { ...before, ...changes };
    await putModeration(trx, id, changes);
    const formerTagIds = await listTagIds(trx, id);
    const author = { id: before.author_id, isUnlimited: true };
    const tagIds =
      is_public === 1
        ? await tags.resolve(trx, JSON.parse(before.tags) as string[], { author, isPublic: true })
        : formerTagIds;
    await putArticleTags(trx, after, tagIds);
    await settleCounts(trx, tags, { ...before, tagIds: formerTagIds }, { ...after, tagIds });
    if (is_public === 1) await index(trx, after, await nameOf(trx, before.author_id));
    else if (before.is_public === 1) await search.remove(trx, id);
    await outbox.add(trx, before, after);
    await announceChange(trx, events, before, after);
    return before;
  };
}
