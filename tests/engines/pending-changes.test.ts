import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide as decideNow } from './decide.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

const FIRST = '空山新雨后，天气晚来秋。'.repeat(20);
const OTHER = '本店新到一批明前好茶，欢迎各位新老朋友光临选购。'.repeat(5);
let stage: StaffStage;
let author: Person;
let editor: Person;

beforeAll(async () => {
  stage = await openStaffStage();
  author = await stage.signUp('王维');
  editor = await stage.signUp('老李');
  await stage.app.services.roles.set('老李', 'editor', null);
  editor = { ...editor, viewer: { ...editor.viewer, role: 'editor' } };
});
afterAll(() => stage?.close());
beforeEach(async () => {
  stage.pass(1_000);
  await stage.app.services.options.change(
    { holdArticles: 'all', holdComments: 'all', holdChanges: 'size' },
    null,
  );
});

const services = () => stage.app.services;
const fields = (content: string, more: object = {}) => ({
  title: '山居秋暝',
  content,
  tags: ['诗'],
  type: '',
  status: 'normal' as const,
  secret: false,
  ...more,
});
const approve = (kind: 'article' | 'comment', id: string) =>
  services().takedowns.decide(kind, { ids: [id], action: 'restore', note: '' }, editor.viewer.id);
const publish = async (content = FIRST) => {
  const { id } = await services().articles.create(fields(content), author.viewer);
  await approve('article', id);
  stage.pass(1_000);
  return id;
};
const edit = (id: string, content: string, more: object = {}) =>
  services().articles.edit({ id, ...fields(content, more) }, author.viewer);
const shown = async (id: string) => (await services().articles.findPublic(id))?.content;
const source = (id: string) => services().articles.readSource(id, author.viewer);
const pending = async (id: string) =>
  (await services().takedowns.listHeld({ kind: 'change', page: 1, pageSize: 50 })).result.find(
    (item) => item._id === id,
  );
const decide = async (kind: 'article' | 'comment', id: string, action: 'approve' | 'refuse', note = '') => {
  stage.pass(1_000);
  return (await decideNow(stage.app, editor.viewer.id, { kind, ids: [id], action, note })).done;
};
const gone = { code: 'VERSION_CHANGED', message: '改动已经有人处理过，或被作者撤回了' };
const kept = (id: string) =>
  stage.rows(
    `select id from pending_changes where id = '${id}' union select id from moderation_decisions where item_id = '${id}'`,
  );
const noteOf = async (id: string) => {
  const article = { _id: id, status: 'normal' as const, secret: false };
  return (await services().reviews.notesOf([article])).get(id)?.change_note;
};

