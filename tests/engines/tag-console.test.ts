import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallInput } from '../../src/lib/contract/calls/calls.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let wei: Person;
let editor: Person;
beforeEach(async () => {
  stage = await openStaffStage();
  [wei, editor] = [await stage.signUp('王维'), await stage.signUp('老李')];
  await stage.app.services.roles.set('老李', 'editor', null);
});
afterEach(() => stage?.close());

const fields = (tags: string[], more: object = {}) => ({
  title: '山居秋暝',
  content: '空山新雨后，天气晚来秋',
  type: '',
  status: 'normal' as const,
  secret: false,
  tags,
  ...more,
});
const write = async (tags: string[], more: object = {}) =>
  (await stage.app.services.articles.create(fields(tags, more), wei.viewer)).id;
const tagsOf = async (id: string) => (await stage.app.services.articles.readSource(id, wei.viewer)).tags;
const listed = async (asked: Partial<CallInput<'staffTags'>> = {}) => {
  const input = { keywords: '', show: '' as const, page: 1, pageSize: 20, ...asked };
  return (await stage.app.services.tagConsole.list(input)).result;
};
const idOf = async (name: string) =>
  (await listed()).find((tag) => tag.name === name)?._id ?? expect.fail(`no tag ${name}`);
const under = async (name: string) => {
  const { tags, articles } = stage.app.services;
  const tag = (await tags.findVisible(name, null)) ?? expect.fail(`no tag ${name}`);
  const { result, total } = await articles.list({ of: 'tag', tagId: tag.id }, { page: 1, pageSize: 50 });
  return { name: tag.name, total, ids: result.map(({ id }) => id).toSorted() };
};
const found = async (tag: string) =>
  (await stage.app.services.articles.search('空山', { page: 1, pageSize: 50 }, { tag })).total;
const audited = async () =>
  (await stage.app.db.read.selectFrom('audit_log').selectAll().orderBy('create_time').orderBy('id').execute())
    .filter(({ action }) => action.startsWith('tag.'))
    .map(({ actor_name, action, before, after }) => [actor_name, action, before, after]);

describe('the list', () => {
  test('has every listed tag, filtered by kind and by words in name, former name and description', async () => {
    await write(['诗', '山水']);
    await write(['诗']);
    await write(['只在草稿'], { status: 'draft' });
    await stage.app.services.tags.create({ name: '100%_\\', description: '归去来兮 Home' }, wei.viewer);
    const names = async (asked = {}) => (await listed(asked)).map(({ name }) => name);
    expect((await names()).toSorted()).toEqual(['100%_\\', '山水', '诗'].toSorted());
    expect(await names({ show: 'used' })).toEqual(['诗', '山水']);
    expect(await names({ show: 'empty' })).toEqual(['100%_\\']);
    expect((await names({ show: 'undescribed' })).toSorted()).toEqual(['山水', '诗'].toSorted());
    expect(await names({ keywords: 'home' })).toEqual(['100%_\\']);
    expect(await names({ keywords: '%_\\' })).toEqual(['100%_\\']);
    await stage.app.services.tagConsole.rename({ id: await idOf('山水'), name: '山水诗' }, editor.viewer);
    expect(await names({ keywords: '山水' })).toEqual(['山水诗']);
    expect((await listed({ keywords: '山水' }))[0]).toMatchObject({ former_names: ['山水'], page_num: 1 });
  });
});

