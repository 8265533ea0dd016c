import { CHUNK_MS } from '../ui/lazy.tsx';
import type { PieceChange } from './preview-change.ts';
import type { PreviewReply, PreviewRequest } from './preview-worker.ts';

/** Shows a preview, or why there is none: no renderer (`late`), or `complex`, with the bound's `sentence`. */
export interface PreviewScreen {
  /** A new worker begins with the whole text: its first change takes the place of all that is shown. */
  restart(): void;
  change(change: PieceChange): void;
  /** All changes of a text have been shown: the line of each element at the top. */
  done(lines: readonly (number | null)[]): void;
  fail(problem: 'complex' | 'late' | 'failed', sentence?: string): void;
}

export type Previewer = ReturnType<typeof openPreviewer>;

// At first a text of 200,000 characters takes a second or two; the server allows it four.
const RENDER_MS = 10_000;

/** Renders texts in a worker, loaded with the first; of those that wait only the last counts. */
export function openPreviewer(screen: PreviewScreen) {
  let worker: Worker | undefined;
  let current: PreviewRequest | undefined;
  let waiting: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  function start(): Worker {
    screen.restart();
    const started = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<PreviewReply>) => hear(data));
    started.addEventListener('error', () => giveUp('late'));
    return started;
  }

  function next(): void {
    if (current || waiting === undefined) return;
    worker ??= start();
    current = { id: ++lastId, source: waiting };
    waiting = undefined;
    limit(CHUNK_MS, 'late');
    worker.postMessage(current);
  }

  function limit(ms: number, problem: 'complex' | 'late'): void {
    clearTimeout(timer);
    timer = setTimeout(() => giveUp(problem), ms);
  }

  function hear(reply: PreviewReply): void {
    if (reply.id !== current?.id) return;
    if (reply.type === 'late') return giveUp('late');
    if (reply.type === 'loading') return limit(CHUNK_MS, 'late');
    if (reply.type === 'started') return limit(RENDER_MS, 'complex');
    if (reply.type === 'changed') return screen.change(reply.change);
    clearTimeout(timer);
    current = undefined;
    if (reply.type === 'failed') console.error(reply.message);
    if (reply.type === 'done') screen.done(reply.lines);
    else if (reply.type === 'refused') screen.fail('complex', reply.sentence);
    else screen.fail('failed');
    next();
  }

  function giveUp(problem: 'complex' | 'late'): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    current = undefined;
    screen.fail(problem);
    // What waits is another text: it may be simpler.
    if (problem === 'complex') next();
  }

  return {
    render(source: string): void {
      waiting = source;
      next();
    },
    close(): void {
      clearTimeout(timer);
      worker?.terminate();
    },
  };
}
