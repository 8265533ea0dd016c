import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import {
  isTooComplex,
  prepareMarkdown,
  type Rendered,
  renderMarkdown,
  sentenceOf,
} from '../../../markdown/render.ts';

export interface RenderRequest {
  source: string;
}

/**
 * `started` (with the processor time used) once loaded, then one of the others; `text` names an exceeded
 * limit.
 */
export type RenderReply =
  | { type: 'started'; cpuMs: number }
  | { type: 'done'; rendered: Rendered }
  | { type: 'refused'; text?: string }
  | { type: 'failed'; message: string };

// Readers must never wait for rendering. On Linux this sets the priority of the calling thread only, see
// setpriority(2); elsewhere it would affect the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const reply = (message: RenderReply): void => parentPort?.postMessage(message);

parentPort?.on('message', ({ source }: RenderRequest) => void answer(source));

async function answer(source: string): Promise<void> {
  try {
    await prepareMarkdown(source);
    const { user, system } = process.threadCpuUsage();
    reply({ type: 'started', cpuMs: (user + system) / 1_000 });
    reply({ type: 'done', rendered: await renderMarkdown(source) });
  } catch (error) {
    if (isTooComplex(error)) reply({ type: 'refused', ...textOf(error) });
    else reply({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

function textOf(error: unknown): { text?: string } {
  const text = sentenceOf(error);
  return text === undefined ? {} : { text };
}
