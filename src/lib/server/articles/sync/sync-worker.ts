import { createNames } from '../../../dialects/obsidian/names.ts';
import { Problem } from '../../../markdown-file/problem.ts';
import { isTooComplex } from '../../../markdown/limits.ts';
import { answerRequests, lowerPriority } from '../../jobs/answer-requests.ts';
import { readSyncedFile, type ReadFile } from './read-synced-file.ts';

export interface SyncRequest {
  bytes: Uint8Array;
  path: string;
  isVault: boolean;
  /** Paths of the author's files that links by name may mean. */
  articles: readonly string[];
  pictures: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
}

/** `problem`: a Chinese sentence; null for a text that is too complex. */
export type SyncReply = { file: ReadFile } | { problem: string | null };

lowerPriority();

answerRequests(({ bytes, path, articles, pictures, ...options }: SyncRequest, { started }): SyncReply => {
  started();
  try {
    const names = { articles: createNames(articles), pictures: createNames(pictures) };
    return { file: readSyncedFile(bytes, path, { ...options, names }) };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message };
    if (isTooComplex(error)) return { problem: null };
    throw error;
  }
});
