import { loadInTime } from '../../ui/lazy.tsx';
import { bestFirst } from '../pickers/best-first.ts';
import type { Emoji } from './emojis.ts';

let loaded: readonly Emoji[] | null = null;
let loading: Promise<readonly Emoji[]> | null = null;

/** The emoji, once they have been loaded. */
export const loadedEmojis = (): readonly Emoji[] | null => loaded;

/** Loads the emoji; asked again after a failure it tries again. Rejects where they do not arrive. */
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

/** Those with a name, keyword or shortcode that fits what was typed, the best first. */
export const findEmojis = (all: readonly Emoji[], query: string): Emoji[] =>
  bestFirst(all, query.trim().toLowerCase(), ({ sign, name, words }) => [name, sign, ...words]);
