import type { Trx } from '../../db/database.ts';
import { newId } from '../../shared/ids.ts';
import { findCommentAuthor, findSources, freeIds, insertSource } from './foreign-queries.ts';
import type { ForeignComment } from '../../comments/foreign-comments.ts';
import type { SiteImportParts, SiteRun } from './site-import-parts.ts';

/** A comment of another site; its author and its article exist here. */
export interface ImportedComment {
  key: string;
  id?: string | undefined;
  articleId: string;
  authorId: string;
  content: string;
  created: number;
  replyTo?: string | undefined;
  /** The user and the text it replies to, if there is no `replyTo`. */
  quoted?: { userId: string; content: string } | undefined;
  isRead: boolean;
  isHeld: boolean;
}

/** `orphaned`: its article no longer exists here. */
export type CommentOutcome = 'taken' | 'known' | 'orphaned';

const ID = /^[0-9a-f]{24}$/;

export function createSiteComments({ db, comments }: SiteImportParts, { prefix, isDryRun }: SiteRun) {
  const sourceOf = (key: string) => `${prefix}comment:${key}`;
  const imagined = new Set<string>();

  async function replyOf(
    trx: Trx,
    { articleId, replyTo, quoted }: ImportedComment,
    records: Map<string, string>,
  ): Promise<ForeignComment['reply']> {
    const commentId = replyTo === undefined ? undefined : records.get(replyTo);
    const userId = commentId === undefined ? null : await findCommentAuthor(trx, commentId);
    if (commentId !== undefined && userId !== null) return { userId, commentId };
    if (!quoted) return null;
    const asked = { articleId, authorId: quoted.userId, quote: quoted.content };
    return { userId: quoted.userId, commentId: await comments.findQuoted(trx, asked) };
  }

  const idsOf = async (keys: readonly string[], handle = db.read): Promise<Map<string, string>> => {
    const rows = await findSources(handle, keys.map(sourceOf));
    return new Map(
      [...rows].map(([source, { article_id }]) => [source.slice(sourceOf('').length), article_id]),
    );
  };

  return {
    async knownComments(keys: readonly string[]): Promise<Set<string>> {
      const known = new Set((await idsOf(keys)).keys());
      for (const key of keys) if (imagined.has(key)) known.add(key);
      return known;
    },

    /** Writes comments in order, all or none; returns the outcome of each. */
    async addComments(batch: readonly ImportedComment[]): Promise<CommentOutcome[]> {
      if (isDryRun) {
        for (const { key } of batch) imagined.add(key);
        return batch.map(() => 'taken');
      }
      return db.write(async (trx) => {
        const keys = batch.flatMap(({ key, replyTo }) => [key, ...(replyTo === undefined ? [] : [replyTo])]);
        const records = await idsOf([...new Set(keys)], trx);
        const wanted = batch.flatMap(({ id = '' }) => (ID.test(id) ? [id] : []));
        const free = await freeIds(trx, 'comments', wanted);
        const outcomes: CommentOutcome[] = [];
        for (const comment of batch) {
          const { key, id: given = '', authorId } = comment;
          if (records.has(key)) {
            outcomes.push('known');
            continue;
          }
          const id = free.delete(given) ? given : newId();
          const reply = await replyOf(trx, comment, records);
          const isTaken = await comments.import(trx, { ...comment, id, reply });
          outcomes.push(isTaken ? 'taken' : 'orphaned');
          if (!isTaken) continue;
          const row = { owner_id: authorId, source: sourceOf(key), article_id: id, digest: 'taken:' };
          await insertSource(trx, row);
          records.set(key, id);
        }
        return outcomes;
      });
    },
  };
}
