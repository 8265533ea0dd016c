import { refuse } from '../../../contract/rules/errors.ts';
import type { ArticleReview, ReviewDecision } from '../../../contract/calls/moderation-calls.ts';
import type { ArticleListItem } from '../../../contract/entities.ts';
import { changeNote, withheldNote, type HoldReason } from '../../../contract/rules/moderation.ts';
import { moved } from '../../../contract/moderation-moves.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { ModerationDecisionsTable, WithheldItemsTable } from '../../db/schema/moderation-schema.ts';
import { toInstant } from '../../shared/ids.ts';
import { findChanges } from './change-queries.ts';
import * as decisions from './decision-queries.ts';
import * as queries from '../withheld-queries.ts';
import { mayResubmit, putResubmitted } from './resubmit.ts';
import type { Uses } from '../../services.ts';

export type ReviewService = ReturnType<typeof createReviewService>;

/** Decisions of staff on articles, as their author sees them, and resubmission after a refusal. */
export function createReviewService(parts: Uses<'setModeration' | 'notices'>) {
  const { db, events, setModeration, notices, now } = parts;
  return {
    /** Status texts for articles of an author's list that readers do not see. */
    async notesOf(articles: readonly Noted[]): Promise<Map<string, Notes>> {
      const changes = await findChanges(
        db.read,
        'article',
        articles.map(({ _id }) => _id),
      );
      const withheld = articles.filter(({ moderation }) => moderation !== undefined);
      const items = await queries.findWithheld(
        db.read,
        'article',
        withheld.map(({ _id }) => _id),
      );
      const notes = new Map<string, Notes>(
        [...changes].map(([id, { state, note }]) => [id, { change_note: changeNote(state, note) }]),
      );
      for (const article of withheld) {
        const item = items.get(article._id);
        if (!item) continue;
        const can_resubmit = isOffered(article) && mayResubmit(item);
        notes.set(article._id, { moderation_note: noteOf(item), ...(can_resubmit ? { can_resubmit } : {}) });
      }
      return notes;
    },

    /** State and earlier decisions of the viewer's article. Refuses with ARTICLE_NOT_FOUND. */
    async ofAuthor(id: string, viewer: Viewer): Promise<ArticleReview> {
      const article = await queries.findModerated(db.read, id);
      if (article?.author_id !== viewer.id || article.status === 'cancel') refuse('ARTICLE_NOT_FOUND');
      const item = (await queries.findWithheld(db.read, 'article', [id])).get(id);
      const made = await decisions.listDecisions(db.read, 'article', id);
      return {
        state: item?.state ?? 'shown',
        note: item ? noteOf(item) : '',
        can_resubmit: item !== undefined && isOfferedRow(article) && mayResubmit(item),
        decisions: made.map(toDecision),
      };
    },

    /**
     * Returns an article that staff refused or hid to the queue, unless saving its change has done so.
     * Refuses with ARTICLE_NOT_FOUND, NOTHING_TO_RESUBMIT, and with RESUBMIT_UNCHANGED if the text is the one
     * that staff judged.
     */
    resubmit: (id: string, viewer: Viewer): Promise<void> =>
      db.write(async (trx) => {
        const article = await queries.findModerated(trx, id);
        if (article?.author_id !== viewer.id || article.status === 'cancel') refuse('ARTICLE_NOT_FOUND');
        const item = (await queries.findWithheld(trx, 'article', [id])).get(id);
        if (item?.state === 'held' && reasonsOf(item).includes('resubmitted')) return;
        const state = item && mayResubmit(item) ? moved('author', 'resubmit', item.state) : null;
        if (!item || state !== 'held' || !isOfferedRow(article)) refuse('NOTHING_TO_RESUBMIT');
        const judged = await decisions.findJudged(trx, 'article', id);
        const text = await decisions.findArticleText(trx, id);
        if (judged && text && decisions.isSameText(judged, text)) refuse('RESUBMIT_UNCHANGED');
        await setModeration(trx, id, state, viewer);
        await putResubmitted(
          trx,
          { events, notices, now },
          { item, author_id: viewer.id, title: article.title, words: wordsOf(item) },
        );
      }),
  };
}

type Notes = Pick<ArticleListItem, 'moderation_note' | 'can_resubmit' | 'change_note'>;
type Noted = Pick<ArticleListItem, '_id' | 'moderation' | 'status' | 'secret'>;

export const toDecision = ({
  state,
  note,
  create_time,
}: Pick<ModerationDecisionsTable, 'state' | 'note' | 'create_time'>): ReviewDecision => ({
  state,
  note,
  create_time: toInstant(create_time),
});

export const reasonsOf = ({ reasons }: Pick<WithheldItemsTable, 'reasons'>) =>
  JSON.parse(reasons) as HoldReason[];

export const wordsOf = ({ words }: { words: string }) => JSON.parse(words) as string[];

/** Whether staff refused the item while it was pending. */
const isRefused = (item: WithheldItemsTable): boolean => reasonsOf(item).length > 0;
const noteOf = (item: WithheldItemsTable): string => withheldNote(item.state, item.note, isRefused(item));
/** Whether its author wants the article to be public. */
const isOffered = ({ status, secret }: Noted): boolean => status === 'normal' && !secret;
const isOfferedRow = ({ status, wanted_secret }: { status: string; wanted_secret: 0 | 1 }): boolean =>
  status === 'normal' && wanted_secret === 0;
