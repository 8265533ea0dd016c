import type { Trx } from '../../db/database.ts';
import type { Audience, Events, PublicChange } from '../../db/events.ts';
import { isShown } from '../../db/visibility.ts';
import { HEAD_NAMES, type HeadColumns } from './authored-queries.ts';
import { findNeighbours, type ArticleState } from './article-queries.ts';

export type Announced = Pick<
  ArticleState,
  | 'id'
  | 'author_id'
  | 'status'
  | 'is_public'
  | 'is_page'
  | 'wanted_secret'
  | 'moderation'
  | 'create_time'
  | 'summary'
  | 'address'
  | keyof HeadColumns
>;

const CARD_COLUMNS = [...HEAD_NAMES, 'create_time', 'summary', 'address'] as const;

/** Emits `article-changed` once `trx` is committed. `before` is null for a new article. */
export async function announceChange(trx: Trx, events: Events, before: Announced | null, after: Announced) {
  const change = await publicChange(trx, before, after);
  const { id: articleId, author_id: authorId } = after;
  const audience = audienceOf(before, after);
  events.emit(trx, { type: 'article-changed', articleId, authorId, change, audience });
  if (after.is_page === 1 && (isShown(after) || (before && isShown(before))))
    events.emit(trx, { type: 'pages-changed', articleIds: [articleId] });
}

/**
 * Returns what changes for visitors when `trx`, which has already written, commits; null if the article
 * neither was nor becomes public.
 */
async function publicChange(
  trx: Trx,
  before: Announced | null,
  after: Announced,
): Promise<PublicChange | null> {
  const was = before?.is_public === 1 ? before : null;
  const is = after.is_public === 1 ? after : null;
  if (!was && !is) return null;
  const movesInLists = was?.create_time !== is?.create_time;
  const isRenamed = was?.title !== is?.title || was?.address !== is?.address;
  const changesCard = CARD_COLUMNS.some((column) => was?.[column] !== is?.[column]);
  return {
    movesInLists,
    changesCard,
    series: changesCard ? seriesOf(was, is) : [],
    changesPinned: was?.pinned !== is?.pinned,
    tags: tagsBetween(was, is, movesInLists),
    neighbours: movesInLists || isRenamed ? await neighboursOf(trx, [was, is]) : [],
  };
}

function audienceOf(before: Announced | null, after: Announced): Audience {
  // A new article has no comments yet.
  if (!before) return 'nobody';
  const [was, is] = [isShown(before), isShown(after)];
  // Comments under an article in the trash are hidden from its author too.
  const isTrashedOrRestored = (before.status === 'cancel') !== (after.status === 'cancel');
  if (isTrashedOrRestored) return was || is ? 'everybody' : 'author';
  return was === is ? 'nobody' : 'others';
}

const seriesOf = (...states: (Announced | null)[]): string[] => [
  ...new Set(states.flatMap((state) => state?.series || [])),
];

function tagsBetween(was: Announced | null, is: Announced | null, movesInLists: boolean): string[] {
  const [former, later] = [was, is].map((state) => new Set(JSON.parse(state?.tags ?? '[]') as string[]));
  if (!former || !later) return [];
  // A tag's page lists the tags that occur together with it.
  const isRetagged = former.symmetricDifference(later).size > 0;
  return movesInLists || isRetagged ? [...former.union(later)] : [];
}

async function neighboursOf(trx: Trx, places: readonly (Announced | null)[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const place of places) {
    if (!place) continue;
    const { previous, next } = await findNeighbours(trx, place);
    for (const neighbour of [previous, next]) if (neighbour) ids.add(neighbour.id);
  }
  return [...ids];
}
