import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
/** Headers that node:http adds by itself. */
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive']);

const ENCODINGS: Record<string, Record<string, string>> = { identity: {}, br: { 'Accept-Encoding': 'br' } };

/**
 * Section `cache`: a cached article page compared with a bare node:http server that writes the same bytes,
 * with nginx that serves the same bytes as a file, and with Astro's memoryCache.
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
  const files = keepFiles(folder, await hitOf(product, page, encoding), encoding);
  const servers: { server: Served; row: Omit<Rival, keyof Load> }[] = [];
  const what = (rival: string) => `cached article page, ${encoding} / ${rival}, requests per second`;
  const note = `${files.bytes} bytes, ${LOADER}`;
  try {
    const bare = await serve(BARE, { BODY: files.body, HEADERS: files.headers }, '/');
    const same = { what: what('bare node:http, same buffer and headers'), goal: { atLeast: 0.9 }, note };
    servers.push({ server: bare, row: same });
    if (hasNginx) {
      const added = encoding === 'br' ? { 'Content-Encoding': 'br', Vary: 'Accept-Encoding' } : {};
      const row = { what: what('nginx, same bytes as a file'), goal: { atLeast: 0.5 }, note };
      servers.push({ server: await serveFile(folder, basename(files.body), added), row });
    } else process.stderr.write('cache: no nginx on this system, its rows are left out\n');
    const astro = await serveConstant(files.text, { cached: true });
    const plain = encoding === 'br' ? { note: 'it does not compress, and no proxy does it instead' } : {};
    servers.push({ server: astro, row: { what: what('Astro memoryCache'), goal: { atLeast: 5 }, ...plain } });
    await expectHit(astro);
    const rivals = servers.map(({ server, row }) => ({ ...row, ...LOAD, url: server.url, headers: asked }));
    return await race({ url: page, ...LOAD, headers: asked }, rivals, ROUNDS);
  } finally {
    await stopAll(servers.map(({ server }) => server));
  }
}

/**
 * Writes the files that the rivals serve: the encoded body, its headers, and the text that Astro prints.
 * Returns the file names.
 */
function keepFiles(folder: string, { headers, body }: Awaited<ReturnType<typeof hitOf>>, encoding: string) {
  mkdirSync(folder, { recursive: true });
  const inFolder = (name: string) => join(folder, name);
  const files = {
    body: inFolder('page.html'),
    headers: inFolder('headers.json'),
    text: inFolder('text.html'),
  };
  writeFileSync(files.body, body);
  writeFileSync(files.headers, JSON.stringify(headers));
  writeFileSync(files.text, encoding === 'br' ? brotliDecompressSync(body) : body);
  return { ...files, bytes: body.length };
}

/**
 * Returns the page as the cache serves it, with the headers that another server must repeat.
 * @throws when the response was not a cache hit, or when its text differs from an earlier response
 */
async function hitOf(product: Served, page: string, encoding: string) {
  const first = await (await fetch(page)).text();
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
  if ((headers['content-encoding'] ?? 'identity') !== encoding || text !== first) {
    throw new Error(`${page} answered ${headers['content-encoding']} and ${text.length} characters`);
  }
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
  return { headers: Object.fromEntries(kept), body };
}

async function expectHit(server: Served): Promise<void> {
  const { headers } = await fetch(server.url);
  if (headers.get('x-astro-cache') !== 'HIT') throw new Error('memoryCache does not answer from memory');
}
