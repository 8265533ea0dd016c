import { parseJson } from '../answer.ts';
import type { FastStore } from './journal-fast.ts';

/** Article versions saved by the windows of this browser. */
export interface OwnSaves {
  add(id: string, time: string): void;
  has(id: string, time: string): boolean;
}

const NAME = 'moye-saves';
/** Maximum saves recorded for each article, and in total. */
const MAX_SAVES_PER_ARTICLE = 3;
const MAX_SAVES = 100;

/** Keeps the record in `store`. Without a working store, no version is known. */
export function createOwnSaves(store: FastStore | null): OwnSaves {
  const read = (): string[] => {
    try {
      const saves = parseJson(store?.getItem(NAME) ?? '');
      return Array.isArray(saves) ? saves.filter((save) => typeof save === 'string') : [];
    } catch {
      return [];
    }
  };
  return {
    add(id, time) {
      const saves = read();
      const own = saves.filter((save) => save.startsWith(`${id} `)).slice(1 - MAX_SAVES_PER_ARTICLE);
      const others = saves.filter((save) => !save.startsWith(`${id} `));
      try {
        store?.setItem(NAME, JSON.stringify([...others, ...own, `${id} ${time}`].slice(-MAX_SAVES)));
      } catch {
        // The record only names a window in a question that is asked anyway.
      }
    },
    has: (id, time) => read().includes(`${id} ${time}`),
  };
}
