import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TEST_MS } from '../limits.ts';
import { amount } from '../trial.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { done, openServer, PASSWORD, type Answer, type Person, type TestServer } from './server.ts';

const MANY = amount('SYNC_FILES', 100, 1_000);

let server: TestServer;
let person: Person;
let token: string;
beforeAll(async () => {
  server = await openServer();
  person = await server.join('同步的人');
  token = await tokenFor(['articles:read', 'articles:write', 'pictures:write']);
});
afterAll(() => server?.close());

const tokenFor = async (scopes: string[]): Promise<string> => {
  const wanted = { name: '同步', scopes, days: 7, password: PASSWORD };
  return done(await server.post('/api/user/tokens/create', wanted, person.token)).token;
};
const pathOf = (path: string, folder = 'articles') =>
  `/api/${folder}/by-path/${path.split('/').map(encodeURIComponent).join('/')}`;
const headersOf = (more: Record<string, string> = {}) => ({ Authorization: `Bearer ${token}`, ...more });
const put = (path: string, body: string | Uint8Array, headers = {}, query = ''): Promise<Answer> =>
  server.send(pathOf(path) + query, {
    method: 'PUT',
    headers: headersOf(headers),
    body: typeof body === 'string' ? body : new Uint8Array(body),
  });
const putPicture = async (path: string, body: Uint8Array): Promise<Answer> =>
  server.send(pathOf(path, 'pictures'), { method: 'PUT', headers: headersOf(), body: new Uint8Array(body) });
const remove = (path: string, headers = {}) =>
  server.send(pathOf(path), { method: 'DELETE', headers: headersOf(headers) });
const bytesOf = async (path: string): Promise<Buffer> => {
  const response = await fetch(server.url + pathOf(path), { headers: headersOf() });
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/markdown; charset=utf-8',
  ]);
  return Buffer.from(await response.arrayBuffer());
};
const sourceOf = async (id: string) => done(await server.post('/api/page/editdetail', { id }, person.token));
const list = async () => done(await server.send('/api/articles/by-path', { headers: headersOf() })).files;
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const MANY_LINKS = Array.from({ length: 2_001 }, (_, at) => `[a](${at}.md)`).join('');
const colour = (width: number) => twoColours(width, 20).png().toBuffer();

/** Edits the article of a file on the site. */
async function editOnSite(id: string, content: string) {
  const { title, tags } = await sourceOf(id);
  const fields = { id, title, tags, content, status: 'normal', secret: 'false' };
  done(await server.post('/api/page/edit', fields, person.token));
}

