import { describe, expect, test } from 'vitest';
import { CallError } from '../../../../src/lib/client/call-error.ts';
import type { Client } from '../../../../src/lib/client/client.ts';
import type { CommentOrder } from '../../../../src/lib/contract/rules/bounds.ts';
import type { Comment } from '../../../../src/lib/contract/entities.ts';
import {
  createThread,
  unseenIn,
  unseenRest,
  visibleComments,
} from '../../../../src/lib/stores/comments/comments.ts';
import { $toasts } from '../../../../src/lib/stores/toasts.ts';

const comment = (number: number) => ({ _id: String(number), content: `第 ${number} 条` }) as Comment;

/** A server with these comments, newest first; calls fail with `broken` while it is set. */
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
  test('shows the server’s comments', async () => {
    const { thread } = openServer(2, 1);
    expect(thread.$thread.get().comments).toBeNull();
    await thread.load();
    expect(shown(thread)).toEqual([2, 1]);
  });

  test('that could not be loaded shows an error until it can', async () => {
    const { server, thread } = openServer(1);
    server.broken = unreachable;
    await thread.load();
    expect(thread.$thread.get()).toMatchObject({ comments: null, hasFailed: true });
    server.broken = null;
    await thread.load();
    expect(thread.$thread.get().hasFailed).toBe(false);
    expect(shown(thread)).toEqual([1]);
  });

  test('does not shift when others have written: new comments wait until requested', async () => {
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

  test('shows a new own comment on top, once, whatever the server lists later', async () => {
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

  test('keeps a comment written before the list arrived', async () => {
    const { thread } = openServer(1);
    const loading = thread.load();
    thread.add(comment(2));
    await loading;
    expect(shown(thread)).toEqual([2, 1]);
  });
});

describe('deleting', () => {
  test('removes a comment at once and permanently', async () => {
    const { thread } = openServer(2, 1);
    await thread.load();
    const going = thread.remove(comment(2));
    expect(shown(thread)).toEqual([1]);
    expect(await going).toBe(true);
    await thread.load();
    expect(shown(thread)).toEqual([1]);
  });

  test('restores the comment in place on failure, with a message that offers a retry', async () => {
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

describe('a thread that the server gives page by page', () => {
  const numbered = (from: number, to = 1) => Array.from({ length: from - to + 1 }, (_, at) => from - at);
  const at = (number: number) => new Date(number * 1000).toISOString();

  type Pages = { page: number; pageSize: number; sort?: CommentOrder };

  /**
   * A server that supports pages, with comments written at those seconds. `before` runs before each response.
   */
  function openPages(count: number, atLeast?: number, order: CommentOrder = 'newest') {
    const server = {
      numbers: numbered(count),
      asked: [] as number[],
      before: () => undefined as void,
      broken: null as CallError | null,
    };
    const call = ((_name: string, { page, pageSize, sort }: Pages) => {
      server.asked.push(page);
      server.before();
      if (server.broken) return Promise.reject(server.broken);
      const { length } = server.numbers;
      const all = server.numbers.map((number, index) => ({
        ...comment(number),
        create_time: at(number),
        position: length - index,
      }));
      const numbers = sort === 'oldest' ? all.toReversed() : all;
      const offset = (Math.min(page, Math.max(1, Math.ceil(length / pageSize))) - 1) * pageSize;
      return Promise.resolve(numbers.slice(offset, offset + pageSize));
    }) as unknown as Client['call'];
    return { server, thread: createThread('article', call, atLeast, order) };
  }

  async function readToEnd(thread: Thread): Promise<void> {
    while (thread.$thread.get().rest > 0)
      if (!(await thread.loadMore())) throw new Error('no older comment came');
  }

  test('is read to its end, each comment once', async () => {
    const { server, thread } = openPages(130);
    await thread.load();
    expect([shown(thread), thread.$thread.get().rest]).toEqual([numbered(130, 91), 90]);
    expect(Number((await thread.loadMore())?._id)).toBe(90);
    await readToEnd(thread);
    expect(shown(thread)).toEqual(numbered(130));
    expect(server.asked).toEqual([1, 2, 3, 4]);
    expect(await thread.loadMore()).toBeNull();
  });

  test('is shown once enough of it is loaded', async () => {
    const { server, thread } = openPages(130, 100);
    const lengths: (number | undefined)[] = [];
    thread.$thread.subscribe(({ comments }) => void lengths.push(comments?.length));
    await thread.load();
    expect([lengths, server.asked]).toEqual([
      [undefined, 120],
      [1, 2, 3],
    ]);
  });

  const changes: [string, (numbers: number[], time: number) => unknown][] = [
    ['written', (numbers: number[], time: number) => numbers.unshift(1000 + 2 * time, 999 + 2 * time)],
    [
      'written by the hundred',
      (numbers: number[], time: number) => numbers.unshift(...numbered(1100 + 100 * time, 1001 + 100 * time)),
    ],
    ['deleted in front', (numbers: number[]) => numbers.splice(3, 5)],
    ['deleted at the end', (numbers: number[]) => numbers.splice(-3)],
    [
      'deleted everywhere',
      (numbers: number[]) => [200, 120, 90, 60, 30, 5].map((index) => numbers.splice(index, 1)),
    ],
  ];
  test.each(
    (['newest', 'oldest'] as const).flatMap((order) => changes.map((change) => [order, ...change] as const)),
  )('read from the %s, neither repeats nor skips a comment while others are %s', async (order, _, change) => {
    const { server, thread } = openPages(300, 1, order);
    await thread.load();
    let time = 0;
    const gone = new Set<number>();
    server.before = () => {
      const former = [...server.numbers];
      if (time < 4) change(server.numbers, time++);
      for (const number of former) if (!server.numbers.includes(number)) gone.add(number);
    };
    while (thread.$thread.get().rest > 0 && (await thread.loadMore()));
    const seen = shown(thread);
    const sign = order === 'newest' ? -1 : 1;
    expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => sign * (one - other)));
    const first = numbered(300).filter((number) => !gone.has(number));
    expect(seen.filter((number) => number <= 300 && !gone.has(number)).toSorted((a, b) => b - a)).toEqual(
      first,
    );
  });

  test('can load more as soon as some has arrived', async () => {
    const { thread } = openPages(300);
    await thread.load();
    thread.$thread.listen(({ rest }) => rest > 0 && void thread.loadMore());
    await thread.loadMore();
    await expect.poll(() => shown(thread).length).toBe(300);
  });

  test('keeps loaded comments when new ones are shown', async () => {
    const { server, thread } = openPages(130);
    await thread.load();
    await thread.loadMore();
    server.numbers.unshift(133, 132, 131);
    server.numbers.splice(10, 2);
    await thread.load();
    expect(waiting(thread)).toEqual([133, 132, 131]);
    thread.showLatest();
    const rest = numbered(130).filter((number) => number !== 123 && number !== 122);
    expect(shown(thread)).toEqual([133, 132, 131, ...rest.slice(0, 78)]);
    await readToEnd(thread);
    expect(shown(thread)).toEqual([133, 132, 131, ...rest]);
  });

  test('restarts when more was written than one response holds', async () => {
    const { server, thread } = openPages(130);
    await thread.load();
    server.numbers.unshift(...numbered(230, 131));
    await thread.load();
    thread.showLatest();
    expect(shown(thread)).toEqual(numbered(230, 191));
    await readToEnd(thread);
    expect(shown(thread)).toEqual(numbered(230));
  });

  test('does not treat unloaded comments as new', async () => {
    const { server, thread } = openPages(130);
    await thread.load();
    server.numbers.splice(5, 10);
    await thread.load();
    expect(waiting(thread)).toEqual([]);
  });

  test('shows an error when older comments cannot be loaded, and offers a retry', async () => {
    const { server, thread } = openPages(130);
    await thread.load();
    server.broken = unreachable;
    expect(await thread.loadMore()).toBeNull();
    const toast = $toasts.get().at(-1);
    expect(toast?.text).toBe(unreachable.message);
    server.broken = null;
    toast?.action?.run();
    await expect.poll(() => shown(thread).length).toBe(80);
  });

  test('oldest first: new comments come last, an own one is shown at once', async () => {
    const { server, thread } = openPages(100, 1, 'oldest');
    const rest = () => unseenRest(thread.$thread.get());
    await thread.load();
    expect([shown(thread), rest()]).toEqual([numbered(40).toReversed(), 60]);
    server.numbers.unshift(101);
    thread.add({ ...comment(101), create_time: at(101) });
    expect([shown(thread), rest()]).toEqual([[...numbered(40).toReversed(), 101], 60]);
    server.numbers.unshift(103, 102);
    await thread.load();
    expect([waiting(thread), rest()]).toEqual([[], 62]);
    await readToEnd(thread);
    expect([shown(thread), rest()]).toEqual([numbered(103).toReversed(), 0]);
    server.numbers.unshift(104);
    await thread.load();
    expect(rest()).toBe(1);
    await readToEnd(thread);
    expect(shown(thread)).toEqual(numbered(104).toReversed());
  });
});
