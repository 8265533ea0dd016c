import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallName } from '../src/lib/contract/calls/calls.ts';
import { multipart, noisePicture } from './heavy-pictures.ts';
import { floodOf } from './public-calls.ts';

/**
 * Runs one attack of section `fair` from one account and one address until it is stopped:
 * `node attacks.ts <name> <Target as JSON>`. Sends as many requests as the limits allow: after a 429 or 503 a
 * connection waits for Retry-After, at most a second, so its next request arrives as soon as a limit allows
 * one. On SIGTERM it prints the number of responses by status.
 */
export interface Target {
  url: string;
  token: string;
  /** Token that renews the sign-in. */
  refresh: string;
  /** Name and an access token of the same account. */
  username: string;
  program: string;
  /** An article with thousands of long comments. */
  commented: string;
  articles: string[];
  /** Local address of the attacker; 127.0.0.1 by default. */
  from?: string;
}

/** One request of an attack; resolves to the response's status and its Retry-After in seconds. */
type Ask = () => Promise<{ status: number; retryAfter: number }>;

const MAX_WAIT_S = 1;
const answers: Record<string, number> = {};
const count = (what: string): void => void (answers[what] = (answers[what] ?? 0) + 1);

function asker({ url, token, from }: Target, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ...(from && { localAddress: from }) });
  return async (method: 'GET' | 'POST' | 'PUT', path: string, body?: string | Buffer, type?: string) => {
    const headers = {
      ...(method !== 'GET' && token !== '' ? { Authorization: `Bearer ${token}` } : {}),
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
      if (retryAfter > 0) await delay(Math.min(retryAfter, MAX_WAIT_S) * 1000);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
}

const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();
const article = (content: string, status: 'normal' | 'draft') =>
  form({ title: '一篇文章', content, status, secret: 'false', 'tags[0]': '标签1' });

const attacks: Record<string, (target: Target) => Promise<unknown>> = {
  comments: (target) => {
    const ask = asker(target, 20);
    const body = form({ page_id: target.commented });
    return repeat(20, () => ask('POST', '/api/comment/getpagecommentlist', body));
  },

  /**
   * Slow readers: each connection sends many requests and never reads a response; more and more connections
   * are opened.
   */
  'slow-readers': async (target) => {
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

  /** Creates articles that take long to render, each with different content. */
  renders: (target) => {
    const ask = asker(target, 30);
    let number = 0;
    return repeat(30, () =>
      ask('POST', '/api/page/new', article(`${'- x\n'.repeat(49_000)}${number++}`, 'normal')),
    );
  },

  /** Creates articles whose pages have the maximum size, and requests pages that are not in the cache. */
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

  /** Sends bodies of 4 MB that consist of short values only. */
  bodies: (target) => {
    const ask = asker(target, 12);
    const body = JSON.stringify({ more: Array(2_000_000).fill(0) });
    return repeat(12, () => ask('POST', '/api/page/new', body, 'application/json'));
  },

  uploads: async (target) => {
    const ask = asker(target, 12);
    const { body, type } = multipart(await noisePicture());
    await repeat(12, () => ask('POST', '/api/file/uploadImage', body, type));
  },

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

/** Limit of connections per address, which also limits its concurrent calls. */
const FLOOD_CONNECTIONS = 250;

/**
 * Floods one public call with different fields in each request; every fourth is JSON with the maximum number
 * of values.
 */
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