describe('a file that is put', () => {
  test.each([
    ['YAML', '---\ntitle: "甲"   # 注释\ntags: [诗, 词]\nodd:  {a: 1}\n---\n\n正文  \n\n\n'],
    ['Windows', '\ufeff---\r\ntitle: 乙\r\ntags:\r\n  - 诗\r\n---\r\n\r\n一\r\n二'],
    ['TOML', '+++\ntitle = "丙"\ntags = ["诗"]\ndate = 2020-01-02T03:04:05Z\n+++\n正文\n'],
    ['draft', '---\ntitle: 丁\ndraft: true\n---\n没有写完'],
    ['without front matter', '# 戊\n\n正文\n'],
  ])('comes back byte for byte (%s)', async (name, text) => {
    const saved = done(await put(`诗/${name}.md`, text));
    expect([saved.outcome, saved.url]).toEqual(['created', `/detail/${saved.id}`]);
    expect(await bytesOf(`诗/${name}.md`)).toEqual(Buffer.from(text));
    expect(saved.etag).toBe(hashOf(Buffer.from(text)));
    expect(done(await put(`诗/${name}.md`, text)).outcome).toBe('same');
  });

  test('with hidden parts becomes secret, and the answer says so', async () => {
    const { id, notes } = done(
      await put('藏/回复可见.md', '---\ntags: [诗]\n---\n开头\n\n[hide]\n秘密\n[/hide]\n'),
    );
    expect(notes).toContain('含有隐藏内容（hide），已设为私密');
    expect(await sourceOf(id)).toMatchObject({ secret: true, status: 'normal' });
    const shown = done(await put('藏/写法.md', '---\ntags: [诗]\n---\n`[hide]` 与 `[/hide]`\n'));
    expect(shown.notes).toEqual([]);
    expect((await sourceOf(shown.id)).secret).toBe(false);
  });

  test('in another encoding comes back in it', async () => {
    const bytes = Buffer.from('2320d6d0cec40a0ad5fdcec4b5dac8fdb6ceb2bbb6cc0a', 'hex');
    const { id, notes } = done(await put('诗/编码.md', bytes));
    expect(notes).toContain('文件不是 UTF-8，已按 GB18030 读取');
    expect(await bytesOf('诗/编码.md')).toEqual(bytes);
    expect((await sourceOf(id)).title).toBe('中文');
  });

  test('becomes one article: its fields, and later changes', async () => {
    const front =
      'title: 山居\ntags: [诗]\ndate: 2019-05-06 07:08:09\nseries: 辋川集\nsummary: 秋天\nlicence: cc0-1.0';
    const { id, notes } = done(await put('集/山居.md', `---\n${front}\nmood: 静\n---\n空山\n`));
    expect(notes).toEqual(['没有用到“mood”']);
    const source = await sourceOf(id);
    expect(source).toMatchObject({
      title: '山居',
      content: '空山',
      status: 'normal',
      description: '秋天',
      licence: 'cc0-1.0',
      create_time: '2019-05-05T23:08:09.000Z',
    });
    expect(source.series).toMatch(/^[0-9a-f]{24}$/);
    const changed = done(await put('集/山居.md', `---\n${front}\n---\n空山新雨后\n`));
    expect([changed.id, changed.outcome]).toEqual([id, 'updated']);
    expect((await sourceOf(id)).content).toBe('空山新雨后');
  });

  test('takes its folder as the tag it lacks, or 未分类 at the top', async () => {
    const { id } = done(await put('随笔/无标签.md', '# 无标签\n\n正文'));
    expect((await sourceOf(id)).tags).toEqual(['随笔']);
    const top = done(await put('无标签.md', '# 无标签\n\n正文'));
    expect((await sourceOf(top.id)).tags).toEqual(['未分类']);
  });
});

describe('versions', () => {
  test('an edit on the site is a conflict, with the other version, until it is merged', async () => {
    const { id, etag } = done(await put('冲突/甲.md', '# 甲\n\n一\n'));
    await editOnSite(id, '站上改的');
    const refused = await put('冲突/甲.md', '# 甲\n\n二\n');
    expect([refused.status, refused.error]).toEqual([409, 'FILE_CHANGED']);
    const other = JSON.parse(refused.text) as { etag: string; present: string };
    expect(other.present).toContain('站上改的');
    expect((await bytesOf('冲突/甲.md')).toString()).toBe(other.present);
    expect((await put('冲突/甲.md', '# 甲\n\n二\n', { 'If-Match': `"${etag}"` })).status).toBe(409);
    expect((await sourceOf(id)).content).toBe('站上改的');
    const merged = `${other.present}\n本地的`;
    done(await put('冲突/甲.md', merged, { 'If-Match': `"${other.etag}"` }));
    expect((await bytesOf('冲突/甲.md')).toString()).toBe(merged);
    expect((await sourceOf(id)).content).toBe('站上改的\n\n本地的');
  });

  test('the file of an edited article, put unchanged, changes nothing', async () => {
    const { id } = done(await put('冲突/乙.md', '---\ntitle: 乙\ntags: [诗]\nsecret: true\n---\n一\n'));
    await editOnSite(id, '# 标题\n\n站上改的\n\n- 一\n- 二');
    const before = await sourceOf(id);
    const bytes = await bytesOf('冲突/乙.md');
    done(await put('冲突/乙.md', bytes, { 'If-Match': '*' }));
    const { update_time: _, ...after } = await sourceOf(id);
    expect(before).toMatchObject(after);
  });

  test('If-Match and If-None-Match are obeyed', async () => {
    const [one, two] = ['# 丙\n\n一\n', '# 丙\n\n二\n'];
    expect((await put('冲突/丙.md', one, { 'If-Match': '"x"' })).status).toBe(409);
    const { etag } = done(await put('冲突/丙.md', one, { 'If-None-Match': '*' }));
    expect((await put('冲突/丙.md', two, { 'If-None-Match': '*' })).status).toBe(409);
    done(await put('冲突/丙.md', two, { 'If-Match': `"${etag}"` }));
    expect((await put('冲突/丙.md', one, { 'If-Match': `"${etag}"` })).status).toBe(409);
    expect((await remove('冲突/丙.md', { 'If-Match': `"${etag}"` })).status).toBe(409);
  });

  test('of several writers at the same moment one creates the article, and one changes it', async () => {
    const race = (count: number, headers = {}) =>
      Promise.all(
        Array.from({ length: count }, (_, at) => put('冲突/戊己.md', `# 戊己\n\n${at}\n`, headers)),
      );
    const created = await race(8);
    expect(created.filter(({ code }) => code === 'OK').length).toBeGreaterThan(0);
    const rows = await server.rows(`select id from articles where title = '戊己'`);
    expect(rows).toHaveLength(1);
    const etag = hashOf(await bytesOf('冲突/戊己.md'));
    const changed = await race(8, { 'If-Match': `"${etag}"` });
    const outcomes = changed.map(({ status, data }) => (status === 200 ? data.outcome : status));
    expect(outcomes.filter((outcome) => outcome === 'updated').length).toBeLessThanOrEqual(1);
    expect(outcomes.every((outcome) => [409, 'updated', 'same'].includes(outcome))).toBe(true);
  });
});

