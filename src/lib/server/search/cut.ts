import type { Jieba } from '@node-rs/jieba';

let jieba: Promise<Jieba> | undefined;

/** Loads the Chinese dictionary (once, 200 ms); returns what cuts a text into words, and long ones' parts. */
export async function loadCutter(): Promise<(text: string) => string[]> {
  jieba ??= load();
  const loaded = await jieba;
  return (text) => loaded.cutForSearch(text, true);
}

async function load(): Promise<Jieba> {
  const [{ Jieba: Cutter }, { dict }] = await Promise.all([
    import('@node-rs/jieba'),
    import('@node-rs/jieba/dict.js'),
  ]);
  return Cutter.withDict(dict);
}
