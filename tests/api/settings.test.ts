import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { ID, INSTANT, NOWHERE } from './shapes.ts';

let server: TestServer;
let author: Person;
let stranger: Person;
beforeAll(async () => {
  server = await openServer({ SITE_URL: 'https://blog.example' });
  author = await server.join('王维');
  stranger = await server.join('路人');
});
afterAll(() => server?.close());

const SOURCE = 'https://example.com/a?b=1&c="2"';
const source = async (id: string) => done(await server.post('/api/page/editdetail', { id }, author.token));
const edit = (id: string, fields: Fields = {}) =>
  server.post(
    '/api/page/edit',
    { id, title: '山居', content: '空山新雨后', tags: ['诗'], ...fields },
    author.token,
  );
const page = async (path: string) => (await server.send(path)).text;
const profile = () => page(`/user/info/${encodeURIComponent('王维')}`);
const makeSeries = async (fields: Fields = {}, person = author) =>
  done(await server.post('/api/series/create', { title: '辋川集', ...fields }, person.token));
const readSeries = (id: string, token?: string) => server.post('/api/series/detail', { id }, token);
const titles = async (id: string, token?: string) =>
  done(await readSeries(id, token)).articles.map(({ title }: { title: string }) => title);
const order = (id: string, ids: string[], person = author) =>
  server.post('/api/series/order', { id, ids }, person.token);

describe('settings of an article', () => {
  const settled = { source: SOURCE, licence: 'cc-by-4.0', comments_closed: true, pinned: true };

  test('are stored, stay when the client omits them, and are removed when sent empty', async () => {
    const id = await server.write(author, settled);
    expect(await source(id)).toMatchObject(settled);
    done(await edit(id, { title: '改题' }));
    expect(await source(id)).toMatchObject({ title: '改题', ...settled });
    done(await edit(id, { source: '', licence: '', comments_closed: 'false', pinned: '0' }));
    const none = { source: '', licence: '', comments_closed: false, pinned: false, series: '' };
    expect(await source(id)).toMatchObject(none);
  });

  test.for([
    ['source', 'javascript:alert(1)', '原文地址应是以 http:// 或 https:// 开头的网址'],
    ['source', 'https://', '原文地址应是以 http:// 或 https:// 开头的网址'],
    ['source', `https://example.com/${'长'.repeat(500)}`, '原文地址不能超过 500 个字符'],
    ['licence', 'cc-by-9.0', '没有这种许可协议'],
    ['licence', 'constructor', '没有这种许可协议'],
    ['pinned', 'perhaps', '开关的值应为 true 或 false'],
    ['series', 'x', '专栏编号格式不正确'],
  ] as const)('%s cannot be %s', async ([name, value, says]) => {
    const id = await server.write(author);
    expect(outcome(await edit(id, { [name]: value }))).toEqual(refused(says));
  });

  test('a reprint names its original and its licence, as text', async () => {
    const html = await page(`/detail/${await server.write(author, settled)}`);
    expect(html).toMatch(/href="https:\/\/example\.com\/a\?b=1&(?:amp|#38);c=&(?:quot|#34);2&(?:quot|#34);"/);
    expect(html).toMatch(/转载自[\s\S]{0,200}example\.com/);
    expect(html).toContain('https://creativecommons.org/licenses/by/4.0/deed.zh-hans');
    expect(html).toContain('"license":"https://creativecommons.org/licenses/by/4.0/deed.zh-hans"');
    expect(await page(`/detail/${await server.write(author)}`)).not.toContain('许可协议');
  });

  test('closed comments refuse new ones and keep existing ones', async () => {
    const id = await server.write(author);
    await server.comment(stranger, id, { content: '先写的' });
    done(await edit(id, { comments_closed: 'true' }));
    for (const person of [stranger, author])
      expect(
        outcome(await server.post('/api/comment/create', { content: '后写的', page_id: id }, person.token)),
      ).toEqual(refused('作者关闭了这篇文章的评论'));
    expect(await page(`/detail/${id}`)).toContain('先写的');
    done(await edit(id, { comments_closed: 'false' }));
    await server.comment(stranger, id, { content: '又开了' });
  });

  test('a pinned article is first on the profile, once and immediately, and not when hidden', async () => {
    const old = await server.write(author, { title: '旧而要紧' });
    for (let index = 0; index < 11; index++) await server.write(author, { title: `新的${index}` });
    expect(await profile()).not.toContain('旧而要紧');
    done(await edit(old, { title: '旧而要紧', pinned: 'true' }));
    const first = await profile();
    expect(first.indexOf('旧而要紧')).toBeLessThan(first.indexOf('新的10'));
    expect(first.match(/<bdi>旧而要紧<\/bdi>/g)).toHaveLength(1);
    const asked = { type: 'create_user', content: '王维', pinned: 'true', pageSize: 100 };
    const pinned = done(await server.post('/api/page/pagelist', asked)).result;
    expect(pinned.map(({ title }: { title: string }) => title)).toContain('旧而要紧');
    expect(pinned.length).toBeLessThanOrEqual(5);
    done(await edit(old, { title: '旧而要紧', pinned: 'true', secret: 'true' }));
    expect(await profile()).not.toContain('旧而要紧');
  });
});

