import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRemoteBlog } from '../../../src/lib/blog/remote.ts';
import { openOrigin, unavailable } from '../../../src/lib/edge/origin.ts';
import { createEdgeRenderer } from '../../../src/lib/edge/rendering.ts';
import { isRefusal } from '../../../src/lib/contract/rules/errors.ts';
import { article, comment, idOf, openFakeApi, TOKEN_OF_AUTHOR, type FakeApi } from './fake-api.ts';

let api: FakeApi;
beforeEach(async () => {
  api = await openFakeApi();
});
afterEach(() => api[Symbol.asyncDispose]());

const TIMEOUT_MS = 400;
function blog(token?: string) {
  const ask = openOrigin(api.origin, { token, address: '203.0.113.7' }, { patience: TIMEOUT_MS });
  return createRemoteBlog({ ask, unavailable, ...createEdgeRenderer() });
}
const answerJson = (body: unknown, status = 200) => {
  api.answer = (_request, response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
};
const ok = (data: unknown) => answerJson({ code: 'OK', data });
/** Refusal that a page gets when the API does not respond. */
const refusalOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return isRefusal(error, 'UNAVAILABLE') ? error : null;
};

describe('a server that speaks the contract and nothing beyond', () => {
  test('lists articles, with the opening of each in plain text', async () => {
    api.articles = Array.from({ length: 23 }, (_, index) => article(index + 1));
    const list = await blog().listArticles(2);
    expect(list).toMatchObject({ total: 23, page: 2, pageCount: 3 });
    expect(list.items).toHaveLength(10);
    expect(list.items[0]).toEqual({
      id: idOf(11),
      title: '第 11 篇',
      picture: '',
      tags: ['随笔'],
      author: '林间',
      authorName: '林间',
      createTime: '2024-01-02T03:04:05.000Z',
      updateTime: '2024-01-02T03:04:05.000Z',
      summary: '正文 11。',
      isSecret: false,
      isDraft: false,
    });
  });

  test('a page beyond the last is the last page, although this server returns nothing', async () => {
    api.articles = Array.from({ length: 23 }, (_, index) => article(index + 1));
    const list = await blog().listArticles(99);
    expect(list).toMatchObject({ page: 3, pageCount: 3 });
    expect(list.items.map(({ id }) => id)).toEqual([idOf(21), idOf(22), idOf(23)]);
  });

  test('an empty blog has one empty page', async () => {
    expect(await blog().listArticles(1)).toEqual({ items: [], total: 0, page: 1, pageCount: 1 });
  });

  test('searches, and shows titles unmarked where the server does not mark them', async () => {
    api.articles = [article(1), article(2)];
    const { items } = await blog().searchArticles('第 2', 1, {});
    expect(items.map(({ title, highlight }) => [title, highlight])).toEqual([['第 2 篇', undefined]]);
  });

  test('filters a search and shows its facets when supported, or else shows the plain results', async () => {
    api.articles = [article(1), article(2)];
    const narrowing = { author: '林间', tag: 'Java', byTime: true };
    const plain = await blog().searchArticles('篇', 1, narrowing);
    expect(plain).toMatchObject({ total: 2, exact: null, authors: [], tags: [], named: {}, similar: [] });
    expect(Object.fromEntries(api.received.at(-1)?.fields ?? [])).toMatchObject({
      keywords: '篇',
      author: '林间',
      tag: 'Java',
      order: 'time',
    });
    const facts = { exact: 1, authors: ['林间'], tags: ['随笔'], tag: '篇', similar: [] };
    api.answer = (_request, response) => {
      const data = { result: [article(1)], total: 1, ...facts };
      response.end(JSON.stringify({ code: 'OK', data }));
    };
    expect(await blog().searchArticles('篇', 1, {})).toMatchObject({
      exact: 1,
      authors: ['林间'],
      tags: ['随笔'],
      named: { tag: '篇' },
    });
  });

  test('an article is rendered as it is when it is saved', async () => {
    api.articles = [article(1, { content: '# 题\n\n```js\nlet a = 1;\n```\n\n<script>alert(1)</script>' })];
    const page = await blog().readArticle(idOf(1));
    expect(page?.html).toContain('<h1 id="题"');
    expect(page?.html).toContain('<span class="tk-k">let</span>');
    expect(page?.html).not.toContain('<script');
    expect(page).toMatchObject({ isPublic: true, isDraft: false, previous: null, next: null });
    expect(page?.toc).toEqual([{ level: 1, no: 1, text: '题', slug: '题' }]);
    expect(page).not.toHaveProperty('authorAvatar');
  });

  test('articles that the server does not return are not found: drafts of others, and unknown ids', async () => {
    api.articles = [article(1, { status: 'draft' })];
    expect(await blog().readArticle(idOf(1))).toBeNull();
    expect(await blog(TOKEN_OF_AUTHOR).readArticle(idOf(1))).toMatchObject({
      isPublic: false,
      isDraft: true,
    });
    expect(await blog().readArticle(idOf(9))).toBeNull();
  });

  test('comments are shown twenty a page', async () => {
    api.comments = Array.from({ length: 45 }, (_, index) => comment(index + 1));
    const list = await blog().listComments(idOf(1), 3, 'newest');
    expect(list).toMatchObject({ total: 45, page: 3, pageCount: 3 });
    expect(list.items.map(({ content }) => content)).toEqual([
      '评论 41',
      '评论 42',
      '评论 43',
      '评论 44',
      '评论 45',
    ]);
    expect((await blog().listComments(idOf(1), 50, 'newest')).page).toBe(3);
  });

  test('comments start with the oldest when supported, or else with the newest', async () => {
    api.comments = Array.from({ length: 45 }, (_, index) => comment(index + 1));
    api.knowsCommentPages = true;
    expect(await blog().listComments(idOf(1), 3, 'oldest')).toMatchObject({ order: 'newest', page: 3 });
    api.knowsCommentOrders = true;
    for (const page of [3, 50]) {
      const list = await blog().listComments(idOf(1), page, 'oldest');
      expect(list).toMatchObject({ order: 'oldest', total: 45, page: 3, pageCount: 3 });
      expect(list.items.map(({ position }) => position)).toEqual([41, 42, 43, 44, 45]);
    }
    Object.assign(api, { knowsCommentPages: false, knowsCommentOrders: false });
  });

  test('comments are conversations when supported, or else start with the newest', async () => {
    api.comments = Array.from({ length: 45 }, (_, index) => comment(index + 1));
    api.knowsCommentPages = true;
    expect(await blog().listComments(idOf(1), 2, 'conversation')).toMatchObject({ order: 'newest', page: 2 });
    api.knowsCommentOrders = true;
    const list = await blog().listComments(idOf(1), 3, 'conversation');
    expect(list).toMatchObject({ order: 'conversation', total: 45, page: 3, pageCount: 3 });
    expect(list.items.map(({ position }) => position)).toEqual([41, 42, 43, 44, 45]);
    Object.assign(api, { knowsCommentPages: false, knowsCommentOrders: false });
  });

  test.each([
    [45, 3, [1, 2, 3, 4, 50]],
    [40, 2, [1, 2, 3]],
    [7, 1, [1, 2]],
    [0, 1, [1, 2]],
  ])('%i comments of a server that gives pages are the same', async (count, pageCount, pages) => {
    api.comments = Array.from({ length: count }, (_, index) => comment(index + 1));
    for (const page of pages) {
      api.knowsCommentPages = false;
      const whole = await blog().listComments(idOf(1), page, 'newest');
      api.knowsCommentPages = true;
      const list = await blog().listComments(idOf(1), page, 'newest');
      const items = list.items.map((item) => ({ ...item, position: undefined }));
      expect({ ...list, items }).toEqual(whole);
      expect(list).toMatchObject({ total: count, pageCount });
    }
    api.knowsCommentPages = false;
  });

  test('tags and profiles come with their articles; unknown ones are null', async () => {
    api.articles = [article(1)];
    expect((await blog().listTags(1)).items.map(({ name }) => name)).toEqual(['随笔']);
    expect(await blog().readTag('随笔', 1)).toMatchObject({ tag: { name: '随笔' }, articles: { total: 1 } });
    expect(await blog().readTag('没有', 1)).toBeNull();
    expect(await blog().readProfile('林间', 1)).toMatchObject({
      user: { bio: '写字' },
      articles: { total: 1 },
    });
    expect(await blog().readProfile('没有', 1)).toBeNull();
  });

  test('receives the reader’s address and token, never a cookie', async () => {
    await blog(TOKEN_OF_AUTHOR).listTags(1);
    const headers = api.received[0]?.headers ?? {};
    expect(headers['x-forwarded-for']).toBe('203.0.113.7');
    expect(headers.authorization).toBe(`Beare ${TOKEN_OF_AUTHOR}`);
    expect(headers).not.toHaveProperty('cookie');
    await blog().listTags(1);
    expect(api.received[1]?.headers).not.toHaveProperty('authorization');
  });

  test('a server that refuses a token on a public call is called as a visitor', async () => {
    api.articles = [article(1)];
    api.answer = (_request, response, { headers }) => {
      if (headers.authorization === undefined) api.answer = undefined;
      const data = headers.authorization === undefined ? { ...api.articles[0] } : '登录超时';
      response
        .writeHead(headers.authorization === undefined ? 200 : 401, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ code: typeof data === 'string' ? 'ERROR' : 'OK', data }));
    };
    expect(await blog(TOKEN_OF_AUTHOR).readArticle(idOf(1))).toMatchObject({ title: '第 1 篇' });
  });
});

