import { afterAll, beforeAll, expect, test } from 'vitest';
import { articleUrl } from '../../src/lib/shared/urls.ts';
import { decide } from './decide.ts';
import { done, openServer, outcome, refused, type Person, type TestServer, type Untyped } from './server.ts';

let server: TestServer;
let author: Person;
let other: Person;
let editor: Person;

beforeAll(async () => {
  server = await openServer();
  author = await server.join('摩诘');
  other = await server.join('路人');
  editor = await server.join('老李');
  await server.app.services.roles.set(editor.username, 'editor', null);
  await server.app.services.options.change({ holdArticles: 'all', holdComments: 'all' }, null);
});
afterAll(() => server?.close());

const moderate = async (id: string, action: string, note = '') =>
  done(await decide(server, 'article', { ids: [id], action, note }, editor.token)).done;
const review = async (id: string) => done(await server.post('/api/page/review', { id }, author.token));
const edit = (id: string, content: string) =>
  server.post(
    '/api/page/edit',
    { id, title: '山中', content, tags: ['诗'], status: 'normal', secret: 'false' },
    author.token,
  );
const page = async (id: string, by?: Person) =>
  server.send(articleUrl(id), by ? { headers: { cookie: `token=${by.token}` } } : {});
const own = async (id: string) =>
  done(await server.post('/api/page/limitpagelist', { pageSize: 100 }, author.token)).result.find(
    ({ _id }: Untyped) => _id === id,
  );
const TEXT = '荆溪白石出，天寒红叶稀。山路元无雨，空翠湿人衣。';

test('an author sees a refusal, submits the changed article again, and it is approved', async () => {
  const id = await server.write(author, { title: '山中', content: TEXT });
  expect(await review(id)).toMatchObject({ state: 'held', note: '审核中', can_resubmit: false });
  await moderate(id, 'hide', '请注明出处');
  expect(await own(id)).toMatchObject({ moderation_note: '未通过：请注明出处', can_resubmit: true });
  expect(outcome(await server.post('/api/page/resubmit', { id }, author.token))).toEqual(
    refused('文章和审核时一样，请改好保存后再提交'),
  );
  done(await edit(id, `${TEXT}（王右丞集）`));
  expect(done(await server.post('/api/page/resubmit', { id }, author.token))).toBe('已重新提交，等待审核');
  const [held] = done(await server.post('/api/staff/held', { kind: 'article' }, editor.token)).result;
  expect(held).toMatchObject({ _id: id, reasons: ['all', 'resubmitted'], last: { note: '请注明出处' } });
  const read = done(await server.post('/api/staff/read', { kind: 'article', id }, editor.token));
  expect(read).toMatchObject({ content: `${TEXT}（王右丞集）`, judged: { content: TEXT } });
  await moderate(id, 'restore');
  expect(await review(id)).toMatchObject({ state: 'shown', note: '', can_resubmit: false });
  expect((await page(id)).status).toBe(200);
});

test('only its author sees and submits a refused article', async () => {
  const id = await server.write(author, { title: '山中', content: TEXT });
  await moderate(id, 'hide');
  for (const path of ['/api/page/review', '/api/page/resubmit'])
    expect(outcome(await server.post(path, { id }, other.token))).toEqual(refused('文章不存在或已被删除'));
});

test('the page of a pending article opens for its author and for staff, marked, and for no one else', async () => {
  const words = '只有作者和站务看得到的字';
  const id = await server.write(author, { title: '山中', content: words });
  const seen = await page(id, author);
  expect(seen.text).toContain(words);
  expect(seen.text).toContain('审核中');
  expect(seen.headers.get('cache-control')).toContain('no-store');
  const staff = await page(id, editor);
  expect(staff.text).toContain(words);
  expect(staff.text).toContain('你以站务身份阅读');
  expect(staff.headers.get('cache-control')).toContain('no-store');
  for (const by of [undefined, other]) expect((await page(id, by)).text).not.toContain(words);
  const log = await server.rows(`SELECT action FROM audit_log WHERE subject_id = '${id}'`);
  expect(log).toEqual([{ action: 'article.read' }]);
});

test('a large change waits, on every surface, until staff approves it', async () => {
  const id = await server.write(author, { title: '山中', content: TEXT });
  await moderate(id, 'restore');
  const changed = '本店新到一批明前好茶，欢迎选购';
  expect(done(await edit(id, changed))).toMatchObject({ pending: true });
  const surfaces = async () =>
    [
      (await page(id)).text,
      (await page(id, other)).text,
      (await server.send('/feed.xml')).text,
      JSON.stringify(done(await server.post('/api/page/detail', { id }))),
      JSON.stringify(done(await server.post('/api/page/searchpage', { keywords: changed }))),
    ].join('\n');
  expect(await surfaces()).not.toContain(changed);
  expect(await own(id)).toMatchObject({ changed: true, change_note: '改动审核中' });
  const approve = (by: Person) => decide(server, 'article', { ids: [id], action: 'approve' }, by.token);
  expect((await approve(author)).error).toBe('NOT_ALLOWED');
  expect(done(await approve(editor))).toEqual({ done: [id], changed: [] });
  expect(await surfaces()).toContain(changed);
  expect(await own(id)).not.toHaveProperty('change_note');
});

test.each([
  ['/api/staff/articles/moderate', { action: 'restore' }],
  ['/api/staff/comments/moderate', { action: 'restore' }],
  ['/api/staff/changes/decide', { kind: 'article', action: 'approve' }],
])('a decision that names no version is refused (%s)', async (path, fields) => {
  const id = await server.write(author, { title: '山中', content: TEXT });
  for (const versions of [[], ['a', 'b']]) {
    const answer = await server.post(path, { ...fields, ids: [id], versions }, editor.token);
    expect(answer).toMatchObject({
      error: 'FIELD_INVALID',
      field: 'versions',
      data: '请写明每一项是在哪个版本上决定的：versions 和 ids 一一对应',
    });
  }
  expect((await page(id)).status).not.toBe(200);
});
