import { afterAll, describe, expect, test, vi } from 'vitest';
import { BLOG, call, createToken, faultIn, openEditor, openEditorStage, param, POST } from './editor.ts';
import { done, openServer, PASSWORD } from './server.ts';
import { sendExactly } from './wire.ts';

const { server, author, editor } = await openEditorStage();
afterAll(() => server.close());

const asUser = (token: string, username = '王维') => openEditor(server.url, { username, token });
/** Texts of everything that a refused request must leave unchanged. */
const stored = () => server.rows('select id, update_time, status from articles order by id');

/** Sends a body; returns code and text of the fault. */
async function sendXml(body: BodyInit): Promise<[number, string]> {
  const { status, headers, text } = await server.raw('/xmlrpc.php', body, { type: 'text/xml' });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/xml; charset=utf-8');
  return faultIn(text);
}

describe('a body that is no method call is refused', () => {
  const MALFORMED = -32700;
  const laughs = Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
  ).join('');

  test.each<[string, BodyInit, number, string]>([
    ['empty', '', MALFORMED, '请求内容不是完整的 XML'],
    ['no XML', '{"method":"metaWeblog.newPost"}', MALFORMED, '请求内容不是完整的 XML'],
    ['cut off', '<methodCall><methodName>a', MALFORMED, '请求内容不是完整的 XML'],
    ['HTML', '<html><body></body></html>', MALFORMED, '请求内容不是 XML-RPC 调用'],
    ['without a method', call('', ''), MALFORMED, '请求内容不是 XML-RPC 调用'],
    [
      'whose method comes late',
      `<methodCall>${' '.repeat(50_000)}<methodName>`,
      MALFORMED,
      '请求内容不是 XML-RPC 调用',
    ],
    [
      'with a billion laughs',
      `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]>${call(param('&l9;'))}`,
      MALFORMED,
      '请求内容不能带有 DOCTYPE',
    ],
    [
      'with an external entity',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${call(param('&x;'))}`,
      MALFORMED,
      '请求内容不能带有 DOCTYPE',
    ],
    ['with an unknown entity', call(param('&nbsp;')), MALFORMED, '请求内容不是完整的 XML'],
    ['with NUL', call(param('a\0b')), MALFORMED, '请求内容不是完整的 XML'],
    ['not in UTF-8', new Uint8Array([60, 97, 62, 0xff, 0xfe]), MALFORMED, '请求内容不是有效的 UTF-8 编码'],
    ['nested deeply', '<a>'.repeat(100_000), MALFORMED, '请求内容的层次过深'],
    ['of 10 MB', call(param('字'.repeat(3_400_000))), 413, '提交的内容过大'],
    ['with an unknown type', call(param('<money>1</money>')), MALFORMED, '不认识的类型 money'],
    ['with two values', call(param('<int>1</int><int>2</int>')), MALFORMED, '参数的值不止一个'],
    ['with a text as a number', call(param('<int>一</int>')), MALFORMED, '整数的值有误'],
    ['with a number that is too large', call(param('<i4>2147483648</i4>')), MALFORMED, '整数的值有误'],
    ['with a bad switch', call(param('<boolean>2</boolean>')), MALFORMED, 'boolean 的值应为 0 或 1'],
    ['with a bad fraction', call(param('<double>1/2</double>')), MALFORMED, 'double 的值不是数'],
    ['with bad base64', call(param('<base64>图</base64>')), MALFORMED, 'base64 的值有误'],
    ['with a parameter without a value', call('<param></param>'), MALFORMED, '参数没有值'],
  ])('%s', async (_name, body, code, text) => {
    const before = await stored();
    expect(await sendXml(body)).toEqual([code, text]);
    expect(await stored()).toEqual(before);
  });

  test('in chunks of unknown length, once it is too deep', async () => {
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('<a>'.padEnd(8_192)));
      },
    });
    const response = await fetch(`${server.url}/xmlrpc.php`, {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    expect(await response.text()).toContain('请求内容不是 XML-RPC 调用');
  });

  test('sent by GET', async () => {
    const response = await fetch(`${server.url}/xmlrpc.php`);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await response.text()).toContain('这个地址只接受 POST 请求');
  });
});

test.each([
  'system.multicall',
  'pingback.ping',
  'pingback.extensions.getPingbacks',
  'wp.newPost',
  'constructor',
])('the method %s does not exist', async (method) => {
  expect(await editor.fault(method, BLOG)).toEqual({
    faultCode: -32601,
    faultString: `不支持方法 ${method}`,
  });
});

describe('parameters of a wrong type are refused by', () => {
  test.each<[string, unknown[], string]>([
    ['metaWeblog.newPost', [], '第 4 个参数缺少或类型不对'],
    ['metaWeblog.newPost', ['鹿柴', true], '第 4 个参数缺少或类型不对'],
    ['metaWeblog.newPost', [{ title: 7 }, true], '第 4 个参数的 title 缺少或类型不对'],
    ['metaWeblog.newPost', [{ categories: '诗' }, true], '第 4 个参数的 categories 缺少或类型不对'],
    ['metaWeblog.newPost', [POST, '是'], '第 5 个参数缺少或类型不对'],
    ['metaWeblog.newPost', [{ title: '长'.repeat(400_001) }, true], '第 4 个参数的 title 过长'],
    ['metaWeblog.getRecentPosts', ['十'], '第 4 个参数缺少或类型不对'],
    ['metaWeblog.getRecentPosts', ['5 5'], '第 4 个参数缺少或类型不对'],
    ['metaWeblog.getRecentPosts', [true], '第 4 个参数缺少或类型不对'],
    ['metaWeblog.newPost', [POST, 2], '第 5 个参数缺少或类型不对'],
    ['metaWeblog.newMediaObject', [{ name: 'a.png' }], '第 4 个参数的 bits 缺少或类型不对'],
    ['mt.setPostCategories', [['诗']], '第 4 个参数的 0 缺少或类型不对'],
  ])('%s %j', async (method, params, faultString) => {
    const before = await stored();
    expect(await editor.fault(method, BLOG, ...params)).toEqual({ faultCode: -32602, faultString });
    expect(await stored()).toEqual(before);
  });

  test('any method without user name and token', async () => {
    await expect(editor.call('metaWeblog.getPost', 'a')).rejects.toMatchObject({
      faultCode: -32602,
      faultString: '第 2 个参数缺少或类型不对',
    });
  });

  test('a picture that is none', async () => {
    const file = { name: 'a.png', bits: Buffer.from('no picture') };
    expect(await editor.fault('metaWeblog.newMediaObject', BLOG, file)).toEqual({
      faultCode: 400,
      faultString: '无法识别的图片，请使用 PNG、JPEG、WebP、GIF 或 AVIF 格式',
    });
  });
});

describe('the token', () => {
  const refusal = (faultString: string, faultCode = 401) => ({ faultCode, faultString });

  test('must be one: a password or a session is none', async () => {
    const text = '密码处请填写访问令牌，在网站的「账号设置」里新建';
    for (const secret of [PASSWORD, author.token, ''])
      expect(await asUser(secret).fault('metaWeblog.getRecentPosts', BLOG, 1)).toEqual(refusal(text));
  });

  test('must be valid, and belong to the user', async () => {
    const token = await createToken(server, author);
    const broken = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    expect(await asUser(broken).fault('blogger.getUsersBlogs', 'key')).toMatchObject({ faultCode: 401 });
    const other = await server.join('裴迪');
    expect(await asUser(token, other.username).fault('blogger.getUsersBlogs', 'key')).toEqual(
      refusal('访问令牌不属于这个用户名'),
    );
  });

  test('allows what its scopes allow', async () => {
    const reader = asUser(await createToken(server, author, ['articles:read']));
    expect(await reader.fault('metaWeblog.newPost', BLOG, POST, true)).toEqual(
      refusal('访问令牌没有权限 articles:write', 403),
    );
    const file = { name: 'a.png', bits: Buffer.from('a') };
    expect(await reader.fault('metaWeblog.newMediaObject', BLOG, file)).toEqual(
      refusal('访问令牌没有权限 pictures:write', 403),
    );
    const writer = asUser(await createToken(server, author, ['articles:write']));
    const id = await writer.act('metaWeblog.newPost', BLOG, POST, true);
    expect(await writer.fault('metaWeblog.getPost', id)).toEqual(
      refusal('访问令牌没有权限 articles:read', 403),
    );
  });

  test('opens no article of another author', async () => {
    const other = await server.join('孟浩然');
    const draft = await server.write(other, { status: 'draft' });
    const shown = await server.write(other);
    for (const method of ['metaWeblog.getPost', 'blogger.deletePost', 'mt.publishPost']) {
      expect(await editor.fault(method, draft)).toEqual(refusal('文章不存在或已被删除', 404));
      expect(await editor.fault(method, shown)).toEqual(refusal('只能操作自己发布的内容', 403));
    }
    expect(await editor.fault('metaWeblog.editPost', shown, POST, true)).toEqual(
      refusal('只能操作自己发布的内容', 403),
    );
    expect(await editor.fault('metaWeblog.getPost', '../etc')).toEqual(refusal('编号格式不正确', -32602));
  });
});

describe('every error is a fault', () => {
  test('a token in the address', async () => {
    const token = await createToken(server, author);
    const { status, headers, text } = await server.raw(`/xmlrpc.php?token=${token}`, call(''), {
      type: 'text/xml',
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(faultIn(text)[0]).toBe(400);
  });

  test.each(['/xmlrpc.php', '/api/xmlrpc'])('one that nobody expected, at %s', async (path) => {
    const failing = vi.spyOn(server.app.services.tags, 'names').mockRejectedValue(new Error('no'));
    const other = openEditor(
      server.url,
      { username: '王维', token: await createToken(server, author) },
      path,
    );
    expect(await other.fault('metaWeblog.getCategories', BLOG)).toEqual({
      faultCode: 500,
      faultString: '服务器出了点问题，请稍后再试',
    });
    failing.mockRestore();
    const broken = vi.spyOn(server.app.services.accessTokens, 'bearerOf').mockRejectedValue(new Error('no'));
    expect((await other.fault('metaWeblog.getCategories', BLOG)).faultCode).toBe(500);
    broken.mockRestore();
  });
});

describe('the rules of the site', () => {
  test('hold for editors: a published post needs a tag, and bounds', async () => {
    expect(await editor.fault('metaWeblog.newPost', BLOG, { ...POST, categories: [] }, true)).toEqual({
      faultCode: -32602,
      faultString: '请至少填写 1 个标签',
    });
    const long = { ...POST, title: '长'.repeat(121) };
    expect(await editor.fault('metaWeblog.newPost', BLOG, long, true)).toMatchObject({
      faultString: '标题不能超过 120 个字符',
    });
  });

  test('hold for editors: listed words, quotas, and limits on requests', async () => {
    const bounded = await openServer({ RATE_LIMIT: 'on', QUOTA_ARTICLES: '1' });
    const person = await bounded.join('王维');
    const staff = await bounded.join('老李');
    await bounded.app.services.roles.set('老李', 'editor', null);
    done(
      await bounded.post(
        '/api/staff/words/add',
        { words: '违禁', category: '', action: 'reject' },
        staff.token,
      ),
    );
    const limited = openEditor(bounded.url, {
      username: '王维',
      token: await createToken(bounded, person),
    });
    expect(await limited.fault('metaWeblog.newPost', BLOG, { ...POST, title: '违禁' }, true)).toEqual({
      faultCode: 400,
      faultString: '「违禁」不能出现在这里，请修改后再发',
    });
    await limited.act('metaWeblog.newPost', BLOG, POST, true);
    expect(await limited.fault('metaWeblog.newPost', BLOG, POST, true)).toEqual({
      faultCode: 429,
      faultString: '今天新建的文章和草稿已达上限（1 篇），请明天再试',
    });
    const codes = [];
    for (let count = 0; count < 120; count++)
      codes.push((await limited.fault('blogger.deletePost', 'f'.repeat(24))).faultCode);
    expect([codes.at(0), codes.at(-1)]).toEqual([404, 429]);
    await bounded.close();
  });
});

test.each(['/xmlrpc.php', '/api/xmlrpc'])(
  'a request to %s that is refused before it is read gets a fault',
  async (path) => {
    const { status, head, body } = await sendExactly(
      server.url,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(status).toBe(200);
    expect(head).toContain('Content-Type: text/xml; charset=utf-8');
    expect(faultIn(body)).toEqual([417, '不支持请求中的 Expect']);
  },
);