describe('a large change of an approved article', () => {
  test('waits while readers see the approved text, and is public once approved', async () => {
    const id = await publish();
    const saved = await edit(id, OTHER);
    expect(saved).toMatchObject({ pending: true });
    expect(await shown(id)).toBe(FIRST);
    expect(await source(id)).toMatchObject({ content: FIRST, revision: { content: OTHER } });
    expect(await pending(id)).toMatchObject({ is_change: true, reasons: ['changed'] });
    expect(await noteOf(id)).toBe('改动审核中');
    expect(await services().inspections.inspect('article', id, editor.viewer)).toMatchObject({
      content: FIRST,
      change: { content: OTHER },
    });
    const count = await services().takedowns.countHeld();
    expect(await decide('article', id, 'approve')).toEqual([id]);
    await expect(decide('article', id, 'approve')).rejects.toMatchObject(gone);
    expect(await services().takedowns.countHeld()).toBe(count - 1);
    expect(await shown(id)).toBe(OTHER);
    expect((await source(id)).revision).toBeUndefined();
    expect(await noteOf(id)).toBeUndefined();
  });

  test('is refused with a reason, stays with its author, and must be changed before it waits again', async () => {
    const id = await publish();
    await edit(id, OTHER);
    expect(await decide('article', id, 'refuse', '不要广告')).toEqual([id]);
    expect(await shown(id)).toBe(FIRST);
    expect(await source(id)).toMatchObject({ revision: { content: OTHER } });
    expect(await noteOf(id)).toBe('改动未通过：不要广告');
    expect(await pending(id)).toBeUndefined();
    await expect(edit(id, OTHER)).rejects.toMatchObject({ code: 'RESUBMIT_UNCHANGED' });
    await edit(id, `${OTHER}改过`);
    expect(await pending(id)).toMatchObject({ is_change: true });
    expect((await services().reviews.ofAuthor(id, author.viewer)).decisions).toMatchObject([
      { state: 'hidden', note: '不要广告' },
      { state: 'shown' },
    ]);
  });

  test('ends when its author returns to the approved text, discards it, or withdraws the article', async () => {
    const id = await publish();
    await edit(id, OTHER);
    expect(await edit(id, FIRST)).not.toHaveProperty('pending');
    expect(await pending(id)).toBeUndefined();
    await edit(id, OTHER);
    await services().revisions.remove(id, author.viewer);
    expect(await pending(id)).toBeUndefined();
    await edit(id, OTHER);
    await edit(id, OTHER, { status: 'draft' });
    expect(await pending(id)).toBeUndefined();
    expect(await stage.rows(`select id from pending_changes where id = '${id}'`)).toEqual([]);
  });

  const typed = [{ content: `${OTHER}还没写完` }, { title: '鹿柴' }];
  test.each(typed)('is approved as submitted, although its author has since typed %o', async (later) => {
    const id = await publish();
    const { update_time, ...saved } = await edit(id, OTHER);
    const times = { update_time, revision_time: 'revision_time' in saved ? saved.revision_time : '' };
    await services().revisions.save({ id, ...fields(OTHER, later), ...times }, author.viewer);
    await decide('article', id, 'approve');
    expect(await shown(id)).toBe(OTHER);
    const after = await source(id);
    expect(after).toMatchObject({ title: '山居秋暝', revision: { ...later, base_time: after.update_time } });
  });

  test('is a title, a tag or a summary too', async () => {
    const id = await publish();
    expect(await edit(id, FIRST, { title: '加我微信买茶' })).toMatchObject({ pending: true });
    expect(await edit(id, FIRST, { description: OTHER.slice(0, 100) })).toMatchObject({ pending: true });
    expect((await services().articles.findPublic(id))?.title).toBe('山居秋暝');
  });

  test('is a picture in place of another one', async () => {
    const pictures = ['3f', 'a0'].map((byte) => `/api/file/${byte.repeat(16)}-8x6.png`);
    const [first = '', other = ''] = pictures;
    const id = await publish(`${FIRST}\n\n![山](${first})`);
    expect(await edit(id, `${FIRST}\n\n![山](${other})`)).toMatchObject({ pending: true });
    const near = first.replace('3f', '4f');
    expect(await edit(id, `${FIRST}\n\n![山](${near})`)).toMatchObject({ pending: true });
    expect(await shown(id)).toContain(first);
  });

  test.each([
    ['summary', (step: number) => ({ description: OTHER.slice(0, 10 * step) })],
    [
      'tags',
      (step: number) => ({ tags: Array.from({ length: step }, (_, at) => OTHER.slice(9 * at, 9 * at + 9)) }),
    ],
    ['source', (step: number) => ({ source: `转自${OTHER.slice(0, 10 * step)}` })],
  ])('made of many small ones in its %s waits', async (_, more) => {
    const id = await publish();
    const saved: boolean[] = [];
    for (const step of [1, 2, 3, 4]) saved.push('pending' in (await edit(id, FIRST, more(step))));
    expect(saved).toEqual([false, false, expect.any(Boolean), true]);
  });

  test('is compared with the approved text also after another change was refused', async () => {
    const id = await publish();
    await edit(id, FIRST + OTHER.slice(0, 20));
    await edit(id, OTHER);
    await decide('article', id, 'refuse', '不要广告');
    expect(await edit(id, FIRST + OTHER.slice(0, 40))).toMatchObject({ pending: true });
    expect(await shown(id)).toBe(FIRST + OTHER.slice(0, 20));
  });

  test('made of many small ones waits', async () => {
    const id = await publish();
    let text = FIRST;
    const saved: boolean[] = [];
    for (let step = 0; step < 6; step++) {
      text = `${text}又添${OTHER.slice(step * 5, step * 5 + 5)}`;
      saved.push('pending' in (await edit(id, text)));
    }
    expect(saved).toEqual([false, false, false, true, true, true]);
  });

  test('of staff, and without approval of new texts, is public at once', async () => {
    const id = await publish();
    await services().options.change({ holdArticles: 'none' }, null);
    expect(await edit(id, OTHER)).not.toHaveProperty('pending');
    expect(await shown(id)).toBe(OTHER);
    const own = (await services().articles.create(fields(FIRST), editor.viewer)).id;
    await services().options.change({ holdArticles: 'all' }, null);
    await services().articles.edit({ id: own, ...fields(OTHER) }, editor.viewer);
    expect(await shown(own)).toBe(OTHER);
  });

  test('that a schedule publishes waits too', async () => {
    const id = await publish();
    await services().revisions.save({ id, ...fields(OTHER) }, author.viewer);
    const publish_time = new Date(stage.now() + 60_000).toISOString();
    await services().schedules.set({ id, publish_time }, author.viewer);
    stage.pass(120_000);
    await services().schedules.publishDue();
    expect(await shown(id)).toBe(FIRST);
    expect(await pending(id)).toMatchObject({ is_change: true });
    expect(await services().schedules.find(id, author.viewer)).toBeNull();
  });

  test('leaves the queue while the article is hidden, and is gone with it', async () => {
    const id = await publish();
    await edit(id, OTHER);
    await services().takedowns.decide('article', { ids: [id], action: 'hide', note: '' }, editor.viewer.id);
    expect(await pending(id)).toBeUndefined();
    await expect(decide('article', id, 'approve')).rejects.toMatchObject(gone);
    await services().articles.remove(id, author.viewer);
    await services().trash.empty(author.viewer);
    expect(await kept(id)).toEqual([]);
  });
});

