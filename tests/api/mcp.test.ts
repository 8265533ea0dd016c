import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAssistant, type Assistant } from './assistant.ts';
import { createToken } from './editor.ts';
import { done, openServer, type Person, type TestServer, type Untyped } from './server.ts';

const ORIGIN = 'https://blog.example';
const SCOPES = ['articles:read', 'articles:write', 'comments:read', 'comments:write'];

let server: TestServer;
let author: Person;
let reader: Person;
let token: string;
let assistant: Assistant;
beforeAll(async () => {
  server = await openServer({ SITE_URL: ORIGIN, CORS_ORIGINS: 'https://app.example' });
  author = await server.join('王维');
  reader = await server.join('裴迪');
  token = await createToken(server, author, SCOPES);
  await allow(true);
  assistant = await connectAssistant(server.url, token);
});
afterAll(async () => {
  await assistant?.client.close();
  await server?.close();
});

const allow = (mcp: boolean) => server.app.services.options.change({ mcp }, null);

/** Connects an assistant with narrower scopes. */
const narrow = async (...scopes: string[]) =>
  connectAssistant(server.url, await createToken(server, author, scopes));
const source = async (id: string): Promise<Untyped> =>
  done(await server.post('/api/page/editdetail', { id }, author.token));
const seenByVisitors = async (id: string): Promise<string | null> => {
  const answer = await server.post('/api/page/detail', { id });
  return answer.code === 'OK' ? answer.data.content : null;
};

describe('a client', () => {
  test('learns the name of the site and its tools', async () => {
    expect(assistant.client.getServerVersion()).toMatchObject({ name: 'moye', title: '墨页' });
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search_articles', true],
      ['read_article', true],
      ['list_own_articles', true],
      ['create_draft', false],
      ['update_draft', false],
      ['publish_article', false],
      ['list_comments', true],
      ['answer_comment', false],
    ]);
  });

  test('searches public articles', async () => {
    const id = await server.write(reader, { title: '终南别业', content: '行到水穷处' });
    await server.write(reader, { title: '草稿', content: '行到水穷处', status: 'draft' });
    expect(await assistant.succeed('search_articles', { keywords: '水穷', author: '裴迪' })).toEqual({
      articles: [
        {
          id,
          title: '终南别业',
          author: '裴迪',
          time: expect.any(String),
          tags: ['诗'],
          url: `${ORIGIN}/detail/${id}`,
          excerpt: '行到<mark>水穷</mark>处',
        },
      ],
      total: 1,
    });
  });

  test('reads articles as Markdown, of its own also unpublished text, and no draft of others', async () => {
    const content = '# 题\n\n前文\n\n<--阅读全文-->\n\n**后文**';
    const shown = await server.write(reader, { content });
    const { texts } = await assistant.run('read_article', { id: shown });
    expect(texts[1]).toBe(content);
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ id: shown, author: '裴迪', status: 'normal' });
    const own = await server.write(author, { content: '一' });
    await assistant.succeed('update_draft', { id: own, content: '二' });
    expect((await assistant.run('read_article', { id: own })).texts[1]).toBe('二');
    const hidden = await server.write(reader, { status: 'draft' });
    expect(await assistant.refusal('read_article', { id: hidden })).toBe('文章不存在或已被删除');
  });

  test('lists its own articles and drafts', async () => {
    const { id } = await assistant.succeed('create_draft', { title: '待写', tags: ['随笔'] });
    const { articles } = await assistant.succeed('list_own_articles', { status: 'draft', keywords: '待写' });
    expect(articles).toEqual([
      expect.objectContaining({ id, title: '待写', tags: ['随笔'], status: 'draft', is_secret: false }),
    ]);
    const published = await assistant.succeed('list_own_articles');
    expect(published.articles.every(({ status }: Untyped) => status === 'normal')).toBe(true);
  });

  test('writes and changes drafts, which readers see only after publish_article', async () => {
    const { id, edit_url } = await assistant.succeed('create_draft', {
      title: '鹿柴',
      content: '空山',
      tags: ['诗'],
    });
    expect(edit_url).toBe(`${ORIGIN}/edit/${id}`);
    await assistant.succeed('update_draft', { id, content: '空山不见人', description: '一首诗' });
    expect(await source(id)).toMatchObject({
      title: '鹿柴',
      content: '空山不见人',
      tags: ['诗'],
      description: '一首诗',
      status: 'draft',
    });
    expect(await seenByVisitors(id)).toBeNull();
    expect(await assistant.succeed('publish_article', { id })).toEqual({ id, url: `${ORIGIN}/detail/${id}` });
    expect(await seenByVisitors(id)).toBe('空山不见人');
    await assistant.succeed('update_draft', { id, content: '但闻人语响' });
    expect(await seenByVisitors(id)).toBe('空山不见人');
    await assistant.succeed('publish_article', { id });
    expect(await seenByVisitors(id)).toBe('但闻人语响');
  });

  test('is told what it may not do', async () => {
    expect(await assistant.refusal('create_draft', {})).toBe('草稿至少要有标题或正文');
    const { id } = await assistant.succeed('create_draft', { title: '无标签', content: '文' });
    expect(await assistant.refusal('publish_article', { id })).toBe('请至少填写 1 个标签');
    const other = await server.write(reader);
    expect(await assistant.refusal('update_draft', { id: other, title: '我的' })).toBe(
      '只能操作自己发布的内容',
    );
    expect(await assistant.refusal('read_article', { id: '../etc' })).toBe('编号格式不正确');
    expect(await assistant.refusal('read_article', {})).toContain('id');
    expect(await assistant.refusal('delete_everything', {})).toContain('delete_everything');
  });

  test('lists the comments that wait for an answer, and answers one', async () => {
    const article = await server.write(author);
    const comment = await server.comment(reader, article, { content: '好诗' });
    const { comments } = await assistant.succeed('list_comments');
    expect(comments[0]).toEqual({
      comment_id: comment._id,
      article_id: article,
      article_title: '山居',
      from: '裴迪',
      time: comment.create_time,
      content: '好诗',
      is_read: false,
      is_answered: false,
    });
    await assistant.succeed('answer_comment', {
      article_id: article,
      comment_id: comment._id,
      to: '裴迪',
      content: '过奖',
    });
    const thread = done(await server.post('/api/comment/getpagecommentlist', { page_id: article }));
    expect(thread[0]).toMatchObject({
      create_user: '王维',
      content: '过奖',
      reply_user: '裴迪',
      reply_content: '好诗',
    });
    const isListed = async (show?: string) =>
      (await assistant.succeed('list_comments', { show })).comments.some(
        ({ comment_id }: Untyped) => comment_id === comment._id,
      );
    expect([await isListed(), await isListed('unread'), await isListed('all')]).toEqual([false, false, true]);
  });
});

