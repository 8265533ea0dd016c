import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { NEW_WORDS } from './new-words.ts';
import { readWordTable, type WordTable } from './word-table.ts';

const FREQUENCY = 2_000;

let words: Promise<WordTable> | undefined;

/** Loads the words of jieba's dictionary and NEW_WORDS, once per thread (100 ms, 7 MB). */
export const loadWords = (): Promise<WordTable> => (words ??= readWords());

async function readWords(): Promise<WordTable> {
  const added = NEW_WORDS.map((word) => `${word} ${FREQUENCY} n\n`).join('');
  return readWordTable(Buffer.concat([await readDictionary('dict'), Buffer.from(added)]));
}

/** Files of jieba that are read here: its own module would read both and keep their 11 MB in memory. */
export const DICTIONARY_FILES = { dict: '@node-rs/jieba/dict.txt', idf: '@node-rs/jieba/idf.txt' };

const { resolve } = createRequire(import.meta.url);

export const readDictionary = (name: keyof typeof DICTIONARY_FILES): Promise<Buffer> =>
  readFile(resolve(DICTIONARY_FILES[name]));
