import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AstroHandler } from '../../src/lib/server/http/http.ts';

/** Serves the built constant page, which prints the file `BODY`, through the same adapter as the product. */
const { handler } = (await import(
  new URL(`./${process.env['DIST']}/server/entry.mjs`, import.meta.url).href
)) as { handler: AstroHandler };
const body = readFileSync(process.env['BODY'] ?? '', 'utf8');
createServer(
  (request, response) => void handler(request, response, () => response.writeHead(404).end(), { body }),
).listen(Number(process.env['PORT']), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
