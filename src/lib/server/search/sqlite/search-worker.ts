import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '../../db/sqlite/sqlite.ts';
import { loadCutter } from '../text/cut.ts';
import type { SearchPage, SearchQuery, Suggestions } from '../search.ts';
import { createSqliteFinder } from './sqlite-finder.ts';

/** Messages of the worker: `ready` first, then an answer to each request in order. */
export interface SearchWorkerData {
  file: string;
}
export type SearchRequest = { search: SearchQuery } | { suggest: string };
export type SearchAnswer = { found: SearchPage | Suggestions } | { error: string };
export type SearchWorkerMessage = 'ready' | SearchAnswer;

const finder = createSqliteFinder(openReader((workerData as SearchWorkerData).file), loadCutter);

parentPort?.on('message', (request: SearchRequest) => {
  void answer(request).then(post);
});
post('ready');

function post(message: SearchWorkerMessage): void {
  parentPort?.postMessage(message);
}

async function answer(request: SearchRequest): Promise<SearchAnswer> {
  try {
    if ('suggest' in request) return { found: await finder.suggest(request.suggest) };
    return { found: await finder.find(request.search) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
