import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { NEW_WORDS } from './new-words.ts';
import { readWordTable, type WordTable } from './word-table.ts';

/** How often jieba is to take a new word for granted: like any that is in use. */
const FREQUENCY = 2_000;

let words: Promise<WordTable> | undefined;

/** The words of jieba's dictionary and the new ones, read once in a thread (100 ms, 7 MB). */
export const loadWords = (): Promise<WordTable> => (words ??= readWords());

async function readWords(): Promise<WordTable> {
  const added = NEW_WORDS.map((word) => `${word} ${FREQUENCY} n\n`).join('');
  return readWordTable(Buffer.concat([await readDictionary('dict'), Buffer.from(added)]));
}

/** A file of jieba's. Its own module reads both and holds their 11 MB for good. */
export const readDictionary = (name: 'dict' | 'idf'): Promise<Buffer> =>
  readFile(createRequire(import.meta.url).resolve(`@node-rs/jieba/${name}.txt`));
