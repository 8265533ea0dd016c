import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { articleIds, metric, rawAnswer } from './client.ts';
import { serveConstant } from './constant/build.ts';
import { LOADER, race, type Load, type Rival } from './load.ts';
import { hasNginx, serveFile } from './nginx.ts';
import { serve, serveProduct, stopAll, type Served } from './processes.ts';
import { seeded } from './seed.ts';
import type { Row } from './stats.ts';

const ROUNDS = 9;
const LOAD = { connections: 64, seconds: 2 };
const BARE = fileURLToPath(new URL('./bare/buffer.ts', import.meta.url));
/** Headers that node:http writes by itself. */
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive']);

/** What a client asks for, and the headers it asks with. */
const ENCODINGS: Record<string, Record<string, string>> = { identity: {}, br: { 'Accept-Encoding': 'br' } };

/**
 * Section `cache`: a cached article page against a bare node:http server that writes the same bytes, nginx with the same bytes as
 * a file, and Astro's memoryCache.
 */
export async function benchCache(data: string, corpus: string): Promise<Row[]> {
  const product = await serveProduct(await seeded('few', data, corpus));
  try {
    const page = `${product.url}/detail/${(await articleIds(product))[0]}`;
    const rows: Row[] = [];
    for (const encoding of Object.keys(ENCODINGS)) {
      rows.push(...(await compare(product, page, { encoding, folder: join(data, 'cache', encoding) })));
    }
    return rows;
  } finally {
    await stopAll([product]);
  }
}

async function compare(
  product: Served,
  page: string,
  { encoding, folder }: { encoding: string; folder: string },
): Promise<Row[]> {
  const asked = ENCODINGS[encoding] ?? {};
  const { headers, body } = await hitOf(product, page, encoding);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'page.html');
  writeFileSync(file, body);
  writeFileSync(join(folder, 'headers.json'), JSON.stringify(headers));
  const text = join(folder, 'text.html');
  writeFileSync(text, encoding === 'br' ? brotliDecompressSync(body) : body);
  const rivals: Rival[] = [];
  const servers: Served[] = [];
  const add = (server: Served, row: Omit<Rival, keyof Load>): void => {
    servers.push(server);
    rivals.push({ ...row, ...LOAD, url: server.url, headers: asked });
  };
  const what = (rival: string) => `cached article page, ${encoding} / ${rival}, requests per second`;
  const size = `${body.length} bytes, ${LOADER}`;
  try {
    const env = { BODY: file, HEADERS: join(folder, 'headers.json') };
    add(await serve(BARE, env, '/'), {
      what: what('bare node:http, same buffer'),
      goal: { atLeast: 0.75 },
      note: size,
    });
    if (hasNginx) {
      const extra = encoding === 'br' ? { 'Content-Encoding': 'br', Vary: 'Accept-Encoding' } : {};
      add(await serveFile(folder, 'page.html', extra), {
        what: what('nginx, same bytes as a file'),
        goal: { atLeast: 0.5 },
        note: size,
      });
    } else process.stderr.write('cache: no nginx on this system, its rows are left out\n');
    add(await serveConstant(text, { cached: true }), {
      what: what('Astro memoryCache'),
      goal: { atLeast: 5 },
      note: encoding === 'br' ? 'it does not compress; nothing in front that would' : '',
    });
    await expectHit(servers.at(-1));
    return await race({ url: page, ...LOAD, headers: asked }, rivals, ROUNDS);
  } finally {
    await stopAll(servers);
  }
}

/**
 * The page as the cache answers it, with the headers that another server has to repeat.
 * @throws when the cache has no part in the answer, or it is another text than the one rendered without it
 */
async function hitOf(product: Served, page: string, encoding: string) {
  const fresh = await (await fetch(page, { headers: { 'Cache-Control': 'no-cache' } })).text();
  await rawAnswer(page, ENCODINGS[encoding] ?? {});
  const counters = ['hits', 'renders'].map((name) => `moye_page_cache_${name}_total`);
  const count = () => Promise.all(counters.map((name) => metric(product, name)));
  const [hits = 0, renders = 0] = await count();
  const { status, headers, body } = await rawAnswer(page, ENCODINGS[encoding] ?? {});
  const [hitsAfter, rendersAfter] = await count();
  if (status !== 200 || hitsAfter !== hits + 1 || rendersAfter !== renders) {
    throw new Error(`${page} was no hit: ${status}, ${hits} → ${hitsAfter}, ${renders} → ${rendersAfter}`);
  }
  const text = (encoding === 'br' ? brotliDecompressSync(body) : body).toString();
  if ((headers['content-encoding'] ?? 'identity') !== encoding || text.length !== fresh.length) {
    throw new Error(`${page} answered ${headers['content-encoding']} and ${text.length} characters`);
  }
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
  return { headers: Object.fromEntries(kept), body };
}

async function expectHit(server: Served | undefined): Promise<void> {
  if (!server) return;
  const { headers } = await fetch(server.url);
  if (headers.get('x-astro-cache') !== 'HIT') throw new Error('memoryCache does not answer from memory');
}
