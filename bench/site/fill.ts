import { findFormerPictureUses } from '../../src/lib/server/articles/core/usage-queries.ts';
import type { Database } from '../../src/lib/server/db/database.ts';
import { repairCounters } from '../../src/lib/server/db/stored-counters.ts';
import { NUMBERS } from '../../src/lib/server/operations/doctor.ts';
import { articleRows } from './articles.ts';
import { factsOf, type Row } from './facts.ts';
import type { Write } from './database.ts';
import type { Loader } from './loader.ts';
import { SERIES_PERIODS, seriesRow, shapeOf, tagRow, userRow, type Shape } from './people.ts';
import type { Piece } from './stock.ts';

export interface SitePlan {
  articles: number;
  seed: number;
  /** Time of the last article, in milliseconds since the epoch. */
  until: number;
}

const ARTICLE_BATCH_SIZE = 2_000;
const PEOPLE_BATCH_SIZE = 10_000;

function collect() {
  const rows = new Map<string, Row[]>();
  const put = (table: string, row: Row): void => {
    const known = rows.get(table);
    if (known) known.push(row);
    else rows.set(table, [row]);
  };
  return { rows, put };
}

/**
 * Continues to fill the database of `loader` with the articles of `plan`, until `isOver`. Resolves to whether
 * all articles are loaded.
 */
export async function loadArticles(
  loader: Loader,
  { articles, until, seed }: SitePlan,
  { pieces, passwordHash }: { pieces: readonly Piece[]; passwordHash: string },
  isOver: () => boolean,
): Promise<boolean> {
  const shape = shapeOf(articles, until, seed);
  await loader.begin();
  let done = await loader.count();
  if (done === 0) await loadPeople(loader, shape, passwordHash);
  // A database server loads a batch while the next one is generated.
  let loading = Promise.resolve();
  while (done < articles && !isOver()) {
    const { rows, put } = collect();
    const end = Math.min(done + ARTICLE_BATCH_SIZE, articles);
    for (let index = done; index < end; index++) articleRows(factsOf(index, shape), shape, pieces, put);
    await loading;
    loading = loader.load(rows);
    done = end;
  }
  await loading;
  return done === articles;
}

async function loadPeople(loader: Loader, shape: Shape, passwordHash: string): Promise<void> {
  const kinds: [table: string, count: number, rowOf: (index: number) => Row][] = [
    ['users', shape.users, (index) => userRow(index, shape, passwordHash)],
    ['tags', shape.tags, (index) => tagRow(index, shape)],
    [
      'series',
      shape.authors * SERIES_PERIODS,
      (index) => seriesRow(Math.floor(index / SERIES_PERIODS), index % SERIES_PERIODS),
    ],
  ];
  for (const [table, count, rowOf] of kinds)
    for (let start = 0; start < count; start += PEOPLE_BATCH_SIZE) {
      const length = Math.min(PEOPLE_BATCH_SIZE, count - start);
      await loader.load(new Map([[table, Array.from({ length }, (_, index) => rowOf(start + index))]]));
    }
}

/** Sets all counters to the true values, and does what a server would do at its first start. */
export async function settleCounters(db: Database, write: Write): Promise<void> {
  for (const counter of NUMBERS) await write((trx) => repairCounters(trx, counter));
  await findFormerPictureUses(db);
}