describe('pictures and links', () => {
  test('relative pictures are uploaded first, once per content, and shown', async () => {
    const picture = await colour(20);
    const text = '# 图\n\n![一](../图/a%20b.png)\n\n`![](code.png)`\n\n![外](https://example.com/x.png)\n';
    const refused = await put('图文/图.md', text);
    expect([refused.status, refused.error]).toEqual([409, 'PICTURES_MISSING']);
    expect(JSON.parse(refused.text).missing).toEqual(['图/a b.png']);
    const { url } = done(await putPicture('图/a b.png', picture));
    expect(done(await putPicture('图/again.png', picture)).url).toBe(url);
    const { id } = done(await put('图文/图.md', text));
    expect((await sourceOf(id)).content).toBe(
      `![一](${url})\n\n\`![](code.png)\`\n\n![外](https://example.com/x.png)`,
    );
    expect((await bytesOf('图文/图.md')).toString()).toBe(text);

    const { url: next } = done(await putPicture('图/a b.png', await colour(30)));
    const entry = (await list()).find(({ path }: { path: string }) => path === '图文/图.md');
    expect(entry).toMatchObject({ is_stale: true, state: 'same', digest: hashOf(Buffer.from(text)) });
    expect(done(await put('图文/图.md', text)).outcome).toBe('updated');
    expect((await sourceOf(id)).content).toContain(`![一](${next})`);
  });

  test('links to other files become links to their articles, once those exist', async () => {
    const text = '# 起\n\n见[承](./承.md)。\n';
    const { id } = done(await put('链/起.md', text));
    expect((await sourceOf(id)).content).toBe('见[承](./承.md)。');
    const other = done(await put('链/承.md', '# 承\n\n正文\n'));
    expect(done(await put('链/起.md', text)).outcome).toBe('updated');
    expect((await sourceOf(id)).content).toBe(`见[承](/detail/${other.id})。`);
  });

  test('a missing picture can be accepted', async () => {
    const { id } = done(await put('图文/缺.md', '# 缺\n\n![](none.png)\n', {}, '?missing=keep'));
    expect((await sourceOf(id)).content).toBe('![](none.png)');
  });
});

test('a deleted file moves its article to the trash; one deleted on the site is listed as gone', async () => {
  const { id } = done(await put('删/甲.md', '# 甲\n\n一\n'));
  done(await remove('删/甲.md'));
  const trash = done(await server.post('/api/page/trash', {}, person.token)).result;
  expect(trash.map(({ _id }: { _id: string }) => _id)).toContain(id);
  expect((await remove('删/甲.md')).error).toBe('FILE_NOT_FOUND');
  const other = done(await put('删/乙.md', '# 乙\n\n一\n'));
  done(await server.post('/api/page/delete', { id: other.id }, person.token));
  expect((await list()).find(({ path }: { path: string }) => path === '删/乙.md').state).toBe('gone');
  expect((await server.send(pathOf('删/乙.md'), { headers: headersOf() })).error).toBe('FILE_NOT_FOUND');
  expect(done(await put('删/乙.md', '# 乙\n\n一\n')).id).not.toBe(other.id);
});

