import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Jieba } from '@node-rs/jieba';
import { NEW_WORDS } from './new-words.ts';

/** How often jieba is to take a new word for granted: like any that is in use. */
const FREQUENCY = 2_000;

let jieba: Promise<Jieba> | undefined;

/** The cutter of Chinese words with its dictionary, loaded once in a thread (200 ms, 40 MB). */
export const loadJieba = (): Promise<Jieba> => (jieba ??= load());

async function load(): Promise<Jieba> {
  const { Jieba: Cutter } = await import('@node-rs/jieba');
  const cutter = Cutter.withDict(await readDictionary('dict'));
  cutter.loadDict(Buffer.from(NEW_WORDS.map((word) => `${word} ${FREQUENCY} n`).join('\n')));
  return cutter;
}

/** A file of jieba's. Its own module reads both and holds their 11 MB for good. */
export const readDictionary = (name: 'dict' | 'idf'): Promise<Buffer> =>
  readFile(createRequire(import.meta.url).resolve(`@node-rs/jieba/${name}.txt`));
