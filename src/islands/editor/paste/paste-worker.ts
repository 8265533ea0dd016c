import type { FromHtml } from '../../../lib/markdown/from-html/from-html.ts';

export interface PasteRequest {
  id: number;
  html: string;
}

/** Reply of the worker. `result` is null for plain text; `failed` means that the HTML cannot be parsed. */
export type PasteReply = { id: number } & ({ type: 'done'; result: FromHtml | null } | { type: 'failed' });

addEventListener('message', ({ data }: MessageEvent<PasteRequest>) => void answer(data));

async function answer({ id, html }: PasteRequest): Promise<void> {
  const reply = (message: PasteReply): void => postMessage(message);
  try {
    const { fromHtml } = await import('../../../lib/markdown/from-html/from-html.ts');
    reply({ id, type: 'done', result: await fromHtml(html) });
  } catch {
    // The HTML is nested too deeply, or the module failed to load. The caller falls back to the plain text.
    reply({ id, type: 'failed' });
  }
}
