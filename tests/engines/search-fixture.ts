import { newUser } from '../clean-texts.ts';
import { EMPTY_HEAD } from '../../src/lib/server/articles/core/authored-queries.ts';
import type { Database } from '../../src/lib/server/db/database.ts';
import { fold } from '../../src/lib/server/search/text/fold.ts';
import { createPostgresSearch } from '../../src/lib/server/search/postgres/postgres-search.ts';
import { rebuildIfNeeded } from '../../src/lib/server/search/rebuild.ts';
import type { SearchDocument } from '../../src/lib/server/db/search-documents.ts';
import type { SearchIndex } from '../../src/lib/server/search/search.ts';
import { createSqliteSearch } from '../../src/lib/server/search/sqlite/sqlite-search.ts';
import { openDatabase } from './open.ts';

const AUTHOR = '甲';
/** On PostgreSQL, a few dozen articles are merged several times. */
export const SMALL_SEGMENTS = { tail: 12, fanIn: 3 };
/** Articles per transaction: more than a search index applies one by one. */
const BATCH = 120;

export interface Sample {
  title: string;
  tags?: string[];
  text?: string;
  headings?: string[];
  /** Name of the author; 甲 by default. */
  author?: string;
  /** Milliseconds since the epoch; by default a minute after the previous sample. */
  createTime?: number;
}

/** A database and its search. */
export interface SearchStage {
  db: Database;
  file: string;
  index: SearchIndex;
  /** Opens another search on the same database, as another process would. */
  openIndex(): SearchIndex;
  /** Writes the article's rows and indexes it if it is public. Resolves to its id. */
  add(sample: Sample, visibility?: Visibility): Promise<string>;
  addAll(samples: readonly Sample[]): Promise<string[]>;
  change(id: string, sample: Sample): Promise<void>;
  /** Turns the article into a draft and removes it from the index. */
  hide(id: string): Promise<void>;
  /** Ids of all hits on all pages, exact and looser ones. */
  findAll(keywords: string): Promise<string[]>;
  close(): Promise<void>;
}

type Visibility = 'public' | 'draft' | 'secret';

/**
 * @param open returns the database; by default one of the engine of this run
 * @param sizes sizes of the index's parts on PostgreSQL
 */
