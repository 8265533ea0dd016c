import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';

/**
 * A bare node:http server that writes one prepared buffer: the file `BODY`, with the headers of the JSON file
 * `HEADERS`.
 */
const body = readFileSync(process.env['BODY'] ?? '');
const headers = JSON.parse(readFileSync(process.env['HEADERS'] ?? '', 'utf8')) as Record<string, string>;
createServer((_request, response) => void response.writeHead(200, headers).end(body)).listen(
  Number(process.env['PORT']),
  process.env['HOST'],
);
process.on('SIGTERM', () => process.exit(0));
