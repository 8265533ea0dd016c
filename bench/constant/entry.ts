import { createApp } from 'astro/app/entrypoint';

const pages = createApp({ streaming: false });

export const render = (request: Request, locals: { body: string }): Promise<Response> =>
  pages.render(request, { locals });
