import { startThread } from '../jobs/thread.ts';
import { HOUR_MS } from '../../contract/rules/units.ts';

export type ExportDownload = Awaited<ReturnType<typeof exportInThread>>;

const SCRIPT = new URL('../operations/export-worker.ts', import.meta.url);
/** Maximum duration of a download: enough for 5 GB. */
const DOWNLOAD_TIMEOUT_MS = 6 * HOUR_MS;

/**
 * Creates a zip in a worker thread, to keep the main thread responsive. Resolves once the first bytes exist.
 * @returns `body`, which the caller reads or cancels; it fails if the export fails
 * @param job input of the thread (export-worker.ts), without the stream to write to
 * @param onEnd called once the thread has ended
 * @throws the thread's error if it fails before the first bytes
 */
export async function exportInThread(job: object, onEnd: () => void) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const thread = startThread<object, void>(SCRIPT, { resourceLimits: { maxYoungGenerationSizeMb: 32 } });
  thread.worker.once('exit', onEnd);
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  thread.request({ ...job, writable }, { transferList: [writable as never] }).catch(failed.reject);
  const stop = (): Promise<void> => thread.stop();
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
