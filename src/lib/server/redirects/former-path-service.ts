import { addressField } from '../../shared/urls.ts';
import type { Queryable, Trx } from '../db/database.ts';
import { addressOf, canonicalPath, formerPathOf, slugIn, type BadAddress } from './canonical-path.ts';
import * as queries from './path-queries.ts';
import type { Core } from '../services.ts';

export type FormerPathService = ReturnType<typeof createFormerPathService>;

export interface FormerAddress {
  address: string;
  articleId: string;
}

/**
 * Result for an address: `same` existed already, `taken` belongs to another article, `nowhere` has no
 * article; the others are invalid addresses.
 */
export type Added = 'added' | 'same' | 'taken' | 'nowhere' | BadAddress;

const PATH_BATCH_SIZE = 1000;

/**
 * Returns the result for each address, in order, and the new paths with their article ids.
 * @param articleExists whether an article with this id exists
 * @param promised article ids by path: paths that are assigned already, but not yet stored
 */
async function judge(
  db: Queryable,
  entries: readonly FormerAddress[],
  articleExists: (articleId: string) => boolean,
  promised: ReadonlyMap<string, string> = new Map(),
): Promise<{ outcomes: Added[]; added: Map<string, string> }> {
  const read = entries.map(({ address, articleId }) => ({ ...formerPathOf(address), articleId }));
  const paths = read.flatMap((each) => ('path' in each ? [each.path] : []));
  const holders = paths.length === 0 ? [] : await queries.listHolders(db, [...new Set(paths)]);
  // Ignores deleted articles: if they are imported again, the new articles get the addresses.
  const kept = holders.filter(({ status }) => status !== 'cancel');
  const held = new Map([...promised, ...kept.map(({ path, article_id }) => [path, article_id] as const)]);
  const added = new Map<string, string>();
  const outcomes = read.map((each): Added => {
    if ('problem' in each) return each.problem;
    const { path, articleId } = each;
    if (!articleExists(articleId)) return 'nowhere';
    const holder = held.get(path);
    if (holder !== undefined) return holder === articleId ? 'same' : 'taken';
    held.set(path, articleId);
    added.set(path, articleId);
    return 'added';
  });
  return { outcomes, added };
}

/** Former addresses of imported articles, which redirect to the articles. */
export function createFormerPathService({ db, events }: Core) {
  async function addAll(trx: Trx, entries: readonly FormerAddress[]): Promise<Added[]> {
    if (entries.length === 0) return [];
    const existing = await queries.listArticleIds(trx, [
      ...new Set(entries.map(({ articleId }) => articleId)),
    ]);
    const { outcomes, added } = await judge(trx, entries, (id) => existing.has(id));
    if (added.size > 0)
      await queries.putPaths(
        trx,
        Array.from(added, ([path, article_id]) => ({ path, article_id })),
      );
    return outcomes;
  }

  return {
    /**
     * Returns what `add` would return for an article that may not exist yet; writes nothing.
     * @param promised article ids by path from earlier calls; the new paths are added to it
     */
    async foresee(articleId: string, addresses: readonly string[], promised: Map<string, string>) {
      const entries = addresses.map((address) => ({ address, articleId }));
      const { outcomes, added } = await judge(db.read, entries, () => true, promised);
      for (const [path, id] of added) promised.set(path, id);
      return outcomes;
    },

    addAll: (entries: readonly FormerAddress[]): Promise<Added[]> => db.write((trx) => addAll(trx, entries)),

    /**
     * Adds former addresses of an article, which `trx` may have created. Returns the result for each, in
     * order. Idempotent.
     */
    add: (trx: Trx, articleId: string, addresses: readonly string[]): Promise<Added[]> =>
      addAll(
        trx,
        addresses.map((address) => ({ address, articleId })),
      ),

    /**
     * Returns the public article at a former address; null for others, whether hidden or missing.
     */
    async find(address: string): Promise<{ id: string; address?: string } | null> {
      const path = canonicalPath(address);
      const article = path === null ? null : await queries.findArticleAt(db.read, path);
      return article && { id: article.id, ...addressField(article) };
    },

    slugIn,

    /** Maps addresses to the articles, public or not, that had them; leaves out unknown addresses. */
    async articlesAt(addresses: readonly string[]): Promise<Map<string, string>> {
      const asked = addresses.map((address) => ({ address, path: canonicalPath(address) ?? '' }));
      const rows = await queries.listHolders(db.read, [...new Set(asked.map(({ path }) => path))]);
      const byPath = new Map(rows.map((row) => [row.path, row.article_id]));
      return new Map(
        asked.flatMap(({ address, path }) => {
          const id = byPath.get(path);
          return id === undefined ? [] : [[address, id] as const];
        }),
      );
    },

    listOf: async (articleId: string): Promise<string[]> =>
      (await queries.listPathsOf(db.read, articleId)).map(addressOf),

    /** Yields all former addresses in batches, including those of hidden articles. */
    async *list(): AsyncGenerator<FormerAddress[]> {
      let after = '';
      for (;;) {
        const rows = await queries.listPathsAfter(db.read, after, PATH_BATCH_SIZE);
        yield rows.map(({ path, article_id }) => ({ address: addressOf(path), articleId: article_id }));
        const last = rows.at(-1);
        if (!last || rows.length < PATH_BATCH_SIZE) return;
        after = last.path;
      }
    },

    /** Deletes a former address; false if no article has it. */
    async remove(address: string): Promise<boolean> {
      const path = canonicalPath(address);
      if (path === null) return false;
      return db.write(async (trx) => {
        const articleId = await queries.deletePath(trx, path);
        if (articleId === null) return false;
        events.emit(trx, { type: 'former-paths-changed', articleIds: [articleId] });
        return true;
      });
    },
  };
}
