import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { getRequestListener } from '@hono/node-server';

/** Serves the built constant page, which prints the file `BODY`, behind the same http listener the product uses. */
const { render } = (await import(
  new URL(`./${process.env['DIST']}/server/entry.mjs`, import.meta.url).href
)) as {
  render(request: Request, locals: { body: string }): Promise<Response>;
};
const body = readFileSync(process.env['BODY'] ?? '', 'utf8');
const listener = getRequestListener((request) => render(request, { body }), { overrideGlobalObjects: false });
createServer((request, response) => void listener(request, response)).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
);
process.on('SIGTERM', () => process.exit(0));
