import type { ArticleVersionsTable } from '../../db/schema/schema.ts';
import { DAY_MS, HOUR_MS, MIB, WEEK_MS } from '../../../shared/units.ts';

export type VersionHead = Pick<ArticleVersionsTable, 'id' | 'kind' | 'create_time' | 'digest' | 'bytes'>;

const MAX_VERSIONS = 200;
const MAX_PUBLICATIONS = 100;
const MAX_BYTES = 8 * MIB;

/**
 * Returns the versions of an article to delete. Of drafts the last of each hour stays for a day, of each day
 * for a month, of each week after that; then the oldest are deleted, drafts before publications, beyond 200
 * versions, 100 publications or 8 MB. The newest always stays.
 * @param heads newest first
 */
export function surplusOf(heads: readonly VersionHead[], now: number): VersionHead[] {
  const kept = thinned(heads, now);
  const publications = kept.filter(({ kind }) => kind === 'publication');
  const tooOld = new Set(publications.slice(MAX_PUBLICATIONS));
  const staying = kept.filter((head) => !tooOld.has(head));
  let bytes = staying.reduce((sum, head) => sum + head.bytes, 0);
  const oldestFirst = staying.slice(1).toReversed();
  const order = [
    ...oldestFirst.filter(({ kind }) => kind === 'draft'),
    ...oldestFirst.filter(({ kind }) => kind === 'publication'),
  ];
  const dropped = new Set<VersionHead>();
  for (const head of order) {
    if (staying.length - dropped.size <= MAX_VERSIONS && bytes <= MAX_BYTES) break;
    dropped.add(head);
    bytes -= head.bytes;
  }
  const stays = new Set(staying.filter((head) => !dropped.has(head)));
  return heads.filter((head) => !stays.has(head));
}

function thinned(heads: readonly VersionHead[], now: number): VersionHead[] {
  const spans = new Set<string>();
  return heads.filter(({ kind, create_time }) => {
    const age = now - create_time;
    if (kind === 'publication' || age < HOUR_MS) return true;
    const size = age < DAY_MS ? HOUR_MS : age < 30 * DAY_MS ? DAY_MS : WEEK_MS;
    const span = `${size}:${Math.floor(create_time / size)}`;
    if (spans.has(span)) return false;
    spans.add(span);
    return true;
  });
}
