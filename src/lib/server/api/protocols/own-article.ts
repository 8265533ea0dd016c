import type { ArticleSource } from '../../../contract/entities.ts';
import { allFields, type Authored, type FieldName } from '../../../contract/rules/authored-fields.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Ask } from './ask.ts';

/** An article of the caller with its newest text, which may be unpublished. */
export interface OwnArticle extends Pick<ArticleSource, '_id' | 'create_time' | 'status' | 'type'> {
  text: Required<Authored>;
  /** Versions on which a change is based. */
  seen: { update_time: string; revision_time: string };
  /** Whether the article was changed elsewhere after its unpublished text was written. */
  isOvertaken: boolean;
}

/** Changed fields; undefined ones stay as they are. */
export type Changes = { [N in FieldName]?: Authored[N] | undefined };

export async function readOwn(ask: Ask, id: string): Promise<OwnArticle> {
  const { revision, ...article } = await ask('articleSource', { id });
  const { _id, create_time, update_time, status, type } = article;
  return {
    _id,
    create_time,
    status,
    type,
    text: allFields(revision ?? article),
    seen: { update_time, revision_time: revision?.revision_time ?? update_time },
    isOvertaken: revision !== undefined && revision.base_time !== update_time,
  };
}

/**
 * Saves changes of an article. Without `publishes`, readers see none of them: changes of a published article
 * become its unpublished text. Refuses with ARTICLE_CHANGED, and as the calls do.
 */
export async function saveOwn(
  ask: Ask,
  own: OwnArticle,
  changes: Changes,
  { publishes }: { publishes: boolean },
): Promise<void> {
  if (own.isOvertaken)
    refuse('ARTICLE_CHANGED', { text: '文章有未发布的修改，又在别处改过，请先在网站的编辑器里合并' });
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  const fields = { id: own._id, ...own.text, ...Object.fromEntries(changed), ...own.seen };
  if (publishes || own.status === 'draft')
    await ask('articleEdit', { ...fields, type: own.type, status: publishes ? 'normal' : 'draft' });
  else await ask('revisionSave', fields);
}
