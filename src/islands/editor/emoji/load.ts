import { loadInTime } from '../../ui/lazy.tsx';
import { bestFirst } from '../pickers/best-first.ts';
import type { Emoji } from './emojis.ts';

let loaded: readonly Emoji[] | null = null;
let loading: Promise<readonly Emoji[]> | null = null;

export const loadedEmojis = (): readonly Emoji[] | null => loaded;

/** Loads the emoji. Rejects if loading fails; the next call tries again. */
export function loadEmojis(): Promise<readonly Emoji[]> {
  loading ??= loadInTime(() => import('./emojis.ts')).then(
    ({ EMOJIS }) => (loaded = EMOJIS),
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

/** Returns the emoji whose name, keyword or shortcode matches, best match first. */
export const findEmojis = (all: readonly Emoji[], query: string): Emoji[] =>
  bestFirst(all, query.trim().toLowerCase(), ({ sign, name, words }) => [name, sign, ...words]);
