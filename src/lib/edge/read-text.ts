/** Yields the chunks of a body. @throws if it exceeds `maxBytes`, and cancels it, or if it breaks off */
async function* chunksOf({ body }: Request | Response, maxBytes: number) {
  if (!body) return;
  const reader = body.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new Error(`more than ${maxBytes} bytes`);
    }
    yield value;
  }
}

/** Returns the body as text. @throws if it exceeds `maxBytes` or breaks off */
export async function readText(source: Request | Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunksOf(source, maxBytes)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Returns the body as bytes. @throws if it exceeds `maxBytes` or breaks off */
export async function readBytes(source: Request | Response, maxBytes: number): Promise<ArrayBuffer> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunksOf(source, maxBytes)) chunks.push(chunk);
  return new Blob(chunks).arrayBuffer();
}
