import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStaffStage, PASSWORD, FROM, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let wei: Person;
let di: Person;
beforeEach(async () => {
  stage = await openStaffStage();
  [wei, di] = [await stage.signUp('王维'), await stage.signUp('裴迪')];
});
afterEach(() => stage?.close());

const services = () => stage.app.services;
const call = ({ viewer }: Person, display_name: string) =>
  services().ownProfile.change(viewer, { display_name, website: '', profile_links: [] });
const search = (keywords: string, more: object = {}) =>
  services().articles.search(keywords, { page: 1, pageSize: 10 }, more);
const idsOf = async (keywords: string) => (await search(keywords)).result.map(({ id }) => id);
const suggested = async (text: string) => (await services().articles.suggest(text)).authors;

describe('an author with a display name', () => {
  test('is found and suggested by each part of both names, also written in other forms', async () => {
    const before = await stage.write(wei, '鹿柴');
    await call(wei, '摩诘 Jushi 居士');
    const after = await stage.write(wei, '竹里馆');
    await stage.write(di, '华子冈');
    for (const keywords of ['摩诘', '诘', 'JUSHI', '居士', '摩诘 居士', '摩詰', '王维', '维']) {
      expect([keywords, (await idsOf(keywords)).toSorted()]).toEqual([keywords, [before, after].toSorted()]);
      expect([keywords, await suggested(keywords.split(' ')[0] ?? '')]).toEqual([keywords, ['王维']]);
    }
    const { authorNames } = await services().articles.suggest('摩');
    expect(authorNames).toEqual([{ username: '王维', display_name: '摩诘 Jushi 居士' }]);
    const found = await search('摩诘 Jushi 居士');
    expect(found).toMatchObject({ total: 2, exact: 2, named: { author: '王维' }, authors: ['王维'] });
    expect(found.authorNames).toEqual([{ username: '王维', display_name: '摩诘 Jushi 居士' }]);
    expect((await search('竹里', { author: '王维' })).total).toBe(1);
  });

  test('is found by the new name once it changes, and no longer by the former one', async () => {
    const id = await stage.write(wei, '鹿柴');
    await call(wei, '摩诘');
    expect(await idsOf('摩诘')).toEqual([id]);
    await call(wei, '右丞');
    expect([await idsOf('摩诘'), await idsOf('右丞')]).toEqual([[], [id]]);
    await call(wei, '');
    expect([await idsOf('右丞'), await suggested('右'), await idsOf('王维')]).toEqual([[], [], [id]]);
    await call(di, '秀才');
    expect(await suggested('秀才')).toEqual([]);
  });

  test('is found by neither name in private articles', async () => {
    await call(wei, '摩诘');
    await stage.write(wei, '私事', true);
    expect([await idsOf('摩诘'), await suggested('摩诘')]).toEqual([[], []]);
  });

  test('comes after an author with that username', async () => {
    await stage.write(wei, '鹿柴');
    await call(wei, '裴迪的朋友');
    for (const title of ['华子冈', '孟城坳']) await stage.write(di, title);
    expect(await suggested('裴迪')).toEqual(['裴迪', '王维']);
    expect((await search('裴迪')).named).toEqual({ author: '裴迪' });
  });
});

test('many articles of other authors do not hide an author whose whole display name is searched', async () => {
  await call(wei, '诗');
  const id = await stage.write(wei, '鹿柴');
  for (let count = 0; count < 25; count += 1) {
    stage.pass(60_000);
    await stage.write({ ...di, viewer: { ...di.viewer, isUnlimited: true } }, `其${count}`);
  }
  expect(await suggested('诗')).toEqual(['王维']);
  expect((await search('诗')).named).toEqual({ author: '王维', tag: '诗' });
  expect((await search('诗', { author: '王维' })).result.map((each) => each.id)).toEqual([id]);
});

test.each(['keep', 'remove'] as const)('a closed account is not suggested (%s)', async (contents) => {
  await stage.write(wei, '鹿柴');
  await call(wei, '摩诘');
  await services().closing.close(wei.viewer, { password: PASSWORD, contents }, FROM);
  expect([await suggested('摩诘'), await suggested('王维'), await idsOf('摩诘')]).toEqual([[], [], []]);
  expect(await suggested('已注销')).toEqual([]);
});

test.each([true, false])('a banned account is not suggested (articles hidden: %s)', async (hides) => {
  await stage.write(wei, '鹿柴');
  await call(wei, '摩诘');
  await services().bans.ban({ username: '王维', until: null, reason: '广告', hides }, null);
  expect([await suggested('摩诘'), await suggested('王维')]).toEqual([[], []]);
  await services().bans.unban('王维', null);
  expect(await suggested('摩诘')).toEqual(['王维']);
});

test('a display name that staff removes is no longer found', async () => {
  const id = await stage.write(wei, '鹿柴');
  await call(wei, '摩诘');
  await services().profiles.removeTyped({ kind: 'user', id: '王维', field: 'display_name', reason: '冒名' });
  expect([await idsOf('摩诘'), await idsOf('王维')]).toEqual([[], [id]]);
});
