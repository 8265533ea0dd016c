import { workerData } from 'node:worker_threads';
import { openReader } from '../../db/sqlite/sqlite.ts';
import { answerRequests } from '../../jobs/answer-requests.ts';
import { loadCutter } from '../text/cut.ts';
import type { SearchQuery } from '../search.ts';
import { createSqliteFinder } from './sqlite-finder.ts';

export interface SearchWorkerData {
  file: string;
}
export type SearchRequest = { search: SearchQuery } | { suggest: string };

const finder = createSqliteFinder(openReader((workerData as SearchWorkerData).file), loadCutter);

answerRequests(async (request: SearchRequest, { started }) => {
  started();
  return 'suggest' in request ? finder.suggest(request.suggest) : finder.find(request.search);
});
