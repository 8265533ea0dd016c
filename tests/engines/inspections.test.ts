import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Takedown } from '../../src/lib/contract/calls/review-calls.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let author: Person;
let reader: Person;
let editor: Person;

beforeAll(async () => {
  stage = await openStaffStage();
  author = await stage.signUp('王维');
  reader = await stage.signUp('裴迪');
  editor = await stage.signUp('老李');
  await stage.app.services.roles.set('老李', 'editor', null);
  await stage.app.services.words.add(['代购'], { category: '广告', action: 'hold' }, null);
  await stage.app.services.options.change({ holdComments: 'none', holdArticles: 'none' }, null);
});
afterAll(() => stage?.close());

const services = () => stage.app.services;
const inspect = (kind: 'article' | 'comment', id: string) =>
  services().inspections.inspect(kind, id, editor.viewer);
const decide = (kind: 'article' | 'comment', id: string, action: Takedown, note = '') => {
  stage.pass(1_000);
  return services().takedowns.decide(kind, { ids: [id], action, note }, editor.viewer.id);
};
const dismiss = async (id: string) => {
  const { version } = await inspect('article', id);
  const decision = { kind: 'article', id, action: undefined, reason: '', version, report_num: 1 } as const;
  await services().reports.decide(decision, editor.viewer);
};
const fields = {
  title: '山中',
  content: '',
  tags: ['诗'],
  type: '',
  status: 'normal' as const,
  secret: false,
};
const write = async (content: string, more: object = {}) =>
  (await services().articles.create({ ...fields, content, ...more }, author.viewer)).id;
const readings = async (id: string) =>
  (await stage.rows(`select action, actor_name from audit_log where subject_id = '${id}'`)).filter(
    ({ action }) => String(action).endsWith('.read'),
  );
const notFound = { code: 'ARTICLE_NOT_FOUND' };

test('staff reads a pending article whole, with the words that held it, and the reading is recorded', async () => {
  const long = `开头\n${'长'.repeat(5_000)}\n可以代 购，加微信\n结尾`;
  const id = await write(long);
  const read = await inspect('article', id);
  expect(read).toMatchObject({
    content: long,
    state: 'held',
    reasons: ['word'],
    is_public: false,
    words: [{ word: '代购', category: '广告', action: 'hold', written: '代 购' }],
  });
  expect(read.marks.content.map(([start, end]) => long.slice(start, end))).toEqual(['代 购']);
  expect(await readings(id)).toEqual([{ action: 'article.read', actor_name: '老李' }]);
});

test('names a word that only the rendered text has', async () => {
  const id = await write('可以代&#36141;');
  const read = await inspect('article', id);
  expect(read.words.map(({ word }) => word)).toEqual(['代购']);
  expect(read.marks.content).toEqual([]);
});

test('shows both versions after a change', async () => {
  const id = await write('可以代购');
  await decide('article', id, 'hide', '不要广告');
  await services().articles.edit({ ...fields, id, content: '不做了' }, author.viewer);
  await services().reviews.resubmit(id, author.viewer);
  expect(await inspect('article', id)).toMatchObject({
    content: '不做了',
    summary: '不做了',
    judged: { content: '可以代购', state: 'hidden', note: '不要广告' },
    decisions: [{ state: 'hidden', note: '不要广告', actor: '老李' }],
  });
});

test('reads hidden, deleted and public articles; only the public one is not recorded', async () => {
  const id = await write('空山新雨后');
  expect(await inspect('article', id)).toMatchObject({ is_public: true });
  expect(await readings(id)).toEqual([]);
  await decide('article', id, 'hide');
  expect(await inspect('article', id)).toMatchObject({ state: 'hidden', content: '空山新雨后' });
  await decide('article', id, 'delete');
  expect(await inspect('article', id)).toMatchObject({ state: 'deleted', content: '空山新雨后' });
  expect(await readings(id)).toHaveLength(2);
});

test.each([
  ['a draft', { status: 'draft' as const }],
  ['a secret article', { secret: true }],
])('%s stays private, unless it was public when a reader reported it', async (_, kept) => {
  const id = await write('天气晚来秋');
  await services().articles.edit({ ...fields, id, content: '改过', ...kept }, author.viewer);
  await expect(inspect('article', id)).rejects.toMatchObject(notFound);
  await services().articles.edit({ ...fields, id, content: '天气晚来秋' }, author.viewer);
  await services().reports.create({ kind: 'article', id, reason: 'spam', note: '' }, reader.viewer);
  await services().articles.edit({ ...fields, id, content: '改过', ...kept }, author.viewer);
  expect(await inspect('article', id)).toMatchObject({ content: '改过', is_public: false });
  expect(await readings(id)).toHaveLength(1);
  await dismiss(id);
  await expect(inspect('article', id)).rejects.toMatchObject(notFound);
});

test('a pending article that its author withdrew stays private', async () => {
  const id = await write('可以代购');
  await services().articles.edit({ ...fields, id, content: '可以代购', status: 'draft' }, author.viewer);
  await expect(inspect('article', id)).rejects.toMatchObject(notFound);
  await services().articles.edit({ ...fields, id, content: '可以代购' }, author.viewer);
  await services().articles.remove(id, author.viewer);
  await expect(inspect('article', id)).rejects.toMatchObject(notFound);
  expect(await readings(id)).toEqual([]);
});

test('the page of an article opens for staff, not for authors', async () => {
  const id = await write('可以代购');
  const asStaff = { ...editor.viewer, role: 'editor' as const };
  expect(await services().inspections.ofPage(id, asStaff)).toMatchObject({ words: ['代购'] });
  for (const viewer of [null, reader.viewer, { ...reader.viewer, role: 'author' as const }])
    expect(await services().inspections.ofPage(id, viewer)).toBeNull();
});

test('the page for staff shows a refusal as its author sees it, apart from the reasons to wait', async () => {
  const id = await write('可以代购');
  const asStaff = { ...editor.viewer, role: 'editor' as const };
  const page = () => services().inspections.ofPage(id, asStaff);
  expect(await page()).toMatchObject({ note: '审核中 · 含有词库中的词' });
  await decide('article', id, 'hide', '不要广告。');
  expect(await page()).toMatchObject({ note: '未通过：不要广告。 · 含有词库中的词' });
  await decide('article', id, 'restore');
  await decide('article', id, 'hide');
  expect(await page()).toMatchObject({ note: '已被隐藏' });
});

test('a comment is read with what it replies to and the comments before it', async () => {
  const place = await write('鹿柴');
  for (const text of ['一', '二', '三', '四']) {
    stage.pass(1_000);
    await stage.comment(reader, place, text);
  }
  stage.pass(1_000);
  const reply = { reply_user: '裴迪', reply_content: '四' };
  const id = await stage.comment(author, place, '可以代购', reply);
  expect(await inspect('comment', id)).toMatchObject({
    content: '可以代购',
    title: '山中',
    state: 'held',
    reasons: ['word'],
    words: [{ written: '代购' }],
    quote: { author: '裴迪', content: '四' },
    earlier: [{ content: '二' }, { content: '三' }, { content: '四' }],
  });
  expect(await readings(id)).toEqual([{ action: 'comment.read', actor_name: '老李' }]);
  await services().articles.edit({ ...fields, id: place, content: '鹿柴', secret: true }, author.viewer);
  await expect(inspect('comment', id)).rejects.toMatchObject({ code: 'COMMENT_NOT_FOUND' });
});