describe('a series', () => {
  test('is created, described, listed and deleted by its author; its articles stay', async () => {
    const made = await makeSeries({ description: '二十首' });
    expect(made).toEqual({
      _id: ID,
      title: '辋川集',
      description: '二十首',
      cover: '',
      create_user: '王维',
      create_time: INSTANT,
      update_time: INSTANT,
      page_num: 0,
    });
    const id = await server.write(author, { title: '鹿柴', series: made._id });
    const edited = done(await server.post('/api/series/edit', { id: made._id, title: '辋川' }, author.token));
    expect(edited).toMatchObject({ title: '辋川', description: '', page_num: 1 });
    expect(await page(`/detail/${id}`)).toContain('辋川');
    expect(await page(`/series/${made._id}`)).toContain('鹿柴');
    expect(await profile()).toContain(`/series/${made._id}`);
    done(await server.post('/api/series/delete', { id: made._id }, author.token));
    expect(outcome(await readSeries(made._id, author.token))).toEqual(refused('专栏不存在或已被删除'));
    expect((await server.send(`/series/${made._id}`)).status).toBe(302);
    expect(await page(`/detail/${id}`)).not.toContain('专栏');
    expect(await source(id)).toMatchObject({ title: '鹿柴', series: '' });
  });

  test('has its articles in the order its author gives them, new ones last', async () => {
    const { _id } = await makeSeries();
    const ids: string[] = [];
    for (const title of ['一', '二', '三']) ids.push(await server.write(author, { title, series: _id }));
    expect(await titles(_id)).toEqual(['一', '二', '三']);
    const [one = '', two = '', three = ''] = ids;
    done(await order(_id, [three, one, NOWHERE, three]));
    expect(await titles(_id)).toEqual(['三', '一', '二']);
    await server.write(author, { title: '四', series: _id });
    expect(await titles(_id)).toEqual(['三', '一', '二', '四']);
    const html = await page(`/detail/${one}`);
    expect(html).toContain('第 2 篇，共 4 篇');
    expect(html).toContain(`href="/detail/${three}"`);
    expect(html).toContain(`href="/detail/${two}"`);
    // The cached page of a neighbour in the series is updated.
    done(await order(_id, [one]));
    expect(await page(`/detail/${three}`)).toContain('第 2 篇，共 4 篇');
    done(await edit(one, { title: '改名', series: _id }));
    expect(await page(`/detail/${three}`)).toContain('改名');
    expect(await page(`/series/${_id}`)).toContain('改名');
  });

  test('shows drafts and secret articles only to its author, and is hidden while it has no others', async () => {
    const { _id } = await makeSeries({ title: '未成之作' });
    await server.write(author, { title: '藏着的', series: _id, status: 'draft' });
    await server.write(author, { title: '私下的', series: _id, secret: 'true' });
    const nothing = outcome(await readSeries(NOWHERE, stranger.token));
    for (const token of [undefined, stranger.token]) {
      expect(outcome(await readSeries(_id, token))).toEqual(nothing);
      const { result } = done(await server.post('/api/series/list', { username: '王维' }, token));
      expect(result.map(({ title }: { title: string }) => title)).not.toContain('未成之作');
    }
    expect((await server.send(`/series/${_id}`)).status).toBe(302);
    expect(await profile()).not.toContain('未成之作');
    expect(await titles(_id, author.token)).toEqual(['藏着的', '私下的']);
    const own = await server.send(`/series/${_id}`, { headers: { Cookie: `token=${author.token}` } });
    expect(own.headers.get('cache-control')).toBe('private, no-store');
    const open = await server.write(author, { title: '公开的', series: _id });
    expect(await titles(_id, stranger.token)).toEqual(['公开的']);
    expect(done(await readSeries(_id)).page_num).toBe(1);
    expect(await page(`/detail/${open}`)).toContain('第 1 篇，共 1 篇');
  });

  test('can be changed and filled only by its author', async () => {
    const { _id } = await makeSeries();
    await server.write(author, { title: '一', series: _id });
    const gone = refused('专栏不存在或已被删除');
    expect(outcome(await server.post('/api/series/edit', { id: _id, title: '夺' }, stranger.token))).toEqual(
      gone,
    );
    expect(outcome(await order(_id, [], stranger))).toEqual(gone);
    expect(outcome(await server.post('/api/series/delete', { id: _id }, stranger.token))).toEqual(gone);
    const theirs = await server.write(stranger, { title: '混进来', series: _id });
    expect(await titles(_id)).toEqual(['一']);
    const own = done(await server.post('/api/page/editdetail', { id: theirs }, stranger.token));
    expect(own.series).toBe('');
  });

  test('an article of a series deleted meanwhile is saved without a series', async () => {
    const { _id } = await makeSeries();
    const id = await server.write(author, { series: _id });
    done(await server.post('/api/series/delete', { id: _id }, author.token));
    done(await edit(id, { series: _id, content: '写了很多' }));
    expect(await source(id)).toMatchObject({ series: '', content: '写了很多' });
  });

  test('needs a name, and an author has a hundred at most', async () => {
    expect(outcome(await server.post('/api/series/create', {}, author.token))).toEqual(
      refused('请填写专栏名称'),
    );
    expect(outcome(await server.post('/api/series/create', { title: '甲' }))).toEqual(
      refused('请重新登录', 402),
    );
    const many = await server.join('多产的人');
    for (let index = 0; index < 100; index++) await makeSeries({ title: `第${index}` }, many);
    expect(outcome(await server.post('/api/series/create', { title: '一百零一' }, many.token))).toEqual(
      refused('专栏数量已达上限（100 个）'),
    );
  });
});
