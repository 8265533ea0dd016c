import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import type { CallName } from '../src/lib/contract/calls.ts';
import { floodOf } from './public-calls.ts';

/**
 * Runs one attack of section `fair` from one account and one address until it is ended: `node attacks.ts
 * <name> <Target as JSON>`. Asks as hard as the limits let it: after a 429 or 503 a connection waits as it is
 * told to, for at most a second, so that its next request comes as soon as a limit allows one. Prints the
 * number of answers by status when it is told to stop.
 */
export interface Target {
  url: string;
  token: string;
  /** An article with thousands of long comments. */
  commented: string;
  /** Articles whose pages can be asked for. */
  articles: string[];
  /** Where the attacker asks from; 127.0.0.1 unless given. */
  from?: string;
}

/** One request of an attack: resolves to the answer's status and what it says of trying again, in seconds. */
type Ask = () => Promise<{ status: number; retryAfter: number }>;

const LONGEST_WAIT_S = 1;
const answers: Record<string, number> = {};
const count = (what: string): void => void (answers[what] = (answers[what] ?? 0) + 1);

function asker({ url, token, from }: Target, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ...(from && { localAddress: from }) });
  return async (method: 'GET' | 'POST', path: string, body?: string | Buffer, type?: string) => {
    const headers = {
      ...(method === 'POST' ? { Authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': type ?? 'application/x-www-form-urlencoded' }),
    };
    const sent = request(url + path, { method, headers, agent }).end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    for await (const _ of answer);
    return { status: answer.statusCode ?? 0, retryAfter: Number(answer.headers['retry-after'] ?? 0) };
  };
}

async function repeat(connections: number, ask: Ask): Promise<void> {
  const one = async (): Promise<never> => {
    for (;;) {
      const { status, retryAfter } = await ask().catch(() => ({ status: 0, retryAfter: 0.05 }));
      count(String(status));
      if (retryAfter > 0) await delay(Math.min(retryAfter, LONGEST_WAIT_S) * 1000);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
}

const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const article = (content: string, status: 'normal' | 'draft') =>
  form({ title: '一篇文章', content, status, secret: 'false', 'tags[0]': '标签1' });

/** A picture of 7 MB whose pixels are noise, as slow to read and write as its size can make it. */
async function noise(): Promise<Buffer> {
  const [width, height] = [1600, 1500];
  const noisy = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const create = { width, height, channels: 3, background: 'black', noise: noisy } as const;
  return sharp({ create }).png().toBuffer();
}

function multipart(bytes: Buffer): { body: Buffer; type: string } {
  const edge = 'part-of-an-upload';
  const head = `--${edge}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${edge}` };
}

const attacks: Record<string, (target: Target) => Promise<unknown>> = {
  /** The comments of one article, again and again. */
  comments: (target) => {
    const ask = asker(target, 20);
    const body = form({ page_id: target.commented });
    return repeat(20, () => ask('POST', '/api/comment/getpagecommentlist', body));
  },

  /**
   * Answers that nobody reads: each connection asks for many at once and never takes one; ever more
   * connections are opened.
   */
  unread: async (target) => {
    const { hostname, port } = new URL(target.url);
    const body = form({ page_id: target.commented });
    const post = `POST /api/comment/getpagecommentlist HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const page = `GET /detail/${target.commented} HTTP/1.1\r\nHost: a\r\n\r\n`;
    for (;;) {
      for (let opened = 0; opened < 60; opened++) {
        const socket = connect({ host: hostname, port: Number(port) }).pause();
        socket.on('error', () => count('ended'));
        socket.write((post + page).repeat(100));
      }
      count('60 connections');
      await delay(2_000);
    }
  },

  /** Articles that take long to render, each another one. */
  renders: (target) => {
    const ask = asker(target, 30);
    let number = 0;
    return repeat(30, () =>
      ask('POST', '/api/page/new', article(`${'- x\n'.repeat(49_000)}${number++}`, 'normal')),
    );
  },

  /** Articles whose pages are as large as they may be, and pages that are not kept. */
  pages: async (target) => {
    const ask = asker(target, 40);
    let number = 0;
    const path = () => {
      const at = number++;
      const id = target.articles[at % target.articles.length];
      return at % 2 === 0 ? `/detail/${id}/true` : `/home/${encodeURIComponent(`缓存 ${at}`)}`;
    };
    await Promise.all([
      repeat(2, () => ask('POST', '/api/page/new', article('# a\n'.repeat(50_000), 'normal'))),
      repeat(38, () => ask('GET', path())),
    ]);
  },

  /** Bodies of 4 MB that are nothing but short values. */
  bodies: (target) => {
    const ask = asker(target, 12);
    const body = JSON.stringify({ more: Array(2_000_000).fill(0) });
    return repeat(12, () => ask('POST', '/api/page/new', body, 'application/json'));
  },

  /** Uploads of large pictures. */
  uploads: async (target) => {
    const ask = asker(target, 12);
    const { body, type } = multipart(await noise());
    await repeat(12, () => ask('POST', '/api/file/uploadImage', body, type));
  },

  /** Comments, tags and the list of all tags. */
  writes: async (target) => {
    const ask = asker(target, 20);
    let number = 0;
    const comment = () => form({ page_id: target.commented, content: `${'字'.repeat(1_990)}${number++}` });
    await Promise.all([
      repeat(6, () => ask('POST', '/api/comment/create', comment())),
      repeat(6, () => ask('POST', '/api/tag/create', form({ name: `新标签${number++}` }))),
      repeat(8, () => ask('POST', '/api/tag/alltags', '')),
    ]);
  },
};

export const ATTACKS = Object.keys(attacks);

/** How many connections an address may have, and so how many calls at once. */
const FLOOD_CONNECTIONS = 250;

/** One public call, each time with other fields, every fourth as JSON with as many values as it may have. */
async function flood(name: CallName, target: Target): Promise<void> {
  const { call, fields } = floodOf(name);
  const ask = asker({ ...target, token: '' }, FLOOD_CONNECTIONS);
  const articles = [target.commented, ...target.articles];
  let number = 0;
  await repeat(FLOOD_CONNECTIONS, () => {
    const index = number++;
    const sent = fields(index, articles);
    if (call.method === 'GET') return ask('GET', `${call.path}?${form(sent)}`);
    if (index % 4 > 0) return ask('POST', call.path, form(sent));
    const body = JSON.stringify({ ...sent, more: Array(9_000).fill(0) });
    return ask('POST', call.path, body, 'application/json');
  });
}

if (import.meta.main) {
  const [name = '', target = ''] = process.argv.slice(2);
  process.on('SIGTERM', () => {
    process.stdout.write(JSON.stringify(answers));
    process.exit();
  });
  const aim = JSON.parse(target) as Target;
  await (name in attacks ? attacks[name]?.(aim) : flood(name as CallName, aim));
}