export async function openSearchStage(open = openDatabase, sizes = SMALL_SEGMENTS): Promise<SearchStage> {
  const { db, file, close } = await open();
  await rebuildIfNeeded(db);
  const openIndex = () =>
    db.engine === 'sqlite' ? createSqliteSearch(db, file) : createPostgresSearch(db, { sizes });
  const index = openIndex();
  const authors = new Map<string, string>();
  const authorOf = async (trx: Parameters<SearchIndex['put']>[0], username: string): Promise<string> => {
    const known = authors.get(username);
    if (known) return known;
    const id = (authors.size + 10).toString(16).padStart(24, 'a');
    const { passwordHash: password_hash, ...account } = newUser(username);
    await trx
      .insertInto('users')
      .values({ id, ...account, username_key: username, password_hash, avatar: '', create_time: 0 })
      .execute();
    authors.set(username, id);
    return id;
  };
  await db.write((trx) => authorOf(trx, AUTHOR));
  let count = 0;
  const writeRows = async (
    trx: Parameters<SearchIndex['put']>[0],
    sample: Sample,
    visibility: Visibility,
  ) => {
    count += 1;
    const id = count.toString(16).padStart(24, '0');
    const createTime = sample.createTime ?? Date.UTC(2024, 0, 1) + count * 60_000;
    const [tags, text, toc] = [sample.tags ?? [], sample.text ?? '', tocOf(sample)];
    await trx
      .insertInto('articles')
      .values({
        ...EMPTY_HEAD,
        address: '',
        id,
        author_id: await authorOf(trx, sample.author ?? AUTHOR),
        title: sample.title,
        tags: JSON.stringify(tags),
        type: '',
        status: visibility === 'draft' ? 'draft' : 'normal',
        secret: visibility === 'secret' ? 1 : 0,
        is_public: visibility === 'public' ? 1 : 0,
        is_page: 0,
        was_published: visibility === 'draft' ? 0 : 1,
        create_time: createTime,
        update_time: createTime,
        excerpt: '',
        has_more: 0,
        summary: '',
        saved_by: '',
        moderation: '',
        wanted_secret: 0,
      })
      .execute();
    await trx
      .insertInto('article_bodies')
      .values({ article_id: id, content: '', html: new Uint8Array(), toc, text, renderer_version: 1 })
      .execute();
    if (visibility === 'public') await index.put(trx, documentOf(id, sample, createTime));
    return id;
  };
  return {
    db,
    file,
    index,
    openIndex,
    add: (sample, visibility = 'public') => db.write((trx) => writeRows(trx, sample, visibility)),
    async addAll(samples) {
      const ids: string[] = [];
      for (let from = 0; from < samples.length; from += BATCH) {
        await db.write(async (trx) => {
          for (const sample of samples.slice(from, from + BATCH))
            ids.push(await writeRows(trx, sample, 'public'));
        });
      }
      return ids;
    },
    change: (id, sample) =>
      db.write(async (trx) => {
        const [tags, text] = [sample.tags ?? [], sample.text ?? ''];
        const { create_time: known } = await trx
          .selectFrom('articles')
          .select('create_time')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const createTime = sample.createTime ?? known;
        await trx
          .updateTable('articles')
          .set({ title: sample.title, tags: JSON.stringify(tags), create_time: createTime })
          .where('id', '=', id)
          .execute();
        await trx
          .updateTable('article_bodies')
          .set({ text, toc: tocOf(sample) })
          .where('article_id', '=', id)
          .execute();
        await index.put(trx, documentOf(id, sample, createTime));
      }),
    hide: (id) =>
      db.write(async (trx) => {
        await trx
          .updateTable('articles')
          .set({ status: 'draft', is_public: 0 })
          .where('id', '=', id)
          .execute();
        await index.remove(trx, id);
      }),
    async findAll(keywords) {
      const found: string[] = [];
      for (let page = 1; ; page += 1) {
        const { hits, total } = await index.search({ keywords, page, pageSize: 100 });
        found.push(...hits.map((hit) => hit.articleId));
        if (page * 100 >= total) return found;
      }
    },
    async close() {
      await index.close();
      await close();
    },
  };
}

const tocOf = ({ headings = [] }: Sample): string =>
  JSON.stringify(headings.map((text, index) => ({ level: 2, no: index + 1, text, slug: '' })));

const documentOf = (id: string, sample: Sample, create_time: number): SearchDocument => ({
  id,
  title: sample.title,
  tags: JSON.stringify(sample.tags ?? []),
  username: sample.author ?? AUTHOR,
  display_name: '',
  toc: tocOf(sample),
  text: sample.text ?? '',
  create_time,
});

/**
 * Reference implementation that scans every document: returns those that contain every word in the title, a
 * tag, the author's name, a heading or the text.
 */
export function naiveMatches(samples: readonly Sample[], keywords: string): number[] {
  const words = fold(keywords)
    .split(/\s+/u)
    .filter((word) => word !== '');
  return samples.flatMap((sample, index) => {
    const fields = foldedFields(sample);
    return words.every((word) => fields.some((field) => field.includes(word))) ? [index] : [];
  });
}

const folded = new WeakMap<Sample, string[]>();

function foldedFields(sample: Sample): string[] {
  const known = folded.get(sample);
  if (known) return known;
  const { title, tags = [], headings = [], text = '', author = AUTHOR } = sample;
  const fields = [title, ...tags, author, ...headings, text].map(fold);
  folded.set(sample, fields);
  return fields;
}

/** Numbers in [0, 1) from a seed (mulberry32), so failures can be reproduced. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
