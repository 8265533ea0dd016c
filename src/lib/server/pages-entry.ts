import { createApp } from 'astro/app/entrypoint';

/** Built into dist/server/entry.mjs by the adapter in astro.config.mjs. Whole answers, since the server compresses and sizes them. */
const pages = createApp({ streaming: false });

/** Answers a request through src/fetch.ts. `clientAddress` is the address limits are counted by. */
export function render(request: Request, locals: App.Locals, clientAddress: string): Promise<Response> {
  return pages.render(request, { locals, clientAddress });
}
