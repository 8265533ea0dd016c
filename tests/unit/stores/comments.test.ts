import { describe, expect, test } from 'vitest';
import { CallError } from '../../../src/lib/client/call-error.ts';
import type { Client } from '../../../src/lib/client/client.ts';
import type { Comment } from '../../../src/lib/contract/entities.ts';
import { createThread, unseenIn, visibleComments } from '../../../src/lib/stores/comments.ts';
import { $toasts } from '../../../src/lib/stores/toasts.ts';

const comment = (number: number) => ({ _id: String(number), content: `第 ${number} 条` }) as Comment;

/** A server with these comments, newest first, that fails with `broken` while there is one. */
function openServer(...numbers: number[]) {
  const server = { comments: numbers.map(comment), broken: null as CallError | null };
  const call = ((name: string, { id }: { id?: string }) => {
    if (server.broken) return Promise.reject(server.broken);
    if (name === 'commentDelete') server.comments = server.comments.filter(({ _id }) => _id !== id);
    return Promise.resolve([...server.comments]);
  }) as unknown as Client['call'];
  return { server, thread: createThread('article', call) };
}

type Thread = ReturnType<typeof createThread>;
const shown = (thread: Thread) => visibleComments(thread.$thread.get()).map(({ _id }) => Number(_id));
const waiting = (thread: Thread) => unseenIn(thread.$thread.get()).map(({ _id }) => Number(_id));
const unreachable = new CallError('unreachable', '网络不通，请检查网络后再试');

describe('a thread', () => {
  test('shows what the server has', async () => {
    const { thread } = openServer(2, 1);
    expect(thread.$thread.get().comments).toBeNull();
    await thread.load();
    expect(shown(thread)).toEqual([2, 1]);
  });

  test('that could not be loaded says so until it can', async () => {
    const { server, thread } = openServer(1);
    server.broken = unreachable;
    await thread.load();
    expect(thread.$thread.get()).toMatchObject({ comments: null, hasFailed: true });
    server.broken = null;
    await thread.load();
    expect(thread.$thread.get().hasFailed).toBe(false);
    expect(shown(thread)).toEqual([1]);
  });

  test('does not move what is read when others have written: it waits until asked for', async () => {
    const { server, thread } = openServer(2, 1);
    await thread.load();
    server.comments = [comment(4), comment(3), comment(2)];
    await thread.load();
    expect([shown(thread), waiting(thread)]).toEqual([
      [2, 1],
      [4, 3],
    ]);
    thread.showLatest();
    expect([shown(thread), waiting(thread)]).toEqual([[4, 3, 2], []]);
  });

  test('shows a comment just written on top, once, whatever the server lists later', async () => {
    const { server, thread } = openServer(2, 1);
    await thread.load();
    thread.add(comment(3));
    thread.add(comment(3));
    expect(shown(thread)).toEqual([3, 2, 1]);
    server.comments = [comment(4), comment(3), comment(2), comment(1)];
    await thread.load();
    expect(waiting(thread)).toEqual([4]);
    thread.showLatest();
    expect(shown(thread)).toEqual([4, 3, 2, 1]);
  });

  test('keeps a comment that was written before the list arrived', async () => {
    const { thread } = openServer(1);
    const loading = thread.load();
    thread.add(comment(2));
    await loading;
    expect(shown(thread)).toEqual([2, 1]);
  });
});

describe('deleting', () => {
  test('takes a comment away at once and for good', async () => {
    const { thread } = openServer(2, 1);
    await thread.load();
    const going = thread.remove(comment(2));
    expect(shown(thread)).toEqual([1]);
    expect(await going).toBe(true);
    await thread.load();
    expect(shown(thread)).toEqual([1]);
  });

  test('that fails brings the comment back to its place, with a message that offers to try again', async () => {
    const { server, thread } = openServer(3, 2, 1);
    await thread.load();
    server.broken = unreachable;
    expect(await thread.remove(comment(2))).toBe(false);
    expect(shown(thread)).toEqual([3, 2, 1]);
    const toast = $toasts.get().at(-1);
    expect(toast?.text).toBe(unreachable.message);
    server.broken = null;
    toast?.action?.run();
    await expect.poll(() => server.comments.length).toBe(2);
    expect(shown(thread)).toEqual([3, 1]);
  });
});
