import { WORD_BOUNDS, type ListedWord, type WordAction } from '../../contract/rules/moderation.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Database } from '../db/database.ts';
import type { Events } from '../db/events.ts';
import { cacheValue } from '../db/cached-value.ts';
import { newId } from '../shared/ids.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';
import type { Audit } from '../staff/audit.ts';
import { canonicalise } from './canonical.ts';
import { createWordFilter, type WordFilter } from './word-filter.ts';
import * as queries from './word-queries.ts';

export type WordService = ReturnType<typeof createWordService>;

/** Filter of listed words; '' means any. */
export interface AskedWords extends PageRequest {
  q: string;
  category: string;
  action: WordAction | '';
}

/** Batch size: SQLite allows 32,766 bound parameters per statement, and a row has six. */
const WORD_BATCH_SIZE = 2_000;

export function createWordService(parts: { db: Database; events: Events; audit: Audit; now: () => number }) {
  const { db, events, audit, now } = parts;
  const read = cacheValue(
    parts,
    ({ type }) => type === 'words-changed',
    async () => {
      const words = await queries.selectWords(db.read);
      let filter: WordFilter | undefined;
      return {
        words,
        /** Created on first use: 10,000 words take 150 ms. */
        get filter() {
          return (filter ??= createWordFilter(words));
        },
      };
    },
  );
  return {
    filter: async (): Promise<WordFilter> => (await read()).filter,

    async list({ q, category, action, ...request }: AskedWords) {
      const { words } = await read();
      const part = canonicalise(q).text;
      const asked = words.filter(
        (row) =>
          (q === '' || row.word.includes(q) || (part !== '' && row.form.includes(part))) &&
          (category === '' || row.category === category) &&
          (action === '' || row.action === action),
      );
      const { offset } = locatePage(request, asked.length);
      return {
        result: asked.slice(offset, offset + request.pageSize),
        total: asked.length,
        categories: [...new Set(words.map((row) => row.category))].filter((name) => name !== '').sort(),
      };
    },

    /**
     * Lists words with a category and an action, or changes listed ones. Returns how many are new. Refuses
     * with WORD_INVALID (only symbols), WORDS_TOO_MANY.
     */
    async add(
      texts: readonly string[],
      { category, action }: Pick<ListedWord, 'category' | 'action'>,
      actorId: string | null,
    ): Promise<number> {
      const byForm = new Map<string, string>();
      for (const word of texts) {
        const { text } = canonicalise(word);
        if (text === '') refuse('WORD_INVALID', { text: `「${word}」里没有文字，无法查找` });
        byForm.set(text, word);
      }
      const create_time = now();
      const rows = [...byForm].map(([form, word]) => ({
        id: newId(),
        word,
        form,
        category,
        action,
        create_time,
      }));
      return db.write(async (trx) => {
        const before = await queries.countWords(trx);
        for (let at = 0; at < rows.length; at += WORD_BATCH_SIZE)
          await queries.putWords(trx, rows.slice(at, at + WORD_BATCH_SIZE));
        const after = await queries.countWords(trx);
        if (after > WORD_BOUNDS.words) refuse('WORDS_TOO_MANY');
        await audit.write(trx, {
          actorId,
          action: 'words.add',
          subject: { kind: 'words', id: '' },
          before: {},
          after: { words: shown(rows), count: rows.length, category, action },
        });
        events.emit(trx, { type: 'words-changed' });
        return after - before;
      });
    },

    remove: (ids: readonly string[], actorId: string | null): Promise<number> =>
      db.write(async (trx) => {
        const deleted = await queries.deleteWords(trx, ids);
        if (deleted.length === 0) return 0;
        await audit.write(trx, {
          actorId,
          action: 'words.remove',
          subject: { kind: 'words', id: '' },
          before: { words: shown(deleted), count: deleted.length },
          after: {},
        });
        events.emit(trx, { type: 'words-changed' });
        return deleted.length;
      }),
  };
}

const MAX_SHOWN_WORDS = 20;

const shown = (rows: readonly { word: string }[]): string[] =>
  rows.slice(0, MAX_SHOWN_WORDS).map(({ word }) => word);
