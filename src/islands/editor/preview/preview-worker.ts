import { changeOf, firstOf, type PieceChange } from './preview-change.ts';

/** Request to render a text. Requests must not overlap. */
export interface PreviewRequest {
  id: number;
  source: string;
}

/**
 * Replies of the worker. For the start of a long text and then for the whole: `loading`, `started` once the
 * modules it needs have loaded, and `changed` for each slice of differences. The last reply is one of the
 * other types. `sentence` explains the exceeded limit.
 */
export type PreviewReply = { id: number } & (
  | { type: 'loading' }
  | { type: 'started' }
  | { type: 'changed'; change: PieceChange }
  | { type: 'done'; lines: readonly (number | null)[] }
  | { type: 'refused'; sentence: string | undefined }
  | { type: 'late' }
  | { type: 'failed'; message: string }
);

type Renderer = typeof import('../../../lib/markdown/parts/live.ts');

let render: ReturnType<Renderer['createLiveRenderer']> | undefined;
let shown: readonly string[] = [];

const reply = (message: PreviewReply): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => void answer(data));

async function answer({ id, source }: PreviewRequest): Promise<void> {
  const renderer = await import('../../../lib/markdown/parts/live.ts').catch(() => null);
  if (!renderer) return reply({ id, type: 'late' });
  render ??= renderer.createLiveRenderer();
  try {
    const first = shown.length === 0 ? firstOf(source) : null;
    let lines: readonly (number | null)[] = [];
    for (const text of first === null ? [source] : [first, source]) {
      reply({ id, type: 'loading' });
      await renderer.prepareMarkdown(text);
      reply({ id, type: 'started' });
      lines = await show(id, text);
    }
    reply({ id, type: 'done', lines });
  } catch (error) {
    if (renderer.isTooComplex(error)) reply({ id, type: 'refused', sentence: renderer.sentenceOf(error) });
    else reply({ id, type: 'failed', message: String(error) });
  }
}

async function show(id: number, source: string): Promise<readonly (number | null)[]> {
  if (!render) return [];
  const { pieces: all, lines } = await render(source);
  // Includes the line breaks between pieces, like a published page.
  const pieces = all.map((html, index) => (index < all.length - 1 ? `${html}\n` : html));
  for (const change of changeOf(shown, pieces)) reply({ id, type: 'changed', change });
  shown = pieces;
  return lines;
}
