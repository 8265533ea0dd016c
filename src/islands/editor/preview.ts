import type { Preview } from '../../lib/markdown/render.ts';
import { CHUNK_MS } from '../ui/lazy.tsx';
import type { PreviewReply, PreviewRequest } from './preview-worker.ts';

/** A preview, or why there is none: no renderer (`late`), or `complex`, with the bound's `sentence`. */
export type PreviewResult =
  { preview: Preview } | { problem: 'complex' | 'late' | 'failed'; sentence?: string | undefined };

export type Previewer = ReturnType<typeof openPreviewer>;

// A text of 200,000 characters takes a second or two; the server allows it four.
const RENDER_MS = 10_000;

/** Renders texts in a worker, loaded with the first; of those that wait only the last counts. */
export function openPreviewer(show: (result: PreviewResult) => void) {
  let worker: Worker | undefined;
  let current: PreviewRequest | undefined;
  let waiting: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;

  function start(): Worker {
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
    if (reply.type === 'started') return limit(RENDER_MS, 'complex');
    clearTimeout(timer);
    current = undefined;
    if (reply.type === 'failed') console.error(reply.message);
    if (reply.type === 'done') show({ preview: reply.preview });
    else if (reply.type === 'refused') show({ problem: 'complex', sentence: reply.sentence });
    else show({ problem: 'failed' });
    next();
  }

  function giveUp(problem: 'complex' | 'late'): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    current = undefined;
    show({ problem });
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

/** Shows sanitised `html` by changing only blocks that differ: pictures, open details and scrolling stay. */
export function patchBlocks(container: HTMLElement, html: string): void {
  const template = document.createElement('template');
  template.innerHTML = html;
  const [old, fresh] = [[...container.childNodes], [...template.content.childNodes]];
  const isSame = (a: ChildNode | undefined, b: ChildNode | undefined) =>
    a && b && sourceOf(a) === sourceOf(b);
  let head = 0;
  while (head < old.length && isSame(old[head], fresh[head])) head++;
  let tail = 0;
  while (tail < old.length - head && isSame(old.at(-1 - tail), fresh.at(-1 - tail))) tail++;
  const after = old[old.length - tail] ?? null;
  for (const node of old.slice(head, old.length - tail)) node.remove();
  for (const node of fresh.slice(head, fresh.length - tail)) {
    sources.set(node, sourceOf(node));
    container.insertBefore(node, after);
  }
}

// As rendered: the reader's opening of details must not count as a difference.
const sources = new WeakMap<ChildNode, string>();
const sourceOf = (node: ChildNode) =>
  sources.get(node) ?? (node instanceof Element ? node.outerHTML : (node.textContent ?? ''));
