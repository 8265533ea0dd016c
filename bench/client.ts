import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Served } from './processes.ts';

/**
 * Calls the API with a form, as its clients do.
 * @throws the server's message when the call is refused
 */
export async function ask<T>(
  server: Served,
  path: string,
  fields: Record<string, string> = {},
  token?: string,
): Promise<T> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    body: new URLSearchParams(fields),
  });
  const { code, data } = (await response.json()) as { code: string; data: T };
  if (code !== 'OK') throw new Error(`${path} answered ${response.status}: ${String(data)}`);
  return data;
}

export async function signIn(server: Served, username: string, password: string): Promise<string> {
  return (await ask<{ token: string }>(server, '/api/signin', { username, password })).token;
}

/** Returns the milliseconds until the response is complete; throws unless the status is 200. */
export async function timed(url: string, init?: RequestInit): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - started;
}

/** Returns a response as sent over the wire; `fetch` would decompress the body. */
export async function rawAnswer(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; headers: IncomingMessage['headers']; body: Buffer }> {
  const [message] = (await once(get(url, { headers, agent: false }), 'response')) as [IncomingMessage];
  const body = Buffer.concat((await message.toArray()) as Buffer[]);
  return { status: message.statusCode, headers: message.headers, body };
}

export async function metric(server: Served, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const value = new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+]+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`/metrics says nothing of ${name}`);
  return Number(value);
}

type ArticleItem = { _id: string; content: string; title: string; tags: string[] };

/** Articles of pages 1, 3, 5, 7 and 9 of the newest, 100 per page. */
async function someArticles(server: Served): Promise<ArticleItem[]> {
  const pages = await Promise.all(
    ['1', '3', '5', '7', '9'].map(
      async (page) =>
        (await ask<{ result: ArticleItem[] }>(server, '/api/page/pagelist', { page, pageSize: '100' }))
          .result,
    ),
  );
  return pages.flat();
}

/** Ids of 500 articles; the first is the sample article, whose page is measured. */
export const articleIds = async (server: Served): Promise<string[]> =>
  (await someArticles(server)).map(({ _id }) => _id);

/** Returns `count` different phrases of 2 to 5 characters from the articles' text. */
export async function distinctPhrases(server: Served, count: number): Promise<string[]> {
  const articles = await someArticles(server);
  const runs = articles.flatMap((article) => article.content.match(/\p{Script=Han}{5,}/gu) ?? []);
  const phrases = new Set(runs.map((run, index) => run.slice(0, 2 + (index % 4))));
  return [...phrases].slice(0, count);
}

/** Search queries: common and rare words, Chinese and Latin, one and several. */
export const WORDS = [
  '线程',
  '锁',
  'JVM 内存',
  'hashmap',
  '数据库事务',
  'C++',
  '缓存',
  '微服务 网关',
  'ashma',
  '面试',
];
