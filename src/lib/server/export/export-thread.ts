import { Worker } from 'node:worker_threads';
import { ExportError } from './format.ts';
import { HOUR_MS } from '../../shared/units.ts';

export interface ExportFailure {
  name: string;
  message: string;
  code: string | null;
}

export interface ExportDownload {
  /** The caller reads or cancels it; it fails if the export fails. */
  body: ReadableStream<Uint8Array>;
  stop(): Promise<void>;
}

/** Maximum duration of a download: enough for 5 GB. */
const DOWNLOAD_TIMEOUT_MS = 6 * HOUR_MS;

/**
 * Creates a zip in a worker thread, to keep the main thread responsive. Resolves once the first bytes exist.
 * @param job input of the thread (export-worker.ts), without the stream to write to
 * @param onEnd called once the thread has ended
 * @throws the thread's error if it fails before the first bytes
 */
export async function exportInThread(
  job: object,
  onEnd: () => void,
  script = new URL('../operations/export-worker.ts', import.meta.url),
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
    // Its last writes may still be in transit.
    setTimeout(() => failed.reject(new Error('the export thread ended')), 10_000).unref();
    onEnd();
  });
  const stop = async (): Promise<void> => void (await worker.terminate());
  const timer = setTimeout(() => void stop(), DOWNLOAD_TIMEOUT_MS).unref();
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