describe('a server that goes wrong', () => {
  test.each<[string, FakeApi['answer']]>([
    ['breaks off', (request) => request.socket.destroy()],
    ['says nothing', () => undefined],
    [
      'stops in the middle',
      (_request, response) =>
        void response
          .writeHead(200, { 'Content-Type': 'application/json' })
          .write('{"code":"OK","data":{"res'),
    ],
    [
      'answers with a page',
      (_request, response) =>
        void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome to nginx!</h1>'),
    ],
    ['answers with what is no envelope', (_request, response) => void response.end('[1,2]')],
    ['answers with null', (_request, response) => void response.end('null')],
    ['redirects', (_request, response) => void response.writeHead(302, { Location: '/home' }).end()],
    ['has a fault', (_request, response) => void response.writeHead(500).end('oops')],
    [
      'never ends',
      (_request, response) => {
        response.writeHead(200);
        const more = () => void (response.destroyed || response.write(' '.repeat(1 << 20), more));
        more();
      },
    ],
  ])('that %s makes the page unavailable for now', async (_, answer) => {
    api.answer = answer;
    expect(await refusalOf(blog().listArticles(1))).toMatchObject({ status: 503, retryAfter: 5 });
  });

  test.each<[string, unknown]>([
    ['a list that is none', { result: 'x', total: 1 }],
    ['an id that could be a path', { result: [article(1, { _id: '../../etc' })], total: 1 }],
    ['a title that is no text', { result: [article(1, { title: { a: 1 } })], total: 1 }],
    ['a total that is no number', { result: [], total: '1' }],
  ])('%s is not shown', async (_, data) => {
    ok(data);
    expect(await refusalOf(blog().listArticles(1))).not.toBeNull();
  });

  test('says when to come back, it is passed on', async () => {
    api.answer = (_request, response) => void response.writeHead(429, { 'Retry-After': '17' }).end();
    expect(await refusalOf(blog().listTags(1))).toMatchObject({ retryAfter: 17 });
  });

  test('returns drafts and secret articles in a public list: they are filtered out', async () => {
    ok({ result: [article(1), article(2, { secret: true }), article(3, { status: 'draft' })], total: 3 });
    expect((await blog().listArticles(1)).items.map(({ id }) => id)).toEqual([idOf(1)]);
  });

  test('returns other markup in highlights: the words are shown without', async () => {
    const highlight = (content: string) => ({ title: '<mark>题</mark> &lt;b&gt;', content });
    const unsafe = ['<img src=x onerror=alert(1)>', '<mark onclick="x">a</mark>', '<mark>a', 'a</mark>'];
    ok({
      result: ['a <mark>b</mark>', ...unsafe].map((text, index) =>
        article(index + 1, { highlight: highlight(text) }),
      ),
      total: 5,
    });
    const { items } = await blog().searchArticles('题', 1, {});
    expect(items.map((item) => item.highlight?.content)).toEqual([
      'a <mark>b</mark>',
      ...unsafe.map(() => undefined),
    ]);
  });

  test('recovers is used again at once', async () => {
    api.articles = [article(1)];
    await api.stop();
    expect(await refusalOf(blog().listArticles(1))).not.toBeNull();
    await api.start();
    expect((await blog().listArticles(1)).total).toBe(1);
  });
});

describe('a former address', () => {
  test('is looked up on the server, as requested', async () => {
    await blog().findFormerPath('/2020/%E5%B1%B1/?p=1');
    const [received] = api.received;
    expect(received?.path).toBe('/api/page/former');
    expect(received?.fields.get('address')).toBe('/2020/%E5%B1%B1/?p=1');
    ok({ id: idOf(3) });
    expect(await blog().findFormerPath('/2020/a')).toEqual({ id: idOf(3) });
  });

  test('is not found when the server does not know the call, and never redirects elsewhere', async () => {
    expect(await blog().findFormerPath('/2020/a')).toBeNull();
    for (const data of ['x', { id: '//evil.example' }, { id: `${idOf(1)}\r\nX: y` }]) {
      ok(data);
      expect(await refusalOf(blog().findFormerPath('/2020/a'))).not.toBeNull();
    }
  });
});
