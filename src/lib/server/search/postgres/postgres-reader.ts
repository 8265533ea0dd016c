import { sql, type RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../db/database.ts';
import { AUTHOR_COLUMNS, FOUND, TAGS } from '../../db/search-documents.ts';
import type { FoundArticle, FoundHead, IndexReader, Place, Wanted } from '../reader.ts';
import { foldDocument } from '../text/folded-document.ts';
import { combine } from './combine.ts';
import { PLACE_MASKS } from './postings.ts';
import { listArticles, listDead, type Segment, type TailEntry } from './segment-queries.ts';
import { createTailReader, matchesInTail, type Tail } from './tail.ts';
import { createWordMatches } from './word-matches.ts';

/**
 * Documents of segments that are searched together for the newest hits, one query a group. A word with fewer
 * hits than wanted in one group is rare, so a larger group has few of them, too.
 */
const NEWEST_GROUPS = [20_000, 100_000, 300_000];
/** The same for all hits; it bounds the postings in memory. */
const ALL_GROUPS = [300_000];
const MAX_CACHED_DEAD_LISTS = 100;

/** State of the index in a snapshot. */
interface State {
  generation: number;
  /** Newest first, by their newest document. */
  segments: readonly Segment[];
  tail: Tail;
}

/**
 * Creates readers of the index. They share caches of what never changes.
 * @param onState called with the numbers of documents in the tail and of segments
 */
export function createPostgresReaders(onState: (tail: number, segments: readonly Segment[]) => void) {
  const matchesIn = createWordMatches();
  const readTail = createTailReader();
  const deadLists = new LRUCache<string, ReadonlySet<number>>({ max: MAX_CACHED_DEAD_LISTS });

  async function readState(db: Queryable): Promise<State> {
    const { rows } = await sql<{ generation: number; segments: Segment[] | null; tail: TailEntry[] | null }>`
      select coalesce(max(generation), 0) as generation,
        (select json_agg(s) from search_segments as s where is_live = 1) as segments,
        (select json_agg(t) from search_tail as t) as tail, ${sql.join(SETTINGS)} from search_changes`.execute(
      db,
    );
    const { generation = 0, segments, tail } = rows[0] ?? {};
    onState(tail?.length ?? 0, segments ?? []);
    return {
      generation,
      segments: (segments ?? []).toSorted((a, b) => b.last - a.last),
      tail: await readTail(db, tail ?? []),
    };
  }

  async function deadIn(db: Queryable, segments: readonly Segment[]): Promise<ReadonlySet<number>[]> {
    const nameOf = ({ segment, changes }: Segment) => `${segment} ${changes}`;
    const changed = segments.filter((segment) => segment.changes > 0 && !deadLists.has(nameOf(segment)));
    if (changed.length > 0) {
      const numbers = changed.map(({ segment }) => segment);
      const lists = await listDead(db, numbers);
      for (const segment of changed) deadLists.set(nameOf(segment), lists.get(segment.segment) ?? new Set());
    }
    return segments.map((segment) => deadLists.get(nameOf(segment)) ?? NO_DOCUMENTS);
  }

  /** Returns the living documents of each segment with at least `least` of the words. */
  async function find(
    db: Queryable,
    segments: readonly Segment[],
    { place, words, labels, least }: Question,
  ) {
    const dead = await deadIn(db, segments);
    const found = await matchesIn(db, segments, [...words, ...labels]);
    return segments.map(({ base }, index) => {
      const matches = found[index] ?? [];
      const documents = combine(
        matches.slice(0, words.length),
        matches.slice(words.length),
        PLACE_MASKS[place],
        least,
      ).map((document) => base + document);
      const gone = dead[index] ?? NO_DOCUMENTS;
      return gone.size === 0 ? documents : documents.filter((document) => !gone.has(document));
    });
  }

  return function readerOver(db: Queryable): IndexReader {
    let state: State | undefined;
    const current = (): State => {
      if (!state) throw new Error('startWordSearch must be called first');
      return state;
    };
    const rowsOf = async <R>(query: RawBuilder<R>) => (await query.execute(db)).rows;

    /** Passes on the hits in the tail, then those in each group of segments, newest segments first. */
    async function* found(question: Question, sizes: readonly number[]): AsyncGenerator<Found> {
      const { segments, tail } = current();
      const recent = matchesInTail(tail, question.place, question, question.least);
      yield { lists: [Float64Array.from(recent).sort()], next: segments[0]?.last ?? -Infinity };
      const groups = groupsOf(segments, sizes);
      for (const [index, group] of groups.entries())
        yield { lists: await find(db, group, question), next: groups[index + 1]?.[0]?.last ?? -Infinity };
    }

    async function all(question: Question): Promise<Float64Array> {
      const all: Float64Array[] = [];
      for await (const { lists } of found(question, ALL_GROUPS)) all.push(...lists);
      return newestFirst(all);
    }

    async function count(question: Question): Promise<number> {
      let total = 0;
      for await (const { lists } of found(question, ALL_GROUPS))
        for (const list of lists) total += list.length;
      return total;
    }

    async function newest(question: Question, limit: number): Promise<Float64Array> {
      let best = new Float64Array();
      for await (const { lists, next } of found(question, NEWEST_GROUPS)) {
        best = newestFirst([best.toReversed(), ...lists]).slice(0, limit);
        if ((best[limit - 1] ?? -Infinity) > next) break;
      }
      return best;
    }

    return {
      async startWordSearch() {
        state = await readState(db);
        return state.generation;
      },
      async changesAfter(generation) {
        const rows = await rowsOf(
          sql<{
            document: number | null;
          }>`select document from search_changes where generation > ${generation}`,
        );
        return rows.map(({ document }) => document);
      },
      async folded(documents) {
        const articles = await listArticles(db, documents);
        return new Map(articles.map((article) => [article.document, foldDocument(article)]));
      },
      count: (wanted) => count(allOf('whole', wanted)),
      all: (place, wanted) => all(allOf(place, wanted)),
      newest: (place, wanted, limit) => newest(allOf(place, wanted), limit),
      newestOfSome: (place, wanted, least, limit) => newest({ place, ...wanted, least }, limit),
      async holding(documents, words) {
        const holders = new Set(await all(allOf('whole', { words, labels: [] })));
        return Float64Array.from(documents.filter((document) => holders.has(document)));
      },
      async titlesFrom(prefix, limit) {
        const rows = await rowsOf(sql<{ document: number }>`select document from search_entries
          where title >= ${prefix} and title < ${`${prefix}\u{10ffff}`} order by title, document limit ${limit}`);
        return Float64Array.from(rows, ({ document }) => document);
      },
      async heads(documents) {
        const rows = await rowsOf(sql<Omit<FoundHead, 'tags'> & { tags: string }>`
          select d.document, a.id, a.title, ${sql.raw(`${TAGS}, ${AUTHOR_COLUMNS}`)}, e.headings from search_documents d
          join articles a on a.id = d.article_id and ${FOUND} join users u on u.id = a.author_id
          join search_entries e on e.document = d.document
          where d.document = any(${documents}::bigint[])`);
        return rows.map((row) => ({ ...row, tags: JSON.parse(row.tags) as string[] }));
      },
      async openings(documents, characters) {
        const rows = await rowsOf(sql<Pick<FoundArticle, 'document' | 'text'>>`
          select d.document, substr(b.text, 1, ${characters}::integer) as text from search_documents d
          join articles a on a.id = d.article_id and ${FOUND} join article_bodies b on b.article_id = a.id
          where d.document = any(${documents}::bigint[])`);
        return new Map(rows.map(({ document, text }) => [document, text]));
      },
      articles: (documents) =>
        rowsOf(sql<FoundArticle>`
          select d.document, a.id, a.title, b.text from search_documents d
          join articles a on a.id = d.article_id and ${FOUND} join article_bodies b on b.article_id = a.id
          where d.document = any(${documents}::bigint[])`),
    };
  };
}

/** Hits in ascending order, and the newest document of the segments that follow. */
interface Found {
  lists: Float64Array<ArrayBuffer>[];
  next: number;
}

interface Question extends Wanted {
  place: Place;
  least: number;
}

const allOf = (place: Place, wanted: Wanted): Question => ({ place, ...wanted, least: wanted.words.length });

const NO_DOCUMENTS: ReadonlySet<number> = new Set();

/**
 * Makes this transaction use the indexes: a never analyzed table looks as if scanning it were cheaper. JIT is
 * off because compiling takes longer than a search.
 */
const SETTINGS = ['enable_seqscan', 'enable_bitmapscan', 'jit'].map(
  (name) => sql`set_config(${sql.lit(name)}, 'off', true)`,
);

/** Splits segments into groups of about `sizes` documents, in their order; the last size repeats. */
function groupsOf(segments: readonly Segment[], sizes: readonly number[]): Segment[][] {
  const groups: Segment[][] = [];
  let room = 0;
  for (const segment of segments) {
    if (room <= 0) {
      room = sizes[groups.length] ?? sizes.at(-1) ?? 0;
      groups.push([]);
    }
    groups.at(-1)?.push(segment);
    room -= segment.documents;
  }
  return groups;
}

/** Joins lists in ascending order; those of most segments follow each other. */
function newestFirst(lists: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const sorted = lists.filter(({ length }) => length > 0).toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  const joined = new Float64Array(sorted.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  let isSorted = true;
  for (const list of sorted) {
    isSorted &&= at === 0 || (joined[at - 1] ?? 0) < (list[0] ?? 0);
    joined.set(list, at);
    at += list.length;
  }
  return (isSorted ? joined : joined.sort()).toReversed();
}
