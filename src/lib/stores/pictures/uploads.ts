import { atom } from 'nanostores';
import { isCallError } from '../../client/call-error.ts';
import { isRefusedWith } from '../../client/is-refused-with.ts';
import { pictureProblem } from '../../client/picture.ts';
import { upload } from '../api.ts';
import { pictureLane } from './picture-lane.ts';

export interface Upload {
  id: number;
  name: string;
  /** Share sent, 0 to 1; at 1 the server is still processing it. */
  share: number;
  problem: string | null;
  mayRetry: boolean;
}

interface Job {
  file: File;
  done(url: string | null): void;
  abort: AbortController;
  /** Whether the server may already have it. */
  isSending: boolean;
}

export const $uploads = atom<readonly Upload[]>([]);
const jobs = new Map<number, Job>();
let lastId = 0;

/**
 * Sends a picture after checking its size and kind. Returns the upload's id.
 * @param done receives its URL, or null if it was cancelled or refused for good; never called synchronously
 */
export function startUpload(file: File, done: (url: string | null) => void): number {
  const id = ++lastId;
  jobs.set(id, { file, done, abort: new AbortController(), isSending: false });
  $uploads.set([...$uploads.get(), { id, name: file.name, share: 0, problem: null, mayRetry: false }]);
  queueMicrotask(() => enter(id));
  return id;
}

export function retryUpload(id: number): void {
  if (!$uploads.get().some((entry) => entry.id === id && entry.problem !== null)) return;
  enter(id);
}

export function cancelUpload(id: number): void {
  const job = jobs.get(id);
  forget(id);
  job?.abort.abort();
  job?.done(null);
}

export function cancelUploads(ids: readonly number[]): void {
  for (const id of ids) cancelUpload(id);
}

function enter(id: number): void {
  const job = jobs.get(id);
  if (!job) return;
  const problem = pictureProblem(job.file);
  change(id, { share: 0, problem, mayRetry: false });
  if (problem === null) void send(id);
  else giveUp(id);
}

async function send(id: number): Promise<void> {
  const job = jobs.get(id);
  if (!job) return;
  const abort = (job.abort = new AbortController());
  try {
    const { url } = await pictureLane.run(async () => {
      const progress = (share: number) => change(id, { share });
      job.isSending = true;
      try {
        // The picture's row shows refusals; a toast would repeat them.
        return await upload(job.file, { signal: abort.signal, progress, quiet: true });
      } catch (error) {
        // Before the lane begins with the next one.
        if (FOR_ALL.some((code) => isRefusedWith(error, code))) holdOthers(messageOf(error));
        throw error;
      } finally {
        job.isSending = false;
      }
    }, abort.signal);
    if (!jobs.has(id)) return;
    forget(id);
    job.done(url);
  } catch (error) {
    if (abort.signal.aborted) return;
    const isForGood = isCallError(error, 'refused') && error.status < 500 && error.status !== 429;
    change(id, { problem: messageOf(error), mayRetry: !isForGood });
    if (isForGood) giveUp(id);
  }
}

/** Ends an upload that cannot succeed: its row tells why, and nothing of it is left in the text. */
function giveUp(id: number): void {
  const job = jobs.get(id);
  jobs.delete(id);
  job?.done(null);
}

const messageOf = (error: unknown): string => (isCallError(error) ? error.message : '没有传上去，请再试一次');

const FOR_ALL = ['QUOTA_REACHED', 'ACCOUNT_FULL', 'STORAGE_FULL'] as const;

/** Stops the uploads that have not begun. */
function holdOthers(problem: string): void {
  for (const entry of $uploads.get()) {
    const job = jobs.get(entry.id);
    if (entry.problem !== null || job?.isSending) continue;
    job?.abort.abort();
    change(entry.id, { share: 0, problem, mayRetry: true });
  }
}

function change(id: number, changed: Partial<Upload>): void {
  $uploads.set($uploads.get().map((entry) => (entry.id === id ? { ...entry, ...changed } : entry)));
}

function forget(id: number): void {
  jobs.delete(id);
  $uploads.set($uploads.get().filter((entry) => entry.id !== id));
}
