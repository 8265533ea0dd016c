/** Returns the body as text. @throws if it exceeds `maxBytes` or breaks off */
export async function readText({ body }: Request | Response, maxBytes: number): Promise<string> {
  if (!body) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let bytes = 0;
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new Error(`more than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
