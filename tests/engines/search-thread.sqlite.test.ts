import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/lib/contract/rules/errors.ts';
import { SearchThread } from '../../src/lib/server/search/sqlite/search-thread.ts';

const FILE = 'unused.db';

describe('the search thread', () => {
  const hanging = new URL(
    'data:text/javascript,import{parentPort}from"node:worker_threads";parentPort.on("message",(q)=>{if(q.search.keywords==="hang")for(;;);parentPort.postMessage({found:{hits:[],total:7,page:1}})});parentPort.postMessage("ready")',
  );
  const query = (keywords: string) => ({ search: { keywords, page: 1, pageSize: 10 } });
  let thread: SearchThread;
  afterEach(() => thread.close());

  test('aborts a search that takes too long, and continues with the next', async () => {
    thread = new SearchThread(FILE, { script: hanging, timeLimit: 300 });
    const [slow, next] = await Promise.allSettled([thread.run(query('hang')), thread.run(query('ok'))]);
    expect(slow.status === 'rejected' && isRefusal(slow.reason, 'UNAVAILABLE')).toBe(true);
    expect(next).toMatchObject({ status: 'fulfilled', value: { total: 7 } });
  });

  test('fails when a thread does not start', async () => {
    thread = new SearchThread(FILE, { script: new URL('data:text/javascript,for(;;);'), startLimit: 300 });
    await expect(thread.run(query('ok'))).rejects.toSatisfy((error) => isRefusal(error, 'UNAVAILABLE'));
  });

  test('refuses when the queue is full', async () => {
    thread = new SearchThread(FILE, { script: hanging, queueLimit: 2 });
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => thread.run(query('ok'))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  test('reports a failure once and continues', async () => {
    thread = new SearchThread(join(tmpdir(), 'moye-no-folder', 'none.db'));
    await expect(thread.run(query('线程'))).rejects.toThrow('unable to open database file');
    await expect(thread.run(query('线程'))).rejects.toThrow('unable to open database file');
  });

  test('refuses after it was closed', async () => {
    thread = new SearchThread(FILE);
    await thread.close();
    await expect(thread.run(query('线程'))).rejects.toSatisfy((error) => isRefusal(error, 'UNAVAILABLE'));
  });
});
