addEventListener('message', ({ data }: MessageEvent<string>) => void answer(data));

/** Replies to each text with its word count, or with null if the module failed to load. */
async function answer(source: string): Promise<void> {
  const loading = import('../../../lib/markdown/count-words.ts');
  postMessage(await loading.then(({ countMarkdown }) => countMarkdown(source)).catch(() => null));
}
