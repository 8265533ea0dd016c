import { Worker } from 'node:worker_threads';
import { ExportError } from './format.ts';

/** What the thread says when it cannot go on. */
export interface ExportFailure {
  name: string;
  message: string;
  /** The system's, such as ENOSPC. */
  code: string | null;
}

/** A download under way. */
export interface ExportDownload {
  /** Whoever asked reads or cancels it; it fails where the export does. */
  body: ReadableStream<Uint8Array>;
  /** Ends it at once. */
  stop(): Promise<void>;
}

/** Nobody takes longer for five gigabytes. */
const LONGEST_MS = 6 * 3_600_000;

/**
 * Makes a zip in a thread of its own, so that no reader waits for it. Resolves with its first bytes.
 * @param job what the thread is given (export-worker.ts), but for where it writes
 * @param onEnd called once nothing of it runs any more
 * @throws what the thread could not begin with
 */
export async function exportInThread(
  job: object,
  onEnd: () => void,
  script = new URL('../export-worker.ts', import.meta.url),
): Promise<ExportDownload> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const worker = new Worker(script, {
    workerData: { ...job, writable },
    transferList: [writable as never],
    resourceLimits: { maxYoungGenerationSizeMb: 32 },
    execArgv: [],
  });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  worker.once('error', failed.reject);
  worker.once('message', (failure: ExportFailure) => failed.reject(errorOf(failure)));
  worker.once('exit', () => {
    // What it has written last may still be on its way.
    setTimeout(() => failed.reject(new Error('the export thread ended')), 10_000).unref();
    onEnd();
  });
  const stop = async (): Promise<void> => void (await worker.terminate());
  const timer = setTimeout(() => void stop(), LONGEST_MS).unref();
  const reader = readable.getReader();
  const next = () => Promise.race([reader.read(), failed.promise]);
  const end = async (): Promise<void> => {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
    await stop();
  };
  let first: Awaited<ReturnType<typeof next>> | null = await next().catch(async (error: unknown) => {
    await end();
    throw error;
  });
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = first ?? (await next());
          first = null;
          if (!done) return controller.enqueue(value);
          controller.close();
          await end();
        } catch (error) {
          controller.error(error);
          await end();
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
  return { body, stop };
}

function errorOf({ name, message, code }: ExportFailure): Error {
  const error = new ExportError(message);
  error.name = name;
  return Object.assign(error, code === null ? {} : { code });
}
