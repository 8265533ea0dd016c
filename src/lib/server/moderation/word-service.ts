import { WORD_BOUNDS, type ListAction, type ListedWord } from '../../contract/rules/moderation.ts';
import { refuse } from '../../contract/rules/errors.ts';
import { cacheValue } from '../db/cached-value.ts';
import type { ListedWordsTable } from '../db/schema/moderation-schema.ts';
import { newId } from '../shared/ids.ts';
import { locatePage, type PageRequest } from '../shared/paging.ts';
import { canonicalise } from './canonical.ts';
import { createWordFilter, type WordFilter } from './word-filter.ts';
import { readWordFile, toWordFile, type FormedWord } from './word-file.ts';
import * as queries from './word-queries.ts';
import type { Core } from '../services.ts';

export type WordService = ReturnType<typeof createWordService>;

/** Filter of listed words; '' means any. */
interface WordSelection {
  q: string;
  category: string;
  action: ListAction | '';
}

type Entry = Pick<ListedWord<ListAction>, 'category' | 'action'>;

interface WordList {
  words: readonly ListedWordsTable[];
  readonly filter: WordFilter;
}

const MAX_LISTED_PROBLEMS = 100;
/** Batch size: SQLite allows 32,766 bound parameters per statement, and a row has six. */
const WORD_BATCH_SIZE = 2_000;

export function createWordService(parts: Core) {
  const { db, events, audit, now } = parts;
  let last: WordList | undefined;
  const read = cacheValue(
    parts,
    ({ type }) => type === 'words-changed',
    async () => {
      const words = await queries.selectWords(db.read);
      // While notices from other nodes are late, every call reads the words.
      if (!last || !isSameList(words, last.words)) last = createWordList(words);
      return last;
    },
  );

  async function select({ q, category, action }: WordSelection) {
    const { words } = await read();
    const part = canonicalise(q).text;
    return words.filter(
      (row) =>
        (q === '' || row.word.includes(q) || (part !== '' && row.form.includes(part))) &&
        (category === '' || row.category === category) &&
        (action === '' || row.action === action),
    );
  }

  /** Lists words, or changes listed ones. Returns how many are new. Refuses with WORDS_TOO_MANY. */
  const store = (
    words: readonly FormedWord[],
    shared: Partial<Entry>,
    actorId: string | null,
  ): Promise<number> => {
    const create_time = now();
    const rows = words.map((word) => ({ ...word, id: newId(), create_time }));
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
        after: { words: shown(rows), count: rows.length, ...shared },
      });
      events.emit(trx, { type: 'words-changed' });
      return after - before;
    });
  };

  return {
    filter: async (): Promise<WordFilter> => (await read()).filter,

    exceptions: async () => (await read()).words.filter(({ action }) => action === 'except'),

    async list({ page, pageSize, ...selection }: WordSelection & PageRequest) {
      const { words } = await read();
      const asked = (await select(selection)).filter(
        ({ action }) => selection.action !== '' || action !== 'except',
      );
      const request = { page, pageSize };
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
    async add(texts: readonly string[], { category, action }: Entry, actorId: string | null) {
      const byForm = new Map<string, FormedWord>();
      for (const word of texts) {
        const { text: form } = canonicalise(word);
        if (form === '') refuse('WORD_INVALID', { text: `「${word}」里没有文字，无法查找` });
        byForm.set(form, { word, form, category, action });
      }
      return store([...byForm.values()], { category, action }, actorId);
    },

    /** Lists the good lines of a file (word-file.ts) and returns the bad ones. Refuses as `store`. */
    async importFile(text: string, defaults: Entry, actorId: string | null) {
      const { words, problems } = readWordFile(text, defaults);
      if (words.length > WORD_BOUNDS.words) refuse('WORDS_TOO_MANY');
      const added = words.length === 0 ? 0 : await store(words, {}, actorId);
      return {
        added,
        changed: words.length - added,
        problems: problems.slice(0, MAX_LISTED_PROBLEMS),
        problem_num: problems.length,
      };
    },

    exportFile: async (selection: WordSelection): Promise<string> => toWordFile(await select(selection)),

    /** Listed words in a text with their places, in the order in which they are read. */
    async find(text: string): Promise<(ListedWord & { start: number; end: number })[]> {
      const found = (await read()).filter.find(text);
      return found
        .map(({ word: { word, category, action }, start, end }) => ({ word, category, action, start, end }))
        .sort((a, b) => a.start - b.start || a.end - b.end);
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

function createWordList(words: readonly ListedWordsTable[]): WordList {
  let filter: WordFilter | undefined;
  return {
    words,
    /** Created on first use: 50,000 words take up to 0.6 s. */
    get filter() {
      return (filter ??= createWordFilter(words));
    },
  };
}

/** Whether rows are the same: only their category and action can change. */
const isSameList = (one: readonly ListedWordsTable[], other: readonly ListedWordsTable[]): boolean =>
  one.length === other.length &&
  one.every(({ id, category, action }, index) => {
    const row = other[index];
    return id === row?.id && category === row.category && action === row.action;
  });

const MAX_SHOWN_WORDS = 20;

const shown = (rows: readonly { word: string }[]): string[] =>
  rows.slice(0, MAX_SHOWN_WORDS).map(({ word }) => word);
