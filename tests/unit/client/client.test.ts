import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isCallError, type CallError } from '../../../src/lib/client/call-error.ts';
import { makeToken, ok, openFakeSite, REFRESH, refusal, type FakeSite } from './fake-site.ts';

const UNREAD = '/api/comment/getUnreadCommentNum';
const offline = () => Promise.reject(new TypeError('Failed to fetch'));

let site: FakeSite;
let faults: unknown[];
beforeEach(() => {
  faults = [];
  vi.spyOn(console, 'error').mockImplementation((...texts) => void faults.push(texts));
  vi.spyOn(console, 'info').mockImplementation(() => undefined);
  site = openFakeSite();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  if (site.told.underWay !== 0) throw new Error('a call that is over is still counted');
});

/** Returns the error of a call; fails when the call succeeded. */
async function failureOf(call: Promise<unknown>): Promise<CallError> {
  const outcome = await call.then(
    () => 'done',
    (error: unknown) => error,
  );
  if (!isCallError(outcome)) throw new Error(`expected a CallError, got ${String(outcome)}`);
  return outcome;
}

describe('a call', () => {
  test('travels as a form with the token in the spelling of the contract', async () => {
    site.answer = () => ok({ id: 'a', page_num: 1, draft_num: 0 });
    await site.tab().call('articleCreate', {
      title: '一 & 二',
      content: '',
      tags: ['a', 'b'],
      status: 'draft',
      secret: false,
      type: '',
    });
    expect(site.received).toEqual([
      {
        method: 'POST',
        path: '/api/page/new',
        token: site.kept?.token,
        body: new URLSearchParams({
          title: '一 & 二',
          content: '',
          'tags[0]': 'a',
          'tags[1]': 'b',
          status: 'draft',
          secret: 'false',
          type: '',
        }).toString(),
      },
    ]);
  });

  test('of a visitor is marked as such, as existing clients do', async () => {
    site = openFakeSite(null);
    site.answer = () => ok([]);
    await site.tab().call('allTags', {});
    expect(site.received[0]?.token).toBe('undefined');
  });

  test('that is refused shows the message once, unless the caller shows it', async () => {
    site.answer = () => refusal(429, '操作过于频繁，请稍后再试');
    const failed = await failureOf(site.tab().call('unreadNum', {}));
    expect([failed.kind, failed.status, failed.message]).toEqual([
      'refused',
      429,
      '操作过于频繁，请稍后再试',
    ]);
    await failureOf(site.tab().call('unreadNum', {}, { quiet: true }));
    await failureOf(site.tab().call('unreadNum', {}, { background: true }));
    expect(site.told.refused).toEqual(['操作过于频繁，请稍后再试']);
    expect(faults).toEqual([]);
  });

  test.each([
    ['a page instead of an envelope', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['nothing', () => new Response('')],
    [
      'an envelope without a sentence',
      () => Response.json({ code: 'ERROR', data: { a: 1 } }, { status: 500 }),
    ],
    ['no envelope', () => Response.json([1, 2])],
  ])('answered with %s is a fault: in the console, not in a toast', async (_, answer) => {
    site.answer = answer;
    expect(await failureOf(site.tab().call('unreadNum', {}))).toMatchObject({ kind: 'fault' });
    expect(faults).toHaveLength(1);
    expect(site.told.refused).toEqual([]);
  });

  test.each([
    [200, '收到的不是本站的回答（200），可能要先登录所在的网络，或代理设置有误'],
    [401, '请求被网站前面的代理拦下了（401），请告诉站长'],
    [403, '请求被网站前面的代理拦下了（403），请告诉站长'],
    [404, '收到的不是本站的回答（404），可能要先登录所在的网络，或代理设置有误'],
    [429, '请求太频繁，请稍后再试'],
    [504, '网站暂时没有响应（504），请稍后再试'],
  ])('answered with a page of a proxy and status %i says so, and signs no one out', async (status, text) => {
    const headers = { 'Content-Type': 'text/html' };
    site.answer = () => new Response('<html><h1>nginx</h1></html>', { status, headers });
    const failed = await failureOf(site.tab().call('unreadNum', {}));
    expect([failed.kind, failed.status, failed.message]).toEqual(['fault', status, text]);
    expect([site.kept?.username, site.told.signedOut]).toEqual(['林间', 0]);
  });

  test('that a proxy finds too large is refused for good', async () => {
    site.answer = () => new Response('<html>413</html>', { status: 413 });
    expect(await failureOf(site.tab().call('unreadNum', {}))).toMatchObject({
      kind: 'refused',
      code: 'BODY_TOO_LARGE',
      message: '提交的内容太大，网站前面的代理没有放行',
    });
  });

  test('without a complete response is unreachable, not a fault', async () => {
    const half = new ReadableStream({ pull: (stream) => stream.error(new TypeError('network error')) });
    for (const answer of [offline, () => new Response(half)]) {
      site.answer = answer;
      expect(await failureOf(site.tab().call('unreadNum', {}))).toMatchObject({
        kind: 'unreachable',
        status: 0,
      });
    }
    expect(faults).toEqual([]);
    expect(site.kept).not.toBeNull();
  });

  test('aborted by its caller ends at once without a failure', async () => {
    const giveUp = new AbortController();
    site.answer = () => new Promise<Response>(() => undefined);
    const call = failureOf(site.tab().call('unreadNum', {}, { signal: giveUp.signal }));
    giveUp.abort();
    expect((await call).kind).toBe('unreachable');
    expect((await failureOf(site.tab().call('unreadNum', {}, { signal: giveUp.signal }))).kind).toBe(
      'unreachable',
    );
    expect([...faults, ...vi.mocked(console.info).mock.calls]).toEqual([]);
  });
});

describe('an expired token', () => {
  test('is replaced once for ten calls in each of three tabs, and every call is answered', async () => {
    site.expire();
    const tabs = [site.tab(), site.tab(), site.tab()];
    const calls = tabs.flatMap((tab) => Array.from({ length: 10 }, () => tab.call('unreadNum', {})));
    expect(await Promise.all(calls)).toEqual(Array(30).fill(7));
    expect(site.count(REFRESH)).toBe(1);
    expect(site.told).toEqual({ refused: [], signedOut: 0, underWay: 0 });
  });

  test('is replaced before the call when known to be expired, so that public calls are not answered as a visitor’s', async () => {
    const over = makeToken('林间', -1);
    site.kept = { ...site.kept, token: over } as FakeSite['kept'];
    expect(await site.tab().call('articleComments', { page_id: 'a'.repeat(24) })).toBe(7);
    expect(site.received.map(({ path }) => path)).toEqual([REFRESH, '/api/comment/getpagecommentlist']);
  });

  test('is not replaced repeatedly on a device with a wrong clock', async () => {
    const tomorrow = Date.now() + 86_400_000;
    vi.spyOn(Date, 'now').mockReturnValue(tomorrow);
    const tab = site.tab();
    for (let round = 0; round < 5; round++) expect(await tab.call('unreadNum', {})).toBe(7);
    expect(site.count(REFRESH)).toBe(1);
  });

  test('that names the user anew, renamed on another device, keeps the sign-in', async () => {
    site.kept = { username: '林间', token: makeToken('林间', 900, 'a'), refreshToken: makeToken(undefined) };
    site.expire();
    const pair = { token: makeToken('听雨', 900, 'a'), refresh_token: makeToken(undefined) };
    site.answer = ({ path, token }) =>
      path === REFRESH ? ok(pair) : token === pair.token ? ok(7) : undefined;
    expect(await site.tab().call('unreadNum', {})).toBe(7);
    expect([site.kept?.username, site.told.signedOut]).toEqual(['听雨', 0]);
  });

  test('that expires twice during a call is replaced twice', async () => {
    site.expire();
    let refreshes = 0;
    site.answer = ({ path }) => {
      if (path === UNREAD && refreshes === 1) site.expire();
      if (path === REFRESH) refreshes++;
      return undefined;
    };
    expect(await site.tab().call('unreadNum', {})).toBe(7);
    expect(refreshes).toBe(2);
  });

  test('whose successors are expired too is a fault after a few attempts', async () => {
    site.answer = ({ path }) => (path === UNREAD ? refusal(401, '登录超时') : undefined);
    expect(await failureOf(site.tab().call('unreadNum', {}))).toMatchObject({ kind: 'fault' });
    expect(site.received.length).toBeLessThan(8);
    expect(site.kept).not.toBeNull();
  });

  test('whose replacement gets no response signs no one out: the call fails and can be retried', async () => {
    site.expire();
    for (const [answer, kind] of [
      [offline, 'unreachable'],
      [() => new Response('<html>', { status: 502 }), 'fault'],
      [() => ok({ token: 'x' }), 'fault'],
      [() => refusal(503, '服务暂时不可用，请稍后再试'), 'refused'],
    ] as const) {
      site.answer = ({ path }) => (path === REFRESH ? answer() : undefined);
      const tab = site.tab();
      const failed = await Promise.all([1, 2, 3].map(() => failureOf(tab.call('unreadNum', {}))));
      expect(failed.map((error) => error.kind)).toEqual([kind, kind, kind]);
    }
    // One token refresh for each group of three calls.
    expect(site.count(REFRESH)).toBe(4);
    expect(site.told.refused).toContain('服务暂时不可用，请稍后再试');
    expect([site.kept?.username, site.told.signedOut]).toEqual(['林间', 0]);
    await expect(site.tab().freshToken(site.kept?.token)).rejects.toMatchObject({ kind: 'refused' });
    site.answer = () => undefined;
    expect(await site.tab().call('unreadNum', {})).toBe(7);
  });

  test('lets callers abort while it is being replaced', async () => {
    site.expire();
    const late = Promise.withResolvers<Response>();
    site.answer = ({ path }) => (path === REFRESH ? late.promise : undefined);
    const giveUp = new AbortController();
    const call = failureOf(site.tab().call('unreadNum', {}, { signal: giveUp.signal }));
    await vi.waitFor(() => expect(site.count(REFRESH)).toBe(1));
    giveUp.abort();
    expect((await call).kind).toBe('unreachable');
    expect(site.told.underWay).toBe(0);
    late.resolve(refusal(503, '服务暂时不可用，请稍后再试'));
  });
});

describe('a sign-in that has ended', () => {
  test('is cleared once, and every waiting call is rejected', async () => {
    site.expire();
    site.answer = ({ path }) => (path === REFRESH ? refusal(402, '请重新登录') : undefined);
    const tabs = [site.tab(), site.tab()];
    const failed = await Promise.all(
      tabs.flatMap((tab) => [1, 2, 3].map(() => failureOf(tab.call('unreadNum', {})))),
    );
    expect(new Set(failed.map(({ kind, status }) => `${kind} ${status}`))).toEqual(
      new Set(['signed-out 401']),
    );
    expect(site.count(REFRESH)).toBe(1);
    expect(site.kept).toBeNull();
    expect([site.told.signedOut, site.told.refused]).toEqual([6, []]);
    expect(await tabs[0]?.freshToken()).toBeNull();
  });

  test('or unknown to the server is cleared without an exchange', async () => {
    site.kept = { username: '林间', token: makeToken('林间'), refreshToken: makeToken(undefined) };
    expect(await failureOf(site.tab().call('unreadNum', {}))).toMatchObject({
      kind: 'signed-out',
      status: 402,
    });
    expect([site.kept, site.told.signedOut, site.count(REFRESH)]).toEqual([null, 1, 0]);
  });

  test('and a visitor lead to the sign-in page alike, except from background calls', async () => {
    site = openFakeSite(null);
    expect(await failureOf(site.tab().call('unreadNum', {}))).toMatchObject({
      kind: 'signed-out',
      status: 402,
    });
    expect(site.told.signedOut).toBe(1);
    await failureOf(site.tab().call('unreadNum', {}, { background: true }));
    expect(site.told.signedOut).toBe(1);
  });

  test('does not clear a newer one', async () => {
    const { username, ...older } = { ...site.kept } as {
      username: string;
      token: string;
      refreshToken: string;
    };
    const newer = { username, token: makeToken(username), refreshToken: makeToken(undefined) };
    site.answer = ({ path, token }) => {
      if (path !== UNREAD) return undefined;
      if (token !== older.token) return ok(3);
      // Meanwhile another tab stores a newer sign-in.
      site.kept = newer;
      return refusal(402, '请重新登录');
    };
    expect(await site.tab().call('unreadNum', {})).toBe(3);
    expect([site.kept, site.told.signedOut]).toEqual([newer, 0]);
  });
});

describe('another account', () => {
  const other = () => ({
    username: '路人甲',
    token: makeToken('路人甲'),
    refreshToken: makeToken(undefined),
  });

  test('never gets responses to calls of the first', async () => {
    site.expire();
    site.answer = ({ path }) => {
      if (path === REFRESH) site.kept = other();
      return undefined;
    };
    expect((await failureOf(site.tab().call('commentDelete', { id: 'a'.repeat(24) }))).kind).toBe(
      'signed-out',
    );
    expect(site.count('/api/comment/delete')).toBe(1);
    expect([site.kept?.username, site.told.signedOut]).toEqual(['路人甲', 0]);
  });

  test('does not send calls bound to another user, nor does a visitor, also when switched meanwhile', async () => {
    const bound = () => failureOf(site.tab().call('unreadNum', {}, { as: '林间' }));
    site.kept = { ...site.kept, token: makeToken('林间', -1) } as FakeSite['kept'];
    site.answer = ({ path }) => (path === REFRESH ? refusal(402, '请重新登录') : undefined);
    expect((await bound()).kind).toBe('signed-out');
    expect(site.kept).toBeNull();
    expect((await bound()).kind).toBe('signed-out');
    site.kept = other();
    expect((await bound()).kind).toBe('signed-out');
    expect(site.count(UNREAD)).toBe(0);
  });
});