describe('the scopes of the token', () => {
  test.each([
    ['articles:read', 'create_draft', { title: '题' }, 'articles:write'],
    ['articles:write', 'list_own_articles', {}, 'articles:read'],
    ['articles:read', 'list_comments', {}, 'comments:read'],
    [
      'comments:read',
      'answer_comment',
      { article_id: 'a', comment_id: 'b', to: 'c', content: 'd' },
      'comments:write',
    ],
  ])('%s does not allow %s', async (scope, tool, input, missing) => {
    const { refusal, client } = await narrow(scope);
    expect(await refusal(tool, input)).toBe(`访问令牌没有权限 ${missing}`);
    await client.close();
  });

  test('never publish without articles:write', async () => {
    const id = await server.write(author, { status: 'draft' });
    const { refusal, client } = await narrow('articles:read');
    expect(await refusal('publish_article', { id })).toBe('访问令牌没有权限 articles:write');
    expect(await seenByVisitors(id)).toBeNull();
    await client.close();
  });

  test('without articles:read, an own draft is not found, an own public article is', async () => {
    const { refusal, run, client } = await narrow('comments:read');
    const draft = await server.write(author, { status: 'draft' });
    expect(await refusal('read_article', { id: draft })).toBe('文章不存在或已被删除');
    const shown = await server.write(author);
    expect((await run('read_article', { id: shown })).texts[1]).toBe('空山新雨后');
    await client.close();
  });
});

describe('a request', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const send = async (
    headers: Record<string, string>,
    body: string | null = JSON.stringify(message),
    method = 'POST',
  ) => {
    const response = await fetch(`${server.url}/mcp`, {
      method,
      body,
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${token}`,
        ...headers,
      },
    });
    const answer: Untyped = await response.json();
    return { status: response.status, headers: response.headers, body: answer };
  };

  test('is answered as JSON, with nothing kept for the next one', async () => {
    const { status, headers, body } = await send({});
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(headers.has('mcp-session-id')).toBe(false);
    expect(body.result.tools).toHaveLength(8);
  });

  test.each(['', 'Bearer moye_pat_abc', 'Bearer undefined', 'Basic YTpi'])(
    'with the authorization "%s" is refused with 401',
    async (authorization) => {
      const { status, headers, body } = await send({ Authorization: authorization });
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    },
  );

  test('with the session of a browser is refused with 401', async () => {
    expect((await send({ Authorization: `Bearer ${author.token}` })).status).toBe(401);
  });

  test('from a page of another site is refused, of the site and of allowed ones answered', async () => {
    const statusFrom = async (origin: string) => (await send({ Origin: origin })).status;
    expect(await statusFrom('https://evil.example')).toBe(403);
    expect(await statusFrom('null')).toBe(403);
    expect(await statusFrom(ORIGIN)).toBe(200);
    expect(await statusFrom('https://app.example')).toBe(200);
  });

  test.each(['GET', 'DELETE', 'PUT'])('by %s is refused with 405', async (method) => {
    const { status, headers } = await send({}, null, method);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.each([
    ['no JSON', '{', 400],
    ['a list of messages', JSON.stringify([message, message]), 400],
    ['no message', '{"a":1}', 400],
    ['too large', JSON.stringify({ ...message, params: { text: 'a'.repeat(5_000_000) } }), 413],
    ['of too many values', JSON.stringify({ ...message, params: { list: Array(100_000).fill(1) } }), 413],
  ])('that is %s is refused', async (_name, body, status) => {
    const answer = await send({}, body);
    expect(answer.status).toBe(status);
    expect(answer.body.error.message).not.toBe('');
  });

  test('finds nothing while the operator has not allowed it', async () => {
    await allow(false);
    expect((await send({})).status).toBe(404);
    expect((await send({ Authorization: '' })).status).toBe(404);
    expect((await send({}, null, 'GET')).status).toBe(404);
    await allow(true);
    expect((await send({})).status).toBe(200);
  });
});

test('an operator allows it in the console, which the audit log records', async () => {
  await server.app.services.roles.set('裴迪', 'operator', null);
  const change = (mcp: boolean, by: Person) => server.post('/api/staff/options/change', { mcp }, by.token);
  expect((await change(false, author)).error).toBe('NOT_ALLOWED');
  expect(done(await change(false, reader))).toMatchObject({ mcp: false });
  const [entry] = await server.rows(
    "select actor_name, before, after from audit_log where action = 'options.change' order by create_time desc, id desc",
  );
  expect(entry).toEqual({ actor_name: '裴迪', before: '{"mcp":true}', after: '{"mcp":false}' });
  done(await change(true, reader));
});
