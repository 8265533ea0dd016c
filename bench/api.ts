import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { articleIds, ask, WORDS } from './client.ts';
import { measureGrowth } from './growth.ts';
import { race } from './load.ts';
import { serve, serveProduct, stopAll, type Served } from './processes.ts';
import { seeded } from './seed.ts';
import type { Row } from './stats.ts';

const JSON_SERVER = fileURLToPath(new URL('./bare/json.ts', import.meta.url));
const ROUNDS = 5;
const LOAD = { connections: 16, seconds: 1 };
const REQUESTS = 600;

/**
 * The main read calls, each with a function that returns the fields of the `index`-th request; `ids` are the
 * articles of the database.
 */
const CALLS: Record<string, (index: number, ids: readonly string[]) => Record<string, string>> = {
  '/api/page/pagelist': (index) => ({ page: String(1 + (index % 20)) }),
  '/api/page/detail': (index, ids) => ({ id: ids[(index * 7) % ids.length] ?? '' }),
  '/api/comment/getpagecommentlist': (index, ids) => ({ page_id: ids[(index * 5 + 5) % ids.length] ?? '' }),
  '/api/tag/taglist': (index) => ({ page: String(1 + (index % 4)) }),
  '/api/tag/alltags': () => ({}),
  '/api/page/searchpage': (index) => ({ keywords: WORDS[index % WORDS.length] ?? '' }),
};

/**
 * Section `api`: the main read calls compared with a Hono route that returns the same JSON as a constant, and
 * with 100,000 articles compared with 1,000.
 */
export async function benchApi(data: string, corpus: string): Promise<Row[]> {
  const servers: Served[] = [];
  try {
    const few = await serveProduct(await seeded('few', data, corpus));
    servers.push(few);
    const rows = await againstConstants(few, join(data, 'api'));
    const many = await serveProduct(await seeded('many', data, corpus));
    servers.push(many);
    return [...rows, ...(await asDataGrows(few, many))];
  } finally {
    await stopAll(servers);
  }
}

async function againstConstants(product: Served, folder: string): Promise<Row[]> {
  const ids = await articleIds(product);
  const bodies = new Map<string, { fields: Record<string, string>; answer: unknown }>();
  for (const [path, fieldsOf] of Object.entries(CALLS)) {
    const fields = fieldsOf(0, ids);
    bodies.set(path, { fields, answer: { code: 'OK', data: await ask(product, path, fields) } });
  }
  mkdirSync(folder, { recursive: true });
  const answers = join(folder, 'answers.json');
  writeFileSync(
    answers,
    JSON.stringify(Object.fromEntries([...bodies].map(([path, { answer }]) => [path, answer]))),
  );
  const constant = await serve(JSON_SERVER, { ANSWERS: answers }, '/');
  const rows: Row[] = [];
  try {
    for (const [path, { fields, answer }] of bodies) {
      const body = new URLSearchParams(fields).toString();
      const rival = {
        ...LOAD,
        url: constant.url + path,
        body,
        what: `${path} / Hono route with the same JSON as a constant, requests per second`,
        goal: { atLeast: 0.3 },
        note: `${Buffer.byteLength(JSON.stringify(answer))} bytes`,
      };
      rows.push(...(await race({ ...LOAD, url: product.url + path, body }, [rival], ROUNDS)));
    }
  } finally {
    await constant.stop();
  }
  return rows;
}

async function asDataGrows(few: Served, many: Served): Promise<Row[]> {
  const ids = { few: await articleIds(few), many: await articleIds(many) };
  const rows: Row[] = [];
  for (const [path, fieldsOf] of Object.entries(CALLS)) {
    const asking = (server: Served, own: readonly string[]) => async (index: number) => {
      const started = performance.now();
      await ask(server, path, fieldsOf(index, own));
      return performance.now() - started;
    };
    const what = `${path}: % at 100,000 articles / at 1,000`;
    const growth = { what, few: asking(few, ids.few), many: asking(many, ids.many), goal: { atMost: 2 } };
    rows.push(...(await measureGrowth(growth, REQUESTS)));
  }
  return rows;
}