describe('renaming', () => {
  test('applies everywhere, and the former name still redirects', async () => {
    const { tagConsole, tags, articles, revisions, trash, versions } = stage.app.services;
    const shown = await write(['诗', '唐']);
    const secret = await write(['诗'], { secret: true });
    const draft = await write(['诗'], { status: 'draft' });
    const deleted = await write(['诗']);
    await articles.remove(deleted, wei.viewer);
    await revisions.save({ ...fields(['诗', '改']), id: shown }, wei.viewer);
    const before = await articles.readSource(shown, wei.viewer);
    const renamed = await tagConsole.rename({ id: await idOf('诗'), name: '诗歌' }, editor.viewer);
    expect(renamed).toEqual({ name: '诗歌', former: '诗' });
    expect(await tagsOf(shown)).toEqual(['诗歌', '唐']);
    expect(await tagsOf(secret)).toEqual(['诗歌']);
    expect(await tagsOf(draft)).toEqual(['诗歌']);
    await trash.restore(deleted, wei.viewer);
    expect(await tagsOf(deleted)).toEqual(['诗歌']);
    const source = await articles.readSource(shown, wei.viewer);
    expect(source.revision?.tags).toEqual(['诗歌', '改']);
    // Renaming causes no edit conflict, because the text is unchanged.
    expect(source.update_time).toBe(before.update_time);
    expect(await under('诗')).toEqual(await under('诗歌'));
    expect(await under('诗歌')).toEqual({ name: '诗歌', total: 2, ids: [shown, deleted].toSorted() });
    expect([await found('诗歌'), await found('诗')]).toEqual([2, 0]);
    expect(await tags.names(wei.viewer)).not.toContain('诗');
    const [version] = (await versions.list(shown, { page: 1, pageSize: 10 }, wei.viewer)).result;
    const text = await versions.read(shown, version?._id ?? '', wei.viewer);
    expect(text.tags).toContain('诗');
    expect(await audited()).toEqual([['老李', 'tag.rename', '{"name":"诗"}', '{"name":"诗歌"}']]);
    const names = stage.events.flatMap((event) => (event.type === 'tag-changed' ? [event.name] : []));
    expect(names).toEqual(['诗', '诗歌']);
  });

  test('an article saved with the former name gets the tag under its new name', async () => {
    const id = await write(['诗']);
    const { tagConsole, articles, tags } = stage.app.services;
    await tagConsole.rename({ id: await idOf('诗'), name: '诗歌' }, editor.viewer);
    await articles.edit({ ...fields(['诗', '诗歌', '新']), id }, wei.viewer);
    expect(await tagsOf(id)).toEqual(['诗歌', '新']);
    const other = await write(['诗']);
    expect(await tagsOf(other)).toEqual(['诗歌']);
    expect((await under('诗歌')).total).toBe(2);
    await expect(tags.create({ name: '诗', description: '' }, wei.viewer)).rejects.toMatchObject({
      code: 'TAG_TAKEN',
    });
  });

  test('back again leaves no trace', async () => {
    const id = await write(['诗']);
    const { tagConsole } = stage.app.services;
    const tag = await idOf('诗');
    await tagConsole.rename({ id: tag, name: '诗歌' }, editor.viewer);
    await tagConsole.rename({ id: tag, name: '诗' }, editor.viewer);
    expect(await tagsOf(id)).toEqual(['诗']);
    expect(await under('诗歌')).toMatchObject({ name: '诗', total: 1 });
    expect(await audited()).toHaveLength(2);
  });

  test('to an existing or former name of another tag is refused', async () => {
    await write(['诗', '词', '曲']);
    const { tagConsole } = stage.app.services;
    await tagConsole.rename({ id: await idOf('曲'), name: '散曲' }, editor.viewer);
    for (const name of ['词', '曲'])
      await expect(tagConsole.rename({ id: await idOf('诗'), name }, editor.viewer)).rejects.toMatchObject({
        code: 'TAG_TAKEN',
      });
    const gone = { id: '0'.repeat(24), name: '无' };
    await expect(tagConsole.rename(gone, editor.viewer)).rejects.toMatchObject({ code: 'TAG_NOT_FOUND' });
    expect(await audited()).toHaveLength(1);
  });

  test('to a name used only by a draft merges it', async () => {
    const both = await write(['诗']);
    const draft = await write(['诗', '诗歌'], { status: 'draft' });
    await stage.app.services.tagConsole.rename({ id: await idOf('诗'), name: '诗歌' }, editor.viewer);
    expect([await tagsOf(both), await tagsOf(draft)]).toEqual([['诗歌'], ['诗歌']]);
    expect((await listed()).map(({ name, page_num }) => [name, page_num])).toEqual([['诗歌', 1]]);
  });
});

