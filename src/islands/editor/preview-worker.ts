import type { Preview } from '../../lib/markdown/render.ts';

/** What the preview asks: one text at a time. */
export interface PreviewRequest {
  id: number;
  source: string;
}

/** What it hears: `started` once all is loaded, then one of the others. `sentence` names the bound passed. */
export type PreviewReply = { id: number } & (
  | { type: 'started' }
  | { type: 'done'; preview: Preview }
  | { type: 'refused'; sentence: string | undefined }
  | { type: 'late' }
  | { type: 'failed'; message: string }
);

const reply = (message: PreviewReply): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => void answer(data));

async function answer({ id, source }: PreviewRequest): Promise<void> {
  const renderer = await import('../../lib/markdown/render.ts').catch(() => null);
  if (!renderer) return reply({ id, type: 'late' });
  try {
    await renderer.prepareMarkdown(source);
    reply({ id, type: 'started' });
    reply({ id, type: 'done', preview: await renderer.renderPreview(source) });
  } catch (error) {
    if (renderer.isTooComplex(error)) reply({ id, type: 'refused', sentence: renderer.sentenceOf(error) });
    else reply({ id, type: 'failed', message: String(error) });
  }
}
