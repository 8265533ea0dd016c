import { parentPort } from 'node:worker_threads';
import { isTooComplex, prepareMarkdown, type Rendered, renderMarkdown } from '../../markdown/render.ts';

/** What the renderer sends: one article at a time. */
export interface RenderRequest {
  source: string;
}

/** What it hears: `started` once everything is loaded, then one of the others. */
export type RenderReply =
  | { type: 'started' }
  | { type: 'done'; rendered: Rendered }
  | { type: 'refused' }
  | { type: 'failed'; message: string };

const reply = (message: RenderReply): void => parentPort?.postMessage(message);

parentPort?.on('message', async ({ source }: RenderRequest) => {
  try {
    await prepareMarkdown(source);
    reply({ type: 'started' });
    reply({ type: 'done', rendered: await renderMarkdown(source) });
  } catch (error) {
    if (isTooComplex(error)) reply({ type: 'refused' });
    else reply({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
});
