import { CHUNK_TIMEOUT_MS } from '../../ui/lazy.tsx';
import type { PieceChange } from './preview-change.ts';
import type { PreviewReply, PreviewRequest } from './preview-worker.ts';

/**
 * Shows a preview or an error: `late` if the renderer did not load, `complex` with the `sentence` of the
 * exceeded limit.
 */
export interface PreviewScreen {
  /** Called when a worker starts, whose first change replaces everything shown. */
  restart(): void;
  change(change: PieceChange): void;
  /** Called after all changes of a text, with the source line of each top-level element. */
  done(lines: readonly (number | null)[]): void;
  fail(problem: 'complex' | 'late' | 'failed', sentence?: string): void;
}

export type Previewer = ReturnType<typeof openPreviewer>;

// The first rendering of 200,000 characters takes one to two seconds. The server's limit is four.
const RENDER_TIMEOUT_MS = 10_000;

/**
 * Renders texts in a worker, which starts with the first text. Of several pending texts, only the latest is
 * rendered.
 */
export function openPreviewer(screen: PreviewScreen) {
  let worker: Worker | undefined;
  let current: PreviewRequest | undefined;
  let waiting: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  function start(): Worker {
    screen.restart();
    const started = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<PreviewReply>) => receive(data));
    started.addEventListener('error', () => giveUp('late'));
    return started;
  }

  function next(): void {
    if (current || waiting === undefined) return;
    worker ??= start();
    current = { id: ++lastId, source: waiting };
    waiting = undefined;
    limit(CHUNK_TIMEOUT_MS, 'late');
    worker.postMessage(current);
  }

  function limit(ms: number, problem: 'complex' | 'late'): void {
    clearTimeout(timer);
    timer = setTimeout(() => giveUp(problem), ms);
  }

  function receive(reply: PreviewReply): void {
    if (reply.id !== current?.id) return;
    if (reply.type === 'late') return giveUp('late');
    if (reply.type === 'loading') return limit(CHUNK_TIMEOUT_MS, 'late');
    if (reply.type === 'started') return limit(RENDER_TIMEOUT_MS, 'complex');
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
    // The pending text may be simpler.
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
