import type { ArticleSource, Schedule } from '../../../contract/entities.ts';
import { allFields, type Authored, type FieldName } from '../../../contract/rules/authored-fields.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Ask } from './ask.ts';

/** An article of the caller with its newest text, which may be unpublished. */
export interface OwnArticle extends Pick<
  ArticleSource,
  '_id' | 'address' | 'create_time' | 'status' | 'type'
> {
  text: Required<Authored>;
  /** Versions on which a change is based. */
  seen: { update_time: string; revision_time: string };
  /** Whether the article was changed elsewhere after its unpublished text was written. */
  isOvertaken: boolean;
  /** Time in the future (ISO 8601) at which the unpublished text is published, or null. */
  scheduled: string | null;
}

/** Changed fields; undefined ones stay as they are. */
export type Changes = { [N in FieldName]?: Authored[N] | undefined };

export async function readOwn(ask: Ask, id: string): Promise<OwnArticle> {
  const { revision, schedule, ...article } = await ask('articleSource', { id });
  const { _id, address, create_time, update_time, status, type } = article;
  return {
    _id,
    address,
    create_time,
    status,
    type,
    text: allFields(revision ?? article),
    seen: { update_time, revision_time: revision?.revision_time ?? update_time },
    isOvertaken: revision !== undefined && revision.base_time !== update_time,
    scheduled: scheduledTime(schedule),
  };
}

/** The time of a schedule that is still to be carried out. */
export const scheduledTime = (schedule: Schedule | undefined): string | null =>
  schedule && schedule.problem === undefined && isFuture(schedule.publish_time)
    ? schedule.publish_time
    : null;

const isFuture = (time: string): boolean => Date.parse(time) > Date.now();

/** Date of an article for its author: while it is scheduled, the time of its publication. */
export const shownDate = ({
  scheduled,
  create_time,
}: Pick<OwnArticle, 'scheduled' | 'create_time'>): string => scheduled ?? create_time;

/** When the author wants the text to be published, also of a draft with a date but no schedule; or null. */
export const plannedTime = ({ scheduled, status, create_time }: OwnArticle): string | null =>
  scheduled ?? (status === 'draft' && isFuture(create_time) ? create_time : null);

/**
 * Saves changes of an article. Without `publishes`, readers see none of them: changes of a published article
 * become its unpublished text, and a schedule stays. Refuses with ARTICLE_CHANGED, and as the calls do.
 * @param publish_time date of a draft, or of an article that is published; by default as it is, or now
 * @returns `notes` of the call
 */
export async function saveOwn(
  ask: Ask,
  own: OwnArticle,
  changes: Changes,
  { publishes, publish_time }: { publishes: boolean; publish_time?: string | undefined },
): Promise<{ notes?: string[] | undefined }> {
  if (own.isOvertaken)
    refuse('ARTICLE_CHANGED', { text: '文章有未发布的修改，又在别处改过，请先在网站的编辑器里合并' });
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  const fields = { id: own._id, ...own.text, ...Object.fromEntries(changed), ...own.seen };
  if (publishes || own.status === 'draft')
    return ask('articleEdit', {
      ...fields,
      type: own.type,
      status: publishes ? 'normal' : 'draft',
      publish_time,
    });
  return ask('revisionSave', fields);
}
