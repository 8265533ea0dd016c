import type { ArticleSource } from '../../../contract/entities.ts';
import { BOUNDS } from '../../../contract/rules/bounds.ts';
import { Problem } from '../../../markdown-file/problem.ts';
import { formatMinute } from '../../../shared/time.ts';
import { DAY_MS } from '../../../shared/units.ts';
import type { ReadFile } from './read-synced-file.ts';

interface Publication {
  status: 'normal' | 'draft';
  /** Time of creation of the article, if the file gives one that is past; milliseconds since the epoch. */
  created?: number | undefined;
  /** When the draft shall be published; undefined leaves a schedule as it is. */
  scheduled?: number;
  /** Chinese sentences about a date that has an effect other than the date of the article. */
  notes: string[];
}

/**
 * Decides when the article of a file becomes public: not before the date of the file, and a scheduled one not
 * before its time, unless the file has another date that is past.
 * @throws Problem for a date in the future if the article is published already
 */
export function planPublication(
  { status, created }: Pick<ReadFile, 'status' | 'created'>,
  stored: Pick<ArticleSource, 'status' | 'create_time' | 'schedule'> | null,
  { now, timeZone }: { now: number; timeZone: string },
): Publication {
  const isFuture = created !== undefined && created > now;
  const past = isFuture ? undefined : created;
  if (status === 'draft') return { status, created: past, notes: isFuture ? ['日期在将来，没有采用'] : [] };
  const showTime = (time: number) => formatMinute(new Date(time).toISOString(), timeZone);
  if (isFuture) {
    if (stored?.status === 'normal') throw new Problem('文章已经发布，日期不能改到将来');
    return created > now + BOUNDS.scheduleDays * DAY_MS
      ? { status: 'draft', notes: ['日期在一年以后，存为草稿，没有定时发布'] }
      : { status: 'draft', scheduled: created, notes: [`日期在将来，已定时在 ${showTime(created)} 发布`] };
  }
  const planned = Date.parse(
    stored?.schedule?.problem === undefined ? (stored?.schedule?.publish_time ?? '') : '',
  );
  const isKept = planned > now && (past === undefined || past === Date.parse(stored?.create_time ?? ''));
  return stored?.status === 'draft' && isKept
    ? { status: 'draft', created: past, notes: [`文章已定时在 ${showTime(planned)} 发布，没有提前公开`] }
    : { status, created: past, notes: [] };
}
