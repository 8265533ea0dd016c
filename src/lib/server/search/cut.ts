import type { Jieba } from '@node-rs/jieba';

let jieba: Promise<Jieba> | undefined;

/** Loads the Chinese dictionary (once, 200 ms); returns what cuts a text into words, and long ones' parts. */
export async function loadCutter(): Promise<(text: string) => string[]> {
  const loaded = await loadJieba();
  return (text) => loaded.cutForSearch(text, true);
}

/** The cutter of Chinese words with its dictionary, loaded once in a thread (200 ms). */
export const loadJieba = (): Promise<Jieba> => (jieba ??= load());

async function load(): Promise<Jieba> {
  const [{ Jieba: Cutter }, { dict }] = await Promise.all([
    import('@node-rs/jieba'),
    import('@node-rs/jieba/dict.js'),
  ]);
  return Cutter.withDict(dict);
}