test.each([
  ['never', '欢迎光临小店，新茶到了。'.repeat(9), false],
  ['size', FIRST.replace('空山', '青山'), false],
  ['size', '新茶到了，欢迎光临小店。'.repeat(9), true],
  ['always', FIRST.replace('空山', '青山'), true],
  ['always', FIRST, false],
] as const)('the setting %s', async (holdChanges, text, waits) => {
  const id = await publish();
  await services().options.change({ holdChanges }, null);
  expect('pending' in (await edit(id, text))).toBe(waits);
  expect(await shown(id)).toBe(waits ? FIRST : text);
});

describe('a large change of an approved comment', () => {
  const write = async (content: string) => {
    const place = await publish();
    const id = await stage.comment(author, place, content);
    await approve('comment', id);
    return { id, place };
  };
  const visible = async (place: string) =>
    (await services().comments.pageOfArticle(place, { page: 1, order: 'newest' }, null)).items.map(
      ({ content }) => content,
    );
  const own = async (id: string) =>
    (await services().comments.ofUser('create_user', { page: 1, pageSize: 50 }, author.viewer)).result.find(
      ({ _id }) => _id === id,
    );
  const change = (id: string, content: string) => services().comments.edit({ id, content }, author.viewer);

  test('waits while readers see the approved one', async () => {
    const { id, place } = await write('好诗，写得真好');
    expect(await change(id, '加我微信买好茶')).toMatchObject({
      content: '好诗，写得真好',
      pending_content: '加我微信买好茶',
    });
    expect(await visible(place)).toEqual(['好诗，写得真好']);
    const inList = { content: '好诗，写得真好', pending_content: '加我微信买好茶' };
    expect(await own(id)).toMatchObject({ ...inList, note: '改动审核中' });
    expect(await pending(id)).toMatchObject({ kind: 'comment', content: '加我微信买好茶' });
    expect(await decide('comment', id, 'approve')).toEqual([id]);
    expect(await visible(place)).toEqual(['加我微信买好茶']);
    const [entry] = await stage.rows(
      `select before from audit_log where action = 'comment.approve_change' and subject_id = '${id}'`,
    );
    expect(JSON.parse(String(entry?.['before']))).toEqual({ author: '王维', text: '加我微信买好茶' });
  });

  test('cannot be made in small steps', async () => {
    const before = '空山新雨后，天气晚来秋。明月松间照，清泉石上流。竹喧归浣女，莲动下渔舟。';
    const after = Array.from('本店新到一批明前好茶欢迎各位新老朋友光临选购本店新到一批');
    const { id, place } = await write(before);
    let text = before;
    for (const [at, sign] of after.entries()) {
      text = text.slice(0, at) + sign + text.slice(at + 1);
      await change(id, text);
    }
    expect((await visible(place))[0]?.slice(10)).toBe(before.slice(10));
    expect(await pending(id)).toMatchObject({ kind: 'comment', content: text });
  });

  test('is refused, or small and public at once', async () => {
    const { id, place } = await write('好诗，写得真好');
    await change(id, '加我微信买好茶');
    await decide('comment', id, 'refuse', '广告');
    expect(await visible(place)).toEqual(['好诗，写得真好']);
    expect(await own(id)).toMatchObject({ note: '改动未通过：广告', pending_content: '加我微信买好茶' });
    await change(id, '好词，写得真好');
    expect(await visible(place)).toEqual(['好词，写得真好']);
    expect(await stage.rows(`select id from pending_changes where id = '${id}'`)).toEqual([]);
    await change(id, '加我微信买好茶');
    await services().comments.remove(id, author.viewer);
    expect(await kept(id)).toEqual([]);
  });

  test('is gone with its article', async () => {
    const { id, place } = await write('好诗，写得真好');
    await change(id, '加我微信买好茶');
    await services().articles.remove(place, author.viewer);
    await services().trash.empty(author.viewer);
    expect([...(await kept(id)), ...(await kept(place))]).toEqual([]);
  });
});
