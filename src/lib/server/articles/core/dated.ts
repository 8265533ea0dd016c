import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import { DAY_MS } from '../../../contract/rules/units.ts';

/** Refuses with FIELD_INVALID a time that is more than a year ahead. */
export function requireNear(publishTime: number, now: number): void {
  if (publishTime > now + BOUNDS.scheduleDays * DAY_MS)
    refuse('FIELD_INVALID', { text: '发布时间最远只能定在一年以内', field: 'publish_time' });
}

/**
 * The time that the author gives an article as the one of its publication. Refuses with FIELD_INVALID a time
 * before 1970, one in the future for a published article, and one more than a year ahead for a draft.
 */
export function createdAt(
  { publish_time, status }: { publish_time?: string | undefined; status: string },
  now: number,
): { create_time?: number } {
  if (publish_time === undefined) return {};
  const create_time = Date.parse(publish_time);
  const text =
    create_time < 0
      ? '发布时间不能早于 1970 年'
      : status === 'normal' && create_time > now
        ? '发布时间还没有到，请先存为草稿，再定时发布'
        : null;
  if (text !== null) refuse('FIELD_INVALID', { text, field: 'publish_time' });
  requireNear(create_time, now);
  return { create_time };
}

/**
 * Whether the author gave a time to an article that awaits its first approval. Each save without one sets
 * both times of the article to the same.
 */
export const isDated = (row: { status: string; create_time: number; update_time: number }): boolean =>
  row.status === 'normal' && row.create_time < row.update_time;
