import { refuse } from '../../../contract/rules/errors.ts';
import { PAGE_TYPE } from '../../../contract/rules/page-tree.ts';
import { type NewArticle } from '../../../contract/article-fields.ts';
import { listExcerpt } from '../../../markdown/excerpt.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import * as queries from './article-queries.ts';
import { type StoredRendering } from '../rendering/article-renderings.ts';
import type { Judgement } from '../../moderation/moderation-service.ts';
import { isDated } from './dated.ts';
import { dropIdleSchedule } from '../history/schedule-queries.ts';
import type { Uses } from '../../services.ts';
import { moderationOf } from '../../db/schema/moderation-schema.ts';
import type { AuthoredColumns } from '../../db/schema/schema.ts';
import { putPictureUses } from './usage-queries.ts';
import { nextPlace, placeInSeries } from '../series/series-queries.ts';

export type ArticleDraft = NewArticle & Known & Saved;

/** Fields that only an import sets; times are milliseconds since the epoch. */
export interface Known {
  create_time?: number;
  update_time?: number;
  /** Place in its series; the last by default. */
  series_no?: number;
  /** Only `create` makes a page (../pages/page-service.ts). */
  is_page?: true;
  /** Search engines are not notified: they already know the article at another address. */
  isUntold?: boolean;
  /** Slug on its former site; the article gets another one like it if that is taken. */
  knownSlug?: string;
}

/** Name of the device that saves (api/client-name.ts). */
export interface Saved {
  saved_by?: string | undefined;
}

const wantsTag = ({ type, status, tags }: ArticleDraft) =>
  type === PAGE_TYPE && status === 'normal' && tags.length === 0;

export type Save = ReturnType<typeof createSave>;

export function createSave({
  tags,
  versions,
  moderation,
  origins,
  applyVisibility,
  now,
}: Uses<'tags' | 'versions' | 'moderation' | 'origins' | 'applyVisibility'>) {
  /**
   * Writes an article and everything that depends on it: body, pictures, versions, origin, `applyVisibility`.
   */
  return async function save(
    trx: Trx,
    target: {
      id: string;
      author: Viewer;
      former: queries.ArticleState | null;
      judgement: Judgement;
      /** Whether its author submits the text again if staff refused or hid the article. */
      isSubmitted?: boolean;
    },
    input: ArticleDraft,
    { content, ...given }: AuthoredColumns,
    rendering: StoredRendering,
  ): Promise<{ create_time: number; update_time: number; isPending: boolean }> {
    const { id, author, former, judgement, isSubmitted = false } = target;
    const wantsPublic = input.status === 'normal' && !input.secret;
    const is_page = former?.is_page ?? (input.is_page ? 1 : 0);
    // Articles of other clients may have the type of pages.
    if (is_page === 0 && wantsTag(input))
      refuse('FIELD_INVALID', { text: '请至少填写 1 个标签', field: 'tags' });
    // A page is in no list.
    const unlisted = is_page === 1 ? ({ series: '', pinned: 0 } as const) : {};
    const columns = { ...given, ...unlisted, tags: JSON.stringify(await tags.rename(trx, input.tags)) };
    const unwritten = { ...columns, content, author_id: author.id };
    const state = await moderation.settle(
      trx,
      { kind: 'article', id, former: former?.moderation || 'shown', unwritten },
      judgement,
      isSubmitted && wantsPublic ? unwritten : null,
    );
    const withheld = moderationOf(state);
    const isPublic = wantsPublic && withheld === '' && is_page === 0;
    const isFirstPublication = input.status === 'normal' && former?.was_published !== 1;
    const update_time = input.update_time ?? Math.max(now(), (former?.update_time ?? 0) + 1);
    const kept = former && (!isFirstPublication || isDated(former)) ? former.create_time : update_time;
    const create_time = input.create_time ?? kept;
    const excerpt = listExcerpt(input.content);
    const { summary, ...body } = rendering;
    const row: queries.ArticleValues = {
      id,
      author_id: author.id,
      ...columns,
      secret: withheld === '' && is_page === 0 ? columns.secret : 1,
      moderation: withheld,
      wanted_secret: columns.secret,
      type: is_page === 1 ? PAGE_TYPE : input.type,
      status: input.status,
      is_public: isPublic ? 1 : 0,
      is_page,
      // An article that was pending or refused was not published yet: it gets its time on approval.
      was_published: former?.was_published === 1 || (input.status === 'normal' && withheld === '') ? 1 : 0,
      create_time,
      update_time,
      excerpt: excerpt.content,
      has_more: excerpt.showMore ? 1 : 0,
      summary,
      saved_by: input.saved_by ?? '',
      address: former?.address ?? '',
    };
    await queries.putArticle(trx, row, { content, ...body });
    await putPictureUses(trx, 'article', { id, authorId: author.id, content, cover: columns.cover });
    if (row.series !== '' && row.series !== former?.series)
      await placeInSeries(trx, id, input.series_no ?? (await nextPlace(trx, row.series)));
    await dropIdleSchedule(trx, id);
    if (input.status === 'normal') {
      await versions.published(trx, author, id, { content, ...columns }, update_time);
      await origins.note(trx, 'article', id, author);
    }
    const { isUntold, knownSlug } = input;
    await applyVisibility(trx, former, row, { author, rendering, isUntold, knownSlug });
    return { create_time, update_time, isPending: wantsPublic && state === 'held' };
  };
}
