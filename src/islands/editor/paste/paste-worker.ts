import type { FromHtml } from '../../../lib/markdown/from-html/from-html.ts';

export interface PasteRequest {
  id: number;
  html: string;
}

export interface PasteReply {
  id: number;
  /** Null for plain text; undefined if the HTML is nested too deeply, or the module failed to load. */
  result: FromHtml | null | undefined;
}

addEventListener('message', ({ data }: MessageEvent<PasteRequest>) => void answer(data));

async function answer({ id, html }: PasteRequest): Promise<void> {
  const loading = import('../../../lib/markdown/from-html/from-html.ts');
  const result = await loading.then(({ fromHtml }) => fromHtml(html)).catch(() => undefined);
  postMessage({ id, result } satisfies PasteReply);
}
