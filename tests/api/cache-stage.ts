import { request } from 'node:http';
import { openServer, type Person, type TestServer } from './server.ts';

/** A response as sent over the wire. */
interface Sent {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** A server with two accounts and an article, and functions that inspect its page cache. */
export interface CacheStage {
  server: TestServer;
  author: Person;
  reader: Person;
  detail: string;
  /** Whether the page at a path (not percent-encoded) is cached. */
  isCached(path: string): boolean;
  /** The cached page at such a path: another object after each render. */
  pageAt(path: string): object | undefined;
  numbers(): { renders: number; entries: number; bytes: number; evictions: number };
  clear(): void;
  /** Sends a request unchanged; `fetch` would add headers and decode the response. */
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Sent>;
}

/** Cookies that the browser of a signed-in person sends. */
export const cookie = ({ token }: Person) => ({ cookie: `user=x; token=${token}; refreshToken=x` });

/** Opens a server to test its page cache over HTTP; the caller closes `server`. */
export async function openCacheStage(environment: Record<string, string> = {}): Promise<CacheStage> {
  const server = await openServer(environment);
  const cache = server.app.pageCache;
  if (!cache) throw new Error('the cache is off');
  const author = await server.join('林间');
  const reader = await server.join('读者');
  const content = '空山新雨后，天气晚来秋。\n'.repeat(40);
  return {
    server,
    author,
    reader,
    detail: `/detail/${await server.write(author, { title: '山居秋暝', content })}`,
    isCached: (path) => cache.has(encodeURI(path)),
    pageAt: (path) => cache.getStale(encodeURI(path)),
    numbers: cache.numbers,
    clear: () => cache.invalidate(['site']),
    ask: (path, headers = {}, method = 'GET') => ask(server.url, path, headers, method),
  };
}

function ask(url: string, path: string, headers: Record<string, string>, method: string): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url), { path, headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject).end();
  });
}
