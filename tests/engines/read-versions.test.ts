import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { FIELD_NAMES, type AllFields } from '../../src/lib/contract/rules/authored-fields.ts';
import { decide, versionsNow, type Kind } from './decide.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

const TEXT = '空山新雨后，天气晚来秋。'.repeat(20);
const AD = '本店新到一批明前好茶，欢迎各位新老朋友光临选购。'.repeat(5);
const changed = { code: 'VERSION_CHANGED' };

let stage: StaffStage;
let author: Person;
let reader: Person;
let editor: Person;
let other: Person;
/** A value of each field that differs from the one in `fields`. */
let another: AllFields;
/** The last comment; equal ones would count as repeats. */
let said = '';
let written = 0;

beforeAll(async () => {
  stage = await openStaffStage();
  author = await stage.signUp('王维');
  reader = await stage.signUp('裴迪');
  [editor, other] = [await stage.signUp('老李'), await stage.signUp('小张')];
  for (const name of ['老李', '小张']) await services().roles.set(name, 'editor', null);
  const photo = sharp({ create: { width: 64, height: 48, channels: 3, background: '#b5452f' } });
  const series = { title: '辋川集', description: '', cover: '' };
  another = {
    title: '另一个标题',
    content: `${AD}再来一次`,
    tags: ['词'],
    secret: true,
    description: '加我微信',
    cover: (await services().files.saveImage(author.viewer, await photo.png().toBuffer())).url,
    series: (await services().series.create(series, author.viewer))._id,
    source: 'https://shop.example/tea',
    licence: 'cc-by-4.0',
    slug: 'wang-chuan',
    comments_closed: true,
    pinned: true,
  };
});
afterAll(() => stage?.close());
beforeEach(() => setOptions({ holdArticles: 'all', holdComments: 'all', holdChanges: 'always' }));

const services = () => stage.app.services;
const setOptions = (changes: Parameters<ReturnType<typeof services>['options']['change']>[0]) =>
  services().options.change(changes, null);
const fields = {
  title: '山居秋暝',
  content: TEXT,
  tags: ['诗'],
  type: '',
  status: 'normal' as const,
  secret: false,
};
const write = async () => (await services().articles.create(fields, author.viewer)).id;
const edit = (id: string, more: object) =>
  services().articles.edit({ ...fields, id, ...more }, author.viewer);
const inspect = (id: string, kind: Kind = 'article') =>
  services().inspections.inspect(kind, id, editor.viewer);
const shown = (id: string) => services().articles.findPublic(id);
const decideOn = (
  id: string,
  action: Parameters<typeof decide>[2]['action'],
  version: string,
  { kind = 'article', by = editor }: { kind?: Kind; by?: Person } = {},
) => decide(stage.app, by.viewer.id, { kind, ids: [id], action, versions: [version] });
const publish = async () => {
  const id = await write();
  await decideOn(id, 'restore', (await inspect(id)).version);
  return id;
};

describe.each(FIELD_NAMES)('an article whose %s its author changes after staff has read it', (name) => {
  const change = () => ({ [name]: another[name] });
  // Other articles of these tests had it.
  beforeEach(() => void (another.slug = `wang-chuan-${++written}`));

  test('is not approved, while it is pending', async () => {
    const id = await write();
    const before = await inspect(id);
    await edit(id, change());
    await expect(decideOn(id, 'restore', before.version)).rejects.toMatchObject(changed);
    expect(await shown(id)).toBeNull();
    if (name === 'secret') return;
    const after = await inspect(id);
    expect([before.fields?.[name], after.fields?.[name]]).not.toEqual([another[name], another[name]]);
    expect(after.fields?.[name]).toEqual(another[name]);
    expect(await decideOn(id, 'restore', after.version)).toMatchObject({ done: [id], changed: [] });
    expect((await shown(id))?.[name]).toEqual(another[name]);
  });

  test('does not get its change approved', async () => {
    const id = await publish();
    await edit(id, { content: AD });
    const before = await inspect(id);
    await edit(id, { content: AD, ...change() });
    await expect(decideOn(id, 'approve', before.version)).rejects.toMatchObject(changed);
    expect((await shown(id))?.content ?? TEXT).toBe(TEXT);
    if (name === 'secret') return;
    const after = await inspect(id);
    expect(after.fields?.[name]).toEqual(before.fields?.[name]);
    expect(after.change?.fields?.[name]).toEqual(another[name]);
    expect(await decideOn(id, 'approve', after.version)).toEqual({ done: [id], changed: [] });
    expect((await shown(id))?.[name]).toEqual(another[name]);
  });

  test('is not hidden, while it is public', async () => {
    const id = await publish();
    await setOptions({ holdArticles: 'none' });
    const before = await inspect(id);
    await edit(id, change());
    await expect(decideOn(id, 'hide', before.version)).rejects.toMatchObject(changed);
    expect(await versionsNow(stage.app, 'article', [id])).not.toEqual([before.version]);
    if (name === 'secret') return;
    expect(await shown(id)).not.toBeNull();
    const after = await inspect(id);
    expect(after.fields?.[name]).toEqual(another[name]);
    expect(await decideOn(id, 'hide', after.version)).toMatchObject({ done: [id] });
    expect(await shown(id)).toBeNull();
  });
});