describe('bad input changes nothing:', () => {
  test.each([
    ['broken YAML', 'x/a.md', '---\ntitle: "甲\n---\n正文', 200, 'FIELD_INVALID'],
    ['NUL', 'x/a.md', 'a\0b', 200, 'FIELD_INVALID'],
    ['an empty file', 'x/a.md', ' \n', 200, 'FIELD_INVALID'],
    ['5 MB', 'x/a.md', 'a'.repeat(5_000_000), 413, 'BODY_TOO_LARGE'],
    ['a large front matter', 'x/a.md', `---\na: ${'x'.repeat(40_000)}\n---\n正文`, 200, 'FIELD_INVALID'],
    ['a text over the limit', 'x/a.md', '[a](1.md) '.repeat(200_000), 200, 'FIELD_INVALID'],
    ['nested quotes over the limit', 'x/a.md', '> '.repeat(300_000), 200, 'FIELD_INVALID'],
    ['more links than allowed', 'x/a.md', MANY_LINKS, 200, 'FIELD_INVALID'],
    ['another kind of file', 'x/a.txt', '正文', 200, 'FIELD_INVALID'],
    ['a path upwards', '../a.md', '# a\n\n正文', 200, 'FIELD_INVALID'],
    ['an empty folder name', 'x//a.md', '# a\n\n正文', 200, 'FIELD_INVALID'],
    ['a long path', `${'x'.repeat(300)}.md`, '# a\n\n正文', 200, 'FIELD_INVALID'],
  ])('%s', async (_, path, body, status, error) => {
    const before = await list();
    const encoded = encodeURIComponent(path);
    const answer = await server.send(`/api/articles/by-path/${encoded}`, {
      method: 'PUT',
      headers: headersOf(),
      body,
    });
    expect([answer.status, answer.error]).toEqual([status, error]);
    expect(await list()).toEqual(before);
  });

  test(
    'many files at once: each becomes one article, now or when it is sent again',
    { timeout: TEST_MS + 200 * MANY },
    async () => {
      const names = Array.from({ length: MANY }, (_, at) => `多/${at}.md`);
      const told = new Set<string>();
      const send = async (path: string) => {
        // The server closes connections of which one address has too many.
        const { code, status } = await put(path, `# ${path}\n\n正文\n`).catch(() => ({
          code: '',
          status: 503,
        }));
        if (code === 'OK') told.delete(path);
        else told.add(path);
        expect([code === 'OK', status === 429, status === 503]).toContain(true);
      };
      await Promise.all(names.map(send));
      while (told.size > 0) await Promise.all([...told].slice(0, 20).map(send));
      const files = (await list()) as { path: string; id: string }[];
      const many = files.filter(({ path }) => path.startsWith('多/'));
      expect(many.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
      const own = done(await server.post('/api/page/limitpagelist', { content: '同步的人' }, person.token));
      expect(own.total).toBeLessThanOrEqual(files.length);
      expect(new Set(many.map(({ id }) => id)).size).toBe(MANY);
    },
  );

  test('a token without the scope, a visitor, and another author', async () => {
    done(await put('权/甲.md', '# 甲\n\n一\n'));
    const reads = await tokenFor(['articles:read']);
    const as = (authorization: string, method: string) =>
      server.send(pathOf('权/甲.md'), {
        method,
        headers: { Authorization: authorization },
        ...(method === 'PUT' ? { body: 'x' } : {}),
      });
    for (const method of ['PUT', 'DELETE'])
      expect((await as(`Bearer ${reads}`, method)).error).toBe('SCOPE_MISSING');
    expect((await as('', 'GET')).error).toBe('SIGNIN_REQUIRED');
    const other = await server.join('别人');
    expect((await as(`Bearer ${other.token}`, 'GET')).error).toBe('FILE_NOT_FOUND');
  });
});
