import type { FromHtml } from '../../../lib/markdown/from-html/from-html.ts';

/** What is asked: HTML of the clipboard. */
export interface PasteRequest {
  id: number;
  html: string;
}

/** What is answered; null is nothing but plain text, `failed` what cannot be read. */
export type PasteReply = { id: number } & ({ type: 'done'; result: FromHtml | null } | { type: 'failed' });

addEventListener('message', ({ data }: MessageEvent<PasteRequest>) => void answer(data));

async function answer({ id, html }: PasteRequest): Promise<void> {
  const reply = (message: PasteReply): void => postMessage(message);
  try {
    const { fromHtml } = await import('../../../lib/markdown/from-html/from-html.ts');
    reply({ id, type: 'done', result: await fromHtml(html) });
  } catch {
    // Too deep for the stack, or the code did not arrive: the plain text says the same.
    reply({ id, type: 'failed' });
  }
}