describe('merging', () => {
  test('moves everything to one tag, counted once, and leaves no other', async () => {
    const [a, b, c] = [await write(['诗', '唐诗']), await write(['唐诗']), await write(['古诗'])];
    const draft = await write(['古诗', '唐诗'], { status: 'draft' });
    const deleted = await write(['唐诗', '诗']);
    const { tagConsole, articles, trash, tags } = stage.app.services;
    await articles.remove(deleted, wei.viewer);
    const ids = [await idOf('唐诗'), await idOf('古诗'), await idOf('诗')];
    expect(await tagConsole.merge({ ids, into: '诗' }, editor.viewer)).toBe(2);
    await trash.restore(deleted, wei.viewer);
    for (const id of [a, b, c, draft, deleted]) expect(await tagsOf(id)).toEqual(['诗']);
    for (const name of ['诗', '唐诗', '古诗'])
      expect(await under(name)).toEqual({ name: '诗', total: 4, ids: [a, b, c, deleted].toSorted() });
    expect((await listed()).map(({ name, page_num }) => [name, page_num])).toEqual([['诗', 4]]);
    expect((await tags.list({ page: 1, pageSize: 10 })).total).toBe(1);
    expect(await stage.app.db.read.selectFrom('tags').select('name').execute()).toEqual([{ name: '诗' }]);
    expect(await found('诗')).toBe(4);
    expect(await audited()).toEqual([
      ['老李', 'tag.merge', '{"name":"唐诗","page_num":2}', '{"into":"诗"}'],
      ['老李', 'tag.merge', '{"name":"古诗","page_num":1}', '{"into":"诗"}'],
    ]);
  });

  test('of merged tags redirects to the last one', async () => {
    const id = await write(['甲']);
    await write(['乙', '丙']);
    const { tagConsole } = stage.app.services;
    await tagConsole.merge({ ids: [await idOf('甲')], into: '乙' }, editor.viewer);
    await tagConsole.merge({ ids: [await idOf('乙')], into: '丙' }, editor.viewer);
    expect(await tagsOf(id)).toEqual(['丙']);
    for (const name of ['甲', '乙']) expect(await under(name)).toMatchObject({ name: '丙', total: 2 });
    expect((await listed())[0]?.former_names.toSorted()).toEqual(['丙', '乙', '甲'].slice(1).toSorted());
  });

  test('with an unknown tag changes nothing', async () => {
    await write(['诗', '词']);
    const { tagConsole } = stage.app.services;
    const ids = [await idOf('词'), '0'.repeat(24)];
    const refused = { code: 'TAG_NOT_FOUND' };
    await expect(tagConsole.merge({ ids, into: '诗' }, editor.viewer)).rejects.toMatchObject(refused);
    await expect(tagConsole.merge({ ids: [ids[0] ?? ''], into: '无' }, editor.viewer)).rejects.toMatchObject(
      refused,
    );
    expect((await listed()).map(({ name }) => name).toSorted()).toEqual(['词', '诗'].toSorted());
    expect(await audited()).toEqual([]);
  });

  test(
    'of many articles continues in the background, alongside writes, and after a restart',
    { tags: ['once'] },
    async () => {
      const made: string[] = [];
      for (let n = 0; n < 130; n++) made.push(await write(['旧', '新'].slice(n % 2 === 0 ? 0 : 1)));
      await write(['旧'], { status: 'draft' });
      const { tagConsole } = stage.app.services;
      const old = await idOf('旧');
      const merging = tagConsole.merge({ ids: [old], into: '新' }, editor.viewer);
      const meanwhile = await write(['旧', '旁人']);
      await merging;
      // As after a crash: another process continues with only the database.
      const other = await stage.open();
      await other.services.retag.run(Number.POSITIVE_INFINITY);
      await other.close();
      expect(await under('旧')).toEqual({ name: '新', total: 131, ids: expect.anything() as string[] });
      expect(await tagsOf(meanwhile)).toEqual(['新', '旁人']);
      const rows = await stage.app.db.read
        .selectFrom('articles')
        .select('id')
        .where('tags', 'like', '%旧%')
        .execute();
      expect(rows).toEqual([]);
      expect((await listed()).find(({ name }) => name === '新')).toMatchObject({
        page_num: 131,
        is_changing: false,
        former_names: ['旧'],
      });
      const tags = await stage.app.db.read.selectFrom('tags').select('id').where('id', '=', old).execute();
      expect(tags).toEqual([]);
    },
  );
});

describe('describing and deleting', () => {
  test('a description is shown on the tag’s page, and audited with the previous one', async () => {
    await write(['诗']);
    const { tagConsole, tags } = stage.app.services;
    const id = await idOf('诗');
    expect(await tagConsole.describe({ id, description: '有韵' }, editor.viewer)).toBe('');
    expect(await tagConsole.describe({ id, description: '有韵' }, editor.viewer)).toBe('有韵');
    expect((await tags.detail('诗', null)).description).toBe('有韵');
    expect(await audited()).toEqual([
      ['老李', 'tag.describe', '{"name":"诗","description":""}', '{"description":"有韵"}'],
    ]);
  });

  test('an unused tag can be deleted, one used by a draft or secret article cannot', async () => {
    const secret = await write(['诗']);
    await write(['词']);
    const { tagConsole, articles, tags } = stage.app.services;
    await articles.edit({ ...fields(['诗'], { secret: true }), id: secret }, wei.viewer);
    const id = await idOf('诗');
    const refused = { code: 'TAG_IN_USE' };
    await expect(tagConsole.remove({ id }, editor.viewer)).rejects.toMatchObject(refused);
    await articles.edit({ ...fields([]), id: secret, tags: ['词'] }, wei.viewer);
    expect(await tagConsole.remove({ id }, editor.viewer)).toBe('诗');
    await expect(tags.detail('诗', null)).rejects.toMatchObject({ code: 'TAG_NOT_FOUND' });
    expect((await tags.list({ page: 1, pageSize: 10 })).total).toBe(1);
    expect(await audited()).toEqual([['老李', 'tag.delete', '{"name":"诗","description":""}', '{}']]);
  });
});
