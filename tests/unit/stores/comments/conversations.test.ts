import { expect, test } from 'vitest';
import type { Client } from '../../../../src/lib/client/client.ts';
import type { CommentOrder } from '../../../../src/lib/contract/rules/bounds.ts';
import type { Comment } from '../../../../src/lib/contract/entities.ts';
import { createThread, unseenIn, visibleComments } from '../../../../src/lib/stores/comments/comments.ts';

const at = (second: number) => new Date(second * 1000).toISOString();
const idOf = (number: number) => String(number).padStart(24, '0');
const comment = (number: number, to?: number) =>
  ({
    _id: idOf(number),
    create_time: at(number),
    ...(to === undefined ? {} : { reply_id: idOf(to) }),
  }) as Comment;

/** A server with conversations, each a list of comment numbers: its start and the answers to that. */
function openServer(...conversations: number[][]) {
  const server = { conversations };
  const call = ((_name: string, asked: { page: number; pageSize: number; sort?: CommentOrder }) => {
    const all = server.conversations.flatMap(([start = 0, ...answers]) => [
      comment(start),
      ...answers.map((answer) => comment(answer, start)),
    ]);
    const isConversation = asked.sort === 'conversation';
    const inOrder = isConversation ? all : all.toSorted((one, other) => Number(other._id) - Number(one._id));
    const positionOf = (index: number) => (isConversation ? index + 1 : all.length - index);
    const placed = inOrder.map((each, index) => ({ ...each, position: positionOf(index) }));
    const last = Math.max(1, Math.ceil(all.length / asked.pageSize));
    const offset = (Math.min(asked.page, last) - 1) * asked.pageSize;
    return Promise.resolve(placed.slice(offset, offset + asked.pageSize));
  }) as unknown as Client['call'];
  return { server, thread: createThread('article', call, 1, 'conversation') };
}

type Thread = ReturnType<typeof createThread>;
const shown = (thread: Thread) => visibleComments(thread.$thread.get()).map(({ _id }) => Number(_id));
const waiting = (thread: Thread) => unseenIn(thread.$thread.get()).map(({ _id }) => Number(_id));
async function readToEnd(thread: Thread): Promise<void> {
  while (thread.$thread.get().rest > 0) await thread.loadMore();
}

test('nothing moves while others write; on request each new comment is in its place', async () => {
  const { server, thread } = openServer([3, 4], [1, 2]);
  await thread.load();
  expect(shown(thread)).toEqual([3, 4, 1, 2]);
  server.conversations = [[7], [3, 4, 6], [1, 2, 5]];
  await thread.load();
  expect([shown(thread), waiting(thread)]).toEqual([
    [3, 4, 1, 2],
    [7, 6, 5],
  ]);
  thread.showLatest();
  expect([shown(thread), waiting(thread)]).toEqual([[7, 3, 4, 6, 1, 2, 5], []]);
});

test('an own comment is at the top at once, an own answer below what it answers', async () => {
  const { server, thread } = openServer([3, 4], [1, 2]);
  await thread.load();
  thread.add(comment(5, 1));
  thread.add(comment(6));
  thread.add(comment(7, 4));
  expect(shown(thread)).toEqual([6, 3, 4, 7, 1, 2, 5]);
  server.conversations = [[6], [3, 4, 7], [1, 2, 5]];
  await thread.load();
  expect(waiting(thread)).toEqual([]);
});

test('a long thread is read to its end, each comment once, while others write and delete', async () => {
  // 150 conversations of two comments: the start 2n - 1, the answer 2n.
  const pairs = Array.from({ length: 150 }, (_, index) => [299 - 2 * index, 300 - 2 * index]);
  const { server, thread } = openServer(...pairs);
  await thread.load();
  expect(thread.$thread.get().rest).toBe(260);
  server.conversations = [[301], ...pairs.toSpliced(5, 8)];
  await readToEnd(thread);
  // The deleted ones were read before.
  expect(shown(thread)).toEqual(pairs.flat());
  await thread.load();
  expect(waiting(thread)).toEqual([301]);
});

test('a comment that is only on a later page is not new', async () => {
  const pairs = Array.from({ length: 60 }, (_, index) => [60 - index]);
  const { thread } = openServer(...pairs.slice(0, -1), [1, 61]);
  await thread.load();
  await thread.load();
  expect([shown(thread).length, waiting(thread)]).toEqual([40, []]);
});

test('more new comments than a page are read anew', async () => {
  const { server, thread } = openServer([1]);
  await thread.load();
  server.conversations = Array.from({ length: 60 }, (_, index) => [60 - index]);
  await thread.load();
  thread.showLatest();
  await expect.poll(() => shown(thread)).toEqual(Array.from({ length: 40 }, (_, index) => 60 - index));
  await readToEnd(thread);
  expect(shown(thread)).toHaveLength(60);
});
