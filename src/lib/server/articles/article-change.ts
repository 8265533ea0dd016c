import type { Trx } from '../db/database.ts';
import type { Audience, Events, PublicChange } from '../db/events.ts';
import { HEAD_NAMES, type HeadColumns } from './authored-queries.ts';
import { findNeighbours, type ArticleState } from './article-queries.ts';

/** What of an article must be known to tell what of it has changed. */
export type Announced = Pick<
  ArticleState,
  'id' | 'author_id' | 'is_public' | 'create_time' | 'summary' | keyof HeadColumns
>;

/** What of an article a card may show. */
const CARD_COLUMNS = [...HEAD_NAMES, 'create_time', 'summary'] as const;

/**
 * Tells of a change once `trx` is committed; `before` is null for a new article, `after` for a gone one.
 * @param audience for whom its comments have come or gone, where that does not follow from the two
 */
export async function announceChange(
  trx: Trx,
  events: Events,
  before: Announced | null,
  after: Announced | null,
  audience: Audience = audienceOf(before, after),
): Promise<void> {
  const article = after ?? before;
  if (!article) return;
  const change = await publicChange(trx, before, after);
  const { id: articleId, author_id: authorId } = article;
  events.emit(trx, { type: 'article-changed', articleId, authorId, change, audience });
}

/** What everybody sees otherwise once `trx`, which has written, commits; null if it was and stays hidden. */
async function publicChange(
  trx: Trx,
  before: Announced | null,
  after: Announced | null,
): Promise<PublicChange | null> {
  const was = before?.is_public === 1 ? before : null;
  const is = after?.is_public === 1 ? after : null;
  if (!was && !is) return null;
  const movesInLists = was?.create_time !== is?.create_time;
  const isRenamed = was?.title !== is?.title;
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

/** For whom the article has come or gone; `before` is null for a new one, `after` for a deleted one. */
function audienceOf(before: Announced | null, after: Announced | null): Audience {
  const [was, is] = [before?.is_public === 1, after?.is_public === 1];
  // A new article has no comments that anybody could count.
  if (!before) return 'nobody';
  if (!after) return was ? 'everybody' : 'author';
  return was === is ? 'nobody' : 'others';
}

/** The series an article was and is in. */
const seriesOf = (...states: (Announced | null)[]): string[] => [
  ...new Set(states.flatMap((state) => state?.series || [])),
];

function tagsBetween(was: Announced | null, is: Announced | null, movesInLists: boolean): string[] {
  const [former, later] = [was, is].map((state) => new Set(JSON.parse(state?.tags ?? '[]') as string[]));
  if (!former || !later) return [];
  // Their pages name the tags that occur with them.
  const isRetagged = former.symmetricDifference(later).size > 0;
  return movesInLists || isRetagged ? [...former.union(later)] : [];
}

/** The articles beside the places an article had and has. */
async function neighboursOf(trx: Trx, places: readonly (Announced | null)[]): Promise<string[]> {
  const ids = new Set<string>();
  for (const place of places) {
    if (!place) continue;
    const { previous, next } = await findNeighbours(trx, place);
    for (const neighbour of [previous, next]) if (neighbour) ids.add(neighbour.id);
  }
  return [...ids];
}