test('staff reads the titles of series, not their numbers', async () => {
  const id = await publish();
  await edit(id, { content: AD, series: another.series });
  expect((await inspect(id)).series_titles).toEqual([{ _id: another.series, title: '辋川集' }]);
});

test('what differs from the text of the last decision includes all fields', async () => {
  const id = await write();
  await decideOn(id, 'hide', (await inspect(id)).version);
  await edit(id, { licence: another.licence, series: another.series });
  const { judged, fields: now } = await inspect(id);
  expect(judged?.fields).toMatchObject({ title: fields.title, licence: '', series: '', tags: ['诗'] });
  expect(now).toMatchObject({ licence: another.licence, series: another.series });
});

describe('two members of staff who decide at the same moment', () => {
  test.each(['article', 'comment'] as const)('on a pending %s: one wins, the other is told', async (kind) => {
    const id = kind === 'article' ? await write() : await stage.comment(reader, await publish());
    const { version } = await inspect(id, kind);
    const answers = await Promise.allSettled([
      decideOn(id, 'restore', version, { kind }),
      decideOn(id, 'hide', version, { kind, by: other }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { ...changed, message: '已经有人处理过这一项，请看过现在的状态再决定' },
    });
    expect((await inspect(id, kind)).decisions).toHaveLength(1);
  });

  test('on a pending change: one wins, the other is told', async () => {
    const id = await publish();
    await edit(id, { content: AD });
    const { version } = await inspect(id);
    const answers = await Promise.allSettled([
      decideOn(id, 'approve', version),
      decideOn(id, 'refuse', version, { by: other }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { ...changed, message: '改动已经有人处理过，或被作者撤回了' },
    });
  });
});

test('of 100 listed comments, the one that its author edited stays pending and is named', async () => {
  const place = await publish();
  const rows: string[] = [];
  for (let number = 0; number < 100; number++)
    rows.push(await stage.comment(editor, place, `第 ${number} 条`));
  const page = { kind: 'comment', page: 1, pageSize: 100 } as const;
  const listed = (await services().takedowns.listHeld(page)).result.filter(({ _id }) => rows.includes(_id));
  const ids = listed.map(({ _id }) => _id);
  const versions = listed.map(({ version }) => version);
  expect(ids).toHaveLength(100);
  const [edited = '', ...rest] = ids;
  await services().comments.edit({ id: edited, content: AD }, editor.viewer);
  const answer = await decide(stage.app, other.viewer.id, {
    kind: 'comment',
    ids,
    versions,
    action: 'restore',
  });
  expect(answer).toMatchObject({ done: rest, changed: [edited] });
  expect(await inspect(edited, 'comment')).toMatchObject({ state: 'held', content: AD });
  // The answer has the versions with which staff undoes the decision.
  const after = 'versions' in answer ? (answer.versions as string[]) : [];
  const undo = { kind: 'comment', ids: rest, versions: after, action: 'hold' } as const;
  expect(await decide(stage.app, other.viewer.id, undo)).toMatchObject({ done: rest, changed: [] });
});

describe('a comment that its author edits after staff has read it', () => {
  test('is not approved, while it is pending', async () => {
    const id = await stage.comment(reader, await publish(), (said = `第 ${++written} 首好诗`));
    const { version } = await inspect(id, 'comment');
    await services().comments.edit({ id, content: AD + said }, reader.viewer);
    await expect(decideOn(id, 'restore', version, { kind: 'comment' })).rejects.toMatchObject(changed);
    expect(await inspect(id, 'comment')).toMatchObject({ state: 'held', content: AD + said });
  });

  test('does not get its change approved', async () => {
    const id = await stage.comment(reader, await publish(), (said = `第 ${++written} 首好诗`));
    await decideOn(id, 'restore', (await inspect(id, 'comment')).version, { kind: 'comment' });
    await services().comments.edit({ id, content: `${said}，好词` }, reader.viewer);
    const { version } = await inspect(id, 'comment');
    await services().comments.edit({ id, content: AD + said }, reader.viewer);
    await expect(decideOn(id, 'approve', version, { kind: 'comment' })).rejects.toMatchObject(changed);
    expect(await inspect(id, 'comment')).toMatchObject({ content: said, change: { content: AD + said } });
  });

  test.each(['hide', undefined] as const)('keeps its reports undecided (%s)', async (action) => {
    await setOptions({ holdComments: 'none' });
    const id = await stage.comment(reader, await publish(), (said = `第 ${++written} 首好诗`));
    const report = (by: Person) =>
      services().reports.create({ kind: 'comment', id, reason: 'spam', note: '' }, by.viewer);
    await report(author);
    const listed = async () => {
      const { result } = await services().reports.list({ page: 1, pageSize: 100 });
      const thing = result.find((each) => each.id === id);
      if (!thing) throw new Error('the comment is not reported');
      return {
        kind: 'comment',
        id,
        action,
        reason: '广告',
        version: thing.version,
        report_num: thing.report_num,
      } as const;
    };
    const before = await listed();
    await services().comments.edit({ id, content: AD + said }, reader.viewer);
    await expect(services().reports.decide(before, editor.viewer)).rejects.toMatchObject(changed);
    const after = await listed();
    await report(editor);
    await expect(services().reports.decide(after, other.viewer)).rejects.toMatchObject({
      ...changed,
      message: '举报有增减，请看过现在的举报再决定',
    });
    expect((await inspect(id, 'comment')).state).toBe('shown');
    const now = await listed();
    expect(now.report_num).toBe(2);
    expect(await services().reports.decide(now, other.viewer)).toBe(2);
    await expect(services().reports.decide(now, editor.viewer)).rejects.toMatchObject(changed);
    expect((await inspect(id, 'comment')).state).toBe(action ? 'hidden' : 'shown');
  });
});

describe('a public field that its owner changes after staff has read it is not removed', () => {
  const read = () => services().profiles.read({ username: '裴迪', page: 1, pageSize: 10 });
  const remove = (removal: { kind: 'user' | 'series' | 'tag'; id: string; field: string; version: string }) =>
    services().profiles.remove({ ...removal, reason: '广告' } as never, { ...editor.viewer, role: 'editor' });

  test('of an account', async () => {
    await services().users.updateBio(reader.viewer, '诗人');
    const { version } = await read();
    await services().users.updateBio(reader.viewer, '卖茶的诗人');
    const removal = { kind: 'user', id: '裴迪', field: 'bio', version } as const;
    await expect(remove(removal)).rejects.toMatchObject(changed);
    expect((await read()).bio).toBe('卖茶的诗人');
    await remove({ ...removal, version: (await read()).version });
    expect((await read()).bio).toBe('');
  });

  test('of a series', async () => {
    const { _id: id } = await services().series.create(
      { title: '茶', description: '茶', cover: '' },
      reader.viewer,
    );
    const version = async () => (await read()).series.find(({ _id }) => _id === id)?.version ?? '';
    const before = await version();
    await services().series.edit({ id, title: '茶', description: '卖茶', cover: '' }, reader.viewer);
    const removal = { kind: 'series', id, field: 'description' } as const;
    await expect(remove({ ...removal, version: before })).rejects.toMatchObject(changed);
    await remove({ ...removal, version: await version() });
    expect((await read()).series.find(({ _id }) => _id === id)?.description).toBe('');
  });

  test('of a tag', async () => {
    await setOptions({ holdArticles: 'none' });
    await services().articles.create({ ...fields, tags: ['茶道'] }, reader.viewer);
    const { result } = await services().tagConsole.list({
      page: 1,
      pageSize: 10,
      keywords: '茶道',
      show: '',
    });
    const id = result[0]?._id ?? '';
    await services().tagConsole.describe({ id, description: '饮茶' }, null);
    const version = async () => (await read()).tags.find(({ _id }) => _id === id)?.version ?? '';
    const before = await version();
    await services().tagConsole.describe({ id, description: '本店卖茶' }, null);
    const removal = { kind: 'tag', id, field: 'description' } as const;
    await expect(remove({ ...removal, version: before })).rejects.toMatchObject(changed);
    expect((await read()).tags).toMatchObject([{ _id: id, description: '本店卖茶' }]);
    await remove({ ...removal, version: await version() });
    expect((await read()).tags).toEqual([]);
  });
});

test('bans and the command line decide without reading', async () => {
  const id = await publish();
  const decision = { ids: [id], action: 'hide', note: '' } as const;
  expect(await services().takedowns.decide('article', decision, null)).toEqual([id]);
});

test('a row whose text is not the current one has a version that no decision accepts', async () => {
  const id = await write();
  const row = { id, title: '别的标题' };
  expect((await services().takedowns.versionsOf('article', [row])).get(id)).toBe('stale');
  await expect(decideOn(id, 'restore', 'stale')).rejects.toMatchObject(changed);
});
