import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/lib/contract/rules/errors.ts';
import { createSearchThread } from '../../src/lib/server/search/sqlite/search-thread.ts';

const FILE = 'unused.db';

describe('the search thread', () => {
  const hanging = new URL(
    'data:text/javascript,import{parentPort}from"node:worker_threads";parentPort.on("message",(q)=>{parentPort.postMessage({started:0});if(q.search.keywords==="hang")for(;;);parentPort.postMessage({value:{hits:[],total:7,page:1}})})',
  );
  const query = (keywords: string) => ({ keywords, page: 1, pageSize: 10 });
  let thread: ReturnType<typeof createSearchThread>;
  afterEach(() => thread.close());

  test('aborts a search that takes too long, and continues with the next', async () => {
    thread = createSearchThread(FILE, { script: hanging, answerMs: 300 });
    const [slow, next] = await Promise.allSettled([thread.search(query('hang')), thread.search(query('ok'))]);
    expect(slow.status === 'rejected' && isRefusal(slow.reason, 'UNAVAILABLE')).toBe(true);
    expect(next).toMatchObject({ status: 'fulfilled', value: { total: 7 } });
  });

  test('fails when a thread does not start', async () => {
    thread = createSearchThread(FILE, { script: new URL('data:text/javascript,for(;;);'), startMs: 300 });
    await expect(thread.search(query('ok'))).rejects.toSatisfy((error) => isRefusal(error, 'UNAVAILABLE'));
  });

  test('refuses when the queue is full', async () => {
    thread = createSearchThread(FILE, { script: hanging, waiting: 2 });
    const results = await Promise.allSettled([1, 2, 3, 4].map(() => thread.search(query('ok'))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  test('reports a failure once and continues', async () => {
    thread = createSearchThread(join(tmpdir(), 'moye-no-folder', 'none.db'));
    await expect(thread.search(query('线程'))).rejects.toThrow('unable to open database file');
    await expect(thread.search(query('线程'))).rejects.toThrow('unable to open database file');
  });

  test('refuses after it was closed', async () => {
    thread = createSearchThread(FILE);
    await thread.close();
    await expect(thread.search(query('线程'))).rejects.toSatisfy((error) => isRefusal(error, 'UNAVAILABLE'));
  });
});
