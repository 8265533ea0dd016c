import { EditedArticle } from '../../../contract/article-fields.ts';
import { isSame, type Authored } from '../../../contract/rules/authored-fields.ts';
import type { ArticleSource } from '../../../contract/entities.ts';
import { isRefusal, refuse } from '../../../contract/rules/errors.ts';
import type { Viewer } from '../../auth/auth-service.ts';
import type { Trx } from '../../db/database.ts';
import type { ArticleRevisionsTable } from '../../db/schema/schema.ts';
import { requireOwn } from './article-access.ts';
import type { StoredRendering } from '../rendering/article-renderings.ts';
import type { ArticleDraft, Save, Saved } from './article-save.ts';
import type { Judgement } from '../../moderation/moderation-service.ts';
import { sourceBytes, takeFields } from './authored-queries.ts';
import { putPictureUses } from './usage-queries.ts';
import { deleteRevision, findRevision, putRevision } from '../history/revision-queries.ts';
import { dropIdleSchedule } from '../history/schedule-queries.ts';
import { findCurrentText } from '../history/version-queries.ts';
import type { Uses } from '../../services.ts';

export interface Amendment extends Saved {
  /** Applied to the fields of the article and to those of its unpublished revision; may refuse. */
  change(fields: Authored): Authored;
  status?: 'normal' | 'draft' | undefined;
}

/** `pending`: readers see the change once staff has approved it. */
export type Amended = 'same' | 'changed' | 'pending';

/** Attempts while the article is being edited concurrently. */
const MAX_ATTEMPTS = 3;

interface Parts extends Uses<'versions' | 'revisions' | 'moderation' | 'origins' | 'quotas'> {
  prepare(
    draft: ArticleDraft,
    author: Viewer,
    id: string,
  ): Promise<{ rendering: StoredRendering; judgement: Judgement }>;
  save: Save;
  readSource(id: string, viewer: Viewer): Promise<ArticleSource>;
}

export function createAmend(parts: Parts) {
  const { db, prepare, save, versions, revisions, moderation, origins, quotas, readSource, now } = parts;

  /**
   * Writes the changed fields of the revision, and rebases it onto the article if this transaction saves it.
   */
  async function amendRevision(
    trx: Trx,
    row: ArticleRevisionsTable,
    fields: Authored,
    { author, from, to }: { author: Viewer; from: number; to: number },
  ): Promise<void> {
    const bytes = Buffer.byteLength(row.content);
    const columns = await takeFields(trx, quotas, author, fields, { columns: row, bytes });
    await versions.overwritten(trx, author, await findCurrentText(trx, row.article_id), columns);
    await putRevision(trx, {
      ...row,
      ...columns,
      // A revision based on another version stays in conflict, for its author to resolve.
      base_time: row.base_time === from ? to : row.base_time,
      update_time: Math.max(now(), row.update_time + 1, to),
    });
    await putPictureUses(trx, 'revision', { id: row.article_id, authorId: author.id, ...columns });
  }

  async function attempt(id: string, viewer: Viewer, amendment: Amendment): Promise<Amended> {
    const { revision, ...article } = await readSource(id, viewer);
    const status = amendment.status ?? (article.status === 'draft' ? 'draft' : 'normal');
    const fields = amendment.change(article);
    const revised = revision && amendment.change(revision);
    const isSameRevision = !revision || !revised || isSame(revision, revised);
    if (status === article.status && isSame(article, fields) && isSameRevision) return 'same';
    const parsed = EditedArticle.safeParse({ ...fields, id, status, type: article.type });
    if (!parsed.success) return refuse('FIELD_INVALID', { text: parsed.error.issues[0]?.message ?? '' });
    const { id: _, update_time: __, revision_time: ___, ...checked } = parsed.data;
    const draft = { ...checked, status, saved_by: amendment.saved_by };
    const { rendering, judgement } = await prepare(draft, viewer, id);
    const isSubmitted = judgement.mustReview && judgement.reasons.length === 0;
    const item = { kind: 'article', id, author_id: viewer.id } as const;
    return db.write(async (trx) => {
      const revision_time = revision?.revision_time ?? article.update_time;
      const former = await requireOwn(trx, id, viewer, { update_time: article.update_time, revision_time });
      const row = await findRevision(trx, id);
      if (isSubmitted) {
        const { update_time: time } = former;
        if (row && revised) await amendRevision(trx, row, revised, { author: viewer, from: time, to: time });
        else await revisions.saveIn(trx, { ...draft, id }, viewer);
        await judgement.remember(trx, id);
        await origins.note(trx, 'article', id, viewer);
        if (!(await moderation.amendChange(trx, item, amendment.change)))
          await moderation.submitChange(trx, item, { ...checked, status });
        return 'pending';
      }
      const columns = await takeFields(trx, quotas, viewer, draft, {
        columns: former,
        bytes: await sourceBytes(trx, id),
      });
      if (!row) await versions.overwritten(trx, viewer, await findCurrentText(trx, id), columns);
      const saved = await save(trx, { id, author: viewer, former, judgement }, draft, columns, rendering);
      const times = { from: former.update_time, to: saved.update_time };
      if (row && revised && isSame(revised, fields)) {
        await quotas.store(trx, viewer, -(await deleteRevision(trx, id)));
        await dropIdleSchedule(trx, id);
      } else if (row && revised) await amendRevision(trx, row, revised, { author: viewer, ...times });
      if (status === 'draft' || draft.secret) await moderation.dropChange(trx, 'article', id);
      else
        await moderation.amendChange<Authored>(trx, item, (waiting) => {
          const left = amendment.change(waiting);
          return isSame(left, fields) ? null : left;
        });
      return saved.isPending ? 'pending' : 'changed';
    });
  }

  /**
   * Changes an article of the viewer and, in the same way, its unpublished revision, which stays unpublished,
   * and its change that waits for staff. Where an edit would wait, the change is submitted, and the article
   * stays as it is. Refuses with ARTICLE_NOT_FOUND, NOT_YOURS, FIELD_INVALID (the result is
   * not a valid `EditedArticle`), ARTICLE_CHANGED (edited during every attempt), and as `edit` does.
   */
  return async function amend(id: string, viewer: Viewer, amendment: Amendment): Promise<Amended> {
    for (let left = MAX_ATTEMPTS; ; left--) {
      try {
        return await attempt(id, viewer, amendment);
      } catch (error) {
        if (left === 1 || !isRefusal(error, 'ARTICLE_CHANGED')) throw error;
      }
    }
  };
}
