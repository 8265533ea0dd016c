import { parseJson } from './answer.ts';
import type { FastStore } from './journal-fast.ts';

/** Which versions of articles the windows of this browser have saved. */
export interface OwnSaves {
  /** Remembers a save; `time` is the version's. */
  add(id: string, time: string): void;
  /** Whether a window of this browser has saved that version, as far as is remembered. */
  has(id: string, time: string): boolean;
}

const NAME = 'moye-saves';
/** The last of each article, of so many articles. */
const EACH = 3;
const MOST = 100;

/** Own saves in `store`; where nothing can be kept, none is known. */
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
      const own = saves.filter((save) => save.startsWith(`${id} `)).slice(1 - EACH);
      const others = saves.filter((save) => !save.startsWith(`${id} `));
      try {
        store?.setItem(NAME, JSON.stringify([...others, ...own, `${id} ${time}`].slice(-MOST)));
      } catch {
        // It only names a window in a question that is asked in any case.
      }
    },
    has: (id, time) => read().includes(`${id} ${time}`),
  };
}
