import type { Database, Queryable, Trx } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { addressOf, canonicalPath, formerPathOf, type BadAddress } from './canonical-path.ts';
import * as queries from './path-queries.ts';

export type FormerPathService = ReturnType<typeof createFormerPathService>;

/** An address at which an article stood, percent-encoded or not: a path, or all of it. */
export interface FormerAddress {
  address: string;
  articleId: string;
}

/**
 * What became of an address: `same` was there already, `taken` belongs to another article, `nowhere` has no
 * article; the others are none of a page.
 */
export type Added = 'added' | 'same' | 'taken' | 'nowhere' | BadAddress;

/** Rows that `pages` reads at once. */
const AT_ONCE = 1000;

/**
 * What becomes of addresses, in their order, and the paths among them that are new, with their articles.
 * @param isThere whether there is an article of an id
 * @param promised paths that are given away already though storage does not know it
 */
async function judge(
  db: Queryable,
  entries: readonly FormerAddress[],
  isThere: (articleId: string) => boolean,
  promised: ReadonlyMap<string, string> = new Map(),
): Promise<{ outcomes: Added[]; added: Map<string, string> }> {
  const read = entries.map(({ address, articleId }) => ({ ...formerPathOf(address), articleId }));
  const paths = read.flatMap((each) => ('path' in each ? [each.path] : []));
  const holders = paths.length === 0 ? [] : await queries.listHolders(db, [...new Set(paths)]);
  // What is deleted has no need of its addresses: an article that is imported again gets them.
  const kept = holders.filter(({ status }) => status !== 'cancel');
  const held = new Map([...promised, ...kept.map(({ path, article_id }) => [path, article_id] as const)]);
  const added = new Map<string, string>();
  const outcomes = read.map((each): Added => {
    if ('problem' in each) return each.problem;
    const { path, articleId } = each;
    if (!isThere(articleId)) return 'nowhere';
    const holder = held.get(path);
    if (holder !== undefined) return holder === articleId ? 'same' : 'taken';
    held.set(path, articleId);
    added.set(path, articleId);
    return 'added';
  });
  return { outcomes, added };
}

/** Where articles stood on the sites they come from: asking there leads to them. */
export function createFormerPathService({ db, events }: { db: Database; events: Events }) {
  /** Adds what can be added, in the transaction `trx`; what became of each, in their order. */
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
     * What `add` would answer for an article that may not be there yet; writes nothing.
     * @param promised what the caller has foreseen so far, article ids by path; the new ones are added
     */
    async foresee(
      articleId: string,
      addresses: readonly string[],
      promised: Map<string, string>,
    ): Promise<Added[]> {
      const entries = addresses.map((address) => ({ address, articleId }));
      const { outcomes, added } = await judge(db.read, entries, () => true, promised);
      for (const [path, id] of added) promised.set(path, id);
      return outcomes;
    },

    addAll: (entries: readonly FormerAddress[]): Promise<Added[]> => db.write((trx) => addAll(trx, entries)),

    /**
     * Gives an article, which `trx` may have made, further former addresses; what became of each, in their
     * order. Adding twice is adding once.
     */
    add: (trx: Trx, articleId: string, addresses: readonly string[]): Promise<Added[]> =>
      addAll(
        trx,
        addresses.map((address) => ({ address, articleId })),
      ),

    /** The id of the public article that stood at an address, or null: as if there had never been any. */
    async find(address: string): Promise<string | null> {
      const path = canonicalPath(address);
      return path === null ? null : queries.findArticleAt(db.read, path);
    },

    /** The articles, public or not, that stood at addresses, by address, without those where none did. */
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

    /** The former addresses of an article, as they can be added again. */
    listOf: async (articleId: string): Promise<string[]> =>
      (await queries.listPathsOf(db.read, articleId)).map(addressOf),

    /** All former addresses, of hidden articles too, a part at a time. */
    async *list(): AsyncGenerator<FormerAddress[]> {
      let after = '';
      for (;;) {
        const rows = await queries.listPathsAfter(db.read, after, AT_ONCE);
        yield rows.map(({ path, article_id }) => ({ address: addressOf(path), articleId: article_id }));
        const last = rows.at(-1);
        if (!last || rows.length < AT_ONCE) return;
        after = last.path;
      }
    },

    /** Forgets a former address; false where no article has it. */
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
