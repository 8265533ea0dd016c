import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

/**
 * Hono routes that return constants from the JSON file `ANSWERS` (path to value), behind the same HTTP
 * listener that the product uses.
 */
const answers = JSON.parse(readFileSync(process.env['ANSWERS'] ?? '', 'utf8')) as Record<string, object>;
const app = new Hono();
app.get('/', (context) => context.text('ok'));
for (const [path, value] of Object.entries(answers)) app.post(path, (context) => context.json(value));
const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
createServer((request, response) => void listener(request, response)).listen(
  Number(process.env['PORT']),
  process.env['HOST'],
);
process.on('SIGTERM', () => process.exit(0));
