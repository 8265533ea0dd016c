import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { articleUrl, feedUrl, tagUrl, userUrl, type FeedFormat } from '../src/lib/shared/urls.ts';
import { articleIds, ask, distinctPhrases, signIn } from './client.ts';
import { CODE_SAMPLES } from './code-samples.ts';
import type { Served } from './processes.ts';
import { author } from './seed.ts';

/** Seconds between two requests of a kind; in total about five requests per second. */
const PAUSES_S = { page: 0.3, feed: 4, search: 3, suggest: 5, save: 4, comment: 6, upload: 15, preview: 20 };
type Kind = keyof typeof PAUSES_S;

const WRITERS = 4;
const PHOTOS = 4;
const LANGUAGES_PER_SAVE = 3;
const FORMATS: readonly FeedFormat[] = ['rss', 'atom', 'json'];

/**
 * Requests by kind, and the refused requests of all kinds; a machine without a free core causes some
 * refusals.
 */
export type Usage = Record<Kind | 'refused', number>;

/** Uses a site the way its readers and authors do, at a steady pace for `ms`. */
export async function simulateUse(server: Served, ms: number): Promise<Usage> {
  const kinds = await prepare(server);
  const done = Object.fromEntries([...Object.keys(PAUSES_S), 'refused'].map((kind) => [kind, 0])) as Usage;
  const ends = performance.now() + ms;
  await Promise.all(
    (Object.keys(PAUSES_S) as Kind[]).map(async (kind) => {
      while (performance.now() < ends) {
        await kinds[kind](done[kind]).catch((error: Error) => {
          process.stderr.write(`${error.message}\n`);
          done.refused++;
        });
        done[kind]++;
        await delay(PAUSES_S[kind] * 1000);
      }
    }),
  );
  return done;
}

async function prepare(server: Served): Promise<Record<Kind, (index: number) => Promise<unknown>>> {
  const ids = await articleIds(server);
  const phrases = await distinctPhrases(server, 1_000);
  const photos = await Promise.all(Array.from({ length: PHOTOS }, (_, index) => photo(index)));
  const writers = await Promise.all(
    Array.from({ length: WRITERS }, (_, index) => openWriter(server, author(index))),
  );
  const writer = (index: number) => writers[index % WRITERS] as Writer;
  const page = pagesOf(ids);
  return {
    page: (index) => read(server.url + page(index)),
    feed: (index) =>
      read(server.url + feedUrl({ kind: 'tag', name: `标签${index % 40}` }, FORMATS[index % 3] ?? 'rss')),
    search: (index) =>
      ask(server, '/api/page/searchpage', { keywords: at(phrases, index), page: '1', pageSize: '10' }),
    suggest: (index) => ask(server, '/api/page/suggest', { q: at(phrases, index * 7).slice(0, 2) }),
    save: (index) => save(server, writer(index), index),
    comment: (index) => {
      const content = `${at(phrases, index)}，说得好。`;
      const fields = { page_id: at(ids, index * 3), content };
      return ask(server, '/api/comment/create', fields, writer(index).token);
    },
    upload: (index) => upload(server, writer(index), at(photos, index)),
    preview: (index) => read(`${server.url}/og/${at(ids, index * 5)}.png`),
  };
}

const at = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

/** Returns pages in the order readers open them: mostly articles, many of them once. */
function pagesOf(ids: readonly string[]): (index: number) => string {
  const others = [
    (index: number) => `/home?page=${1 + (index % 60)}`,
    (index: number) => tagUrl(`标签${index % 40}`),
    (index: number) => userUrl(author(index % 20).username),
  ];
  return (index) => (index % 3 === 2 ? at(others, index)(index) : articleUrl(at(ids, index * 7)));
}

interface Writer {
  token: string;
  article: string;
}

async function openWriter(
  server: Served,
  { username, password }: ReturnType<typeof author>,
): Promise<Writer> {
  const token = await signIn(server, username, password);
  const fields = { ...ARTICLE, content: '一段正文。' };
  const { id } = await ask<{ id: string }>(server, '/api/page/new', fields, token);
  return { token, article: id };
}

const ARTICLE = { title: '二十种语言', status: 'normal', secret: 'false', 'tags[0]': '标签1' };

/** Replaces the content of an author's article with code in the next languages. */
function save(server: Served, { token, article }: Writer, index: number): Promise<unknown> {
  const languages = Object.entries(CODE_SAMPLES);
  const blocks = Array.from({ length: LANGUAGES_PER_SAVE }, (_, offset) =>
    at(languages, index * LANGUAGES_PER_SAVE + offset),
  ).map(([language, code]) => `## ${language}\n\n${TEXT}\n\n\`\`\`${language}\n${code}\n\`\`\``);
  const content = `第 ${index} 稿。\n\n${blocks.join('\n\n')}`;
  return ask(server, '/api/page/edit', { id: article, ...ARTICLE, content }, token);
}

const TEXT = '落霞与孤鹜齐飞，秋水共长天一色。渔舟唱晚，响穷彭蠡之滨；雁阵惊寒，声断衡阳之浦。'.repeat(8);

/** A phone photo of 12 megapixels. */
function photo(index: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 12 + index } as const;
  const create = { width: 4000, height: 3000, channels: 3, background: 'black', noise } as const;
  return sharp({ create }).jpeg({ quality: 85 }).toBuffer();
}

async function upload({ url }: Served, { token }: Writer, bytes: Buffer): Promise<void> {
  const body = new FormData();
  body.set('file', new Blob([Uint8Array.from(bytes)]), 'photo.jpg');
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api/file/uploadImage`, { method: 'POST', headers, body });
  const { code, data } = (await answer.json()) as { code: string; data: { url: string } };
  if (code !== 'OK') throw new Error(`a picture was answered ${answer.status}: ${JSON.stringify(data)}`);
  await read(url + data.url);
}

/** Reads a whole response with compression, as a browser requests it. */
async function read(url: string): Promise<void> {
  const sent = request(url, { headers: { 'Accept-Encoding': 'br, gzip' } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  for await (const _ of answer);
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}`);
}
