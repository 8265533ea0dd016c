import { parseJson } from '../answer.ts';
import { readStored, store, type Place } from '../stored.ts';

/** Article versions saved by the windows of this browser. */
export type OwnSaves = ReturnType<typeof createOwnSaves>;

const NAME = 'moye-saves';
/** Maximum saves recorded for each article, and in total. */
const MAX_SAVES_PER_ARTICLE = 3;
const MAX_SAVES = 100;

/** Keeps the record at `place`. Without a working storage, no version is known. */
export function createOwnSaves(place: Place) {
  const read = (): string[] => {
    const saves = parseJson(readStored(place, NAME) ?? '');
    return Array.isArray(saves) ? saves.filter((save) => typeof save === 'string') : [];
  };
  return {
    add(id: string, time: string): void {
      const saves = read();
      const own = saves.filter((save) => save.startsWith(`${id} `)).slice(1 - MAX_SAVES_PER_ARTICLE);
      const others = saves.filter((save) => !save.startsWith(`${id} `));
      // If this fails, a question that is asked anyway does not name the window.
      store(place, NAME, JSON.stringify([...others, ...own, `${id} ${time}`].slice(-MAX_SAVES)));
    },
    has: (id: string, time: string): boolean => read().includes(`${id} ${time}`),
  };
}
