import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../db/sqlite.ts';
import { loadCutter } from './cut.ts';
import type { SearchPage, SearchQuery } from './search.ts';
import { createSqliteFinder } from './sqlite-finder.ts';

/** What the worker is given, and says: that it is ready, then an answer for each question in order. */
export interface SearchWorkerData {
  file: string;
}
export type SearchAnswer = { page: SearchPage } | { error: string };
export type SearchWorkerMessage = 'ready' | SearchAnswer;

const finder = createSqliteFinder(openReader((workerData as SearchWorkerData).file), loadCutter);

parentPort?.on('message', (query: SearchQuery) => {
  void answer(query).then(say);
});
say('ready');

function say(message: SearchWorkerMessage): void {
  parentPort?.postMessage(message);
}

async function answer(query: SearchQuery): Promise<SearchAnswer> {
  try {
    return { page: await finder.find(query) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
