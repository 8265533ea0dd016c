import { setTimeout as delay } from 'node:timers/promises';
import { articleIds, ask, signIn, timed } from './client.ts';
import { race, type Load } from './load.ts';
import type { Served } from './processes.ts';
import { author } from './seed.ts';
import { figureOf, quantile, type Row } from './stats.ts';

const SECONDS = 3;
const CONNECTIONS = [8, 64];
const SAVERS = 8;
const CALLS = 400;
const PAUSE_MS = 5;

/** A comment of the first author as a load on the path that `commentLoad` returns. */
export async function commentLoad(server: Served): Promise<Omit<Load, 'url' | 'connections' | 'seconds'>> {
  const [id = ''] = await articleIds(server);
  const { username, password } = author(0);
  const token = await signIn(server, username, password);
  const body = new URLSearchParams({ page_id: id, content: '字'.repeat(60) }).toString();
  return { headers: { Authorization: `Bearer ${token}` }, body };
}
export const COMMENT_PATH = '/api/comment/create';

/** Comments per second through `together`, compared with `alone`, which commits each write separately. */
export async function commentsTogether(together: Served, alone: Served, rounds: number): Promise<Row[]> {
  const comment = await commentLoad(together);
  const rows: Row[] = [];
  for (const connections of CONNECTIONS) {
    const load = { ...comment, connections, seconds: SECONDS };
    const rival = {
      ...load,
      url: alone.url + COMMENT_PATH,
      what: `comments acknowledged per second, ${connections} connections, committed together / one by one`,
      goal: { atLeast: 3 },
      note: 'WRITES_PER_COMMIT 32 / 1; two nodes are running',
    };
    rows.push(...(await race({ ...load, url: together.url + COMMENT_PATH }, [rival], rounds)));
  }
  return rows;
}

/** Response times of a call that marks a comment as read, and of one that only reads, while others save. */
export async function marksWhileSaving(server: Served): Promise<Row[]> {
  const [id = ''] = await articleIds(server);
  const { username, password } = author(1);
  const token = await signIn(server, username, password);
  const headers = { Authorization: `Bearer ${token}` };
  const call = (path: string, fields: Record<string, string>) =>
    timed(server.url + path, { method: 'POST', headers, body: new URLSearchParams(fields) });
  const { _id } = await ask<{ _id: string }>(server, COMMENT_PATH, { page_id: id, content: '一条' }, token);
  let isOver = false;
  const savers = Array.from({ length: SAVERS }, (_, index) => saveUntil(server, index, () => isOver));
  const times = { mark: [] as number[], read: [] as number[] };
  for (let index = 0; index < CALLS; index++) {
    times.mark.push(await call('/api/comment/updatecommentstatus', { 'ids[0]': _id }));
    times.read.push(await call('/api/comment/getpagecommentlist', { page_id: id }));
    await delay(PAUSE_MS);
  }
  isOver = true;
  await Promise.all(savers);
  const [mark, read] = [quantile(times.mark, 0.99), quantile(times.read, 0.99)];
  const note = `${SAVERS} clients save articles; ${CALLS} calls of each kind in turn`;
  return [
    {
      what: 'p99 while others save: marking a comment as read / reading a list of comments',
      ratio: mark / read,
      spread: [mark / read, mark / read],
      goal: { atMost: 2 },
      note,
    },
    {
      what: 'marking a comment as read while others save, p99',
      ...figureOf(times.mark),
      ratio: mark,
      unit: 'ms',
      note,
    },
    {
      what: 'reading a list of comments while others save, p99',
      ...figureOf(times.read),
      ratio: read,
      unit: 'ms',
      note,
    },
  ];
}

async function saveUntil(server: Served, index: number, isOver: () => boolean): Promise<void> {
  const { username, password } = author(index);
  const token = await signIn(server, username, password);
  const fields = { status: 'normal', secret: 'false', 'tags[0]': '标签1' };
  const saved = { ...fields, title: '一', content: '正文' };
  const { id } = await ask<{ id: string }>(server, '/api/page/new', saved, token);
  for (let count = 0; !isOver(); count++) {
    const content = `第 ${count} 次。${'一段比较长的正文，要切词、索引和渲染。'.repeat(60)}`;
    await ask(server, '/api/page/edit', { ...fields, id, title: `第 ${count} 次`, content }, token);
  }
}
