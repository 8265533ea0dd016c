import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PICTURE_URL } from '../../src/lib/contract/rules/pictures.ts';
import { createLocalBlog } from '../../src/lib/server/local-blog.ts';
import { ENGINE } from '../engine.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { FROM, openStaffStage, PASSWORD, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let operator: Person;
beforeAll(async () => {
  stage = await openStaffStage();
  operator = await stage.signUp('裴迪');
  await services().roles.set('裴迪', 'operator', null);
});
afterAll(() => stage?.close());

const services = () => stage.app.services;
let people = 0;

/** An author with a public article and two pictures, of which the first is shown for thanks. */
async function thanked() {
  const author = await stage.signUp(`作者${++people}`);
  const id = await stage.write(author, `第 ${people} 首`);
  const { users, files, pictures } = services();
  const upload = async () =>
    (await files.saveImage(author.viewer, await twoColours(60, 60).png().toBuffer())).url;
  const [picture, other] = [await upload(), await upload()];
  await users.changeThanks(author.viewer, picture);
  const { username } = author.viewer;
  return {
    author,
    username,
    id,
    picture,
    other,
    /** Value of the profile, of the answer for edge fronts and of the article's page. */
    async shown() {
      const page = await createLocalBlog(services(), null).readArticle(id);
      return [(await users.detail(username)).thanks, page?.writer?.thanks];
    },
    usesOf: async (url: string) => {
      const { result } = await pictures.list({ page: 1, pageSize: 10 }, author.viewer);
      return result.find((each) => each.url === url)?.uses;
    },
    names: async (state: 'used' | 'unused') =>
      (await pictures.list({ state, page: 1, pageSize: 10 }, author.viewer)).result.map(({ url }) => url),
  };
}

describe(`pictures for thanks on ${ENGINE}`, () => {
  test('are none at first; one is shown until its author removes it, and evicts their pages', async () => {
    const author = await stage.signUp('孟浩然');
    expect((await services().users.detail('孟浩然')).thanks).toBe('');
    const { username, picture, shown, author: other } = await thanked();
    expect(await shown()).toEqual([picture, picture]);
    expect(stage.events.at(-1)).toEqual({ type: 'user-changed', username, what: 'bio' });
    // Clients that do not know the field keep it.
    const fields = { display_name: '', website: '', profile_links: [] };
    await services().ownProfile.change(other.viewer, fields);
    expect(await shown()).toEqual([picture, picture]);
    await services().users.changeThanks(other.viewer, '');
    expect(await shown()).toEqual(['', '']);
    await expect(services().users.changeThanks(author.viewer, picture)).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      field: 'thanks',
    });
    for (const wrong of ['/api/file/nothing.png', '/api/file/', '/api/file/../x.png'])
      await expect(services().users.changeThanks(author.viewer, wrong)).rejects.toMatchObject({
        code: 'FIELD_INVALID',
      });
  });

  test('an avatar is not one', async () => {
    const { author, shown, picture } = await thanked();
    const name = await services().files.storeAvatar(author.viewer, await twoColours(60, 60).png().toBuffer());
    await expect(services().users.changeThanks(author.viewer, PICTURE_URL + name)).rejects.toMatchObject({
      code: 'FIELD_INVALID',
    });
    expect(await shown()).toEqual([picture, picture]);
  });

  test('count as used: they can be replaced, but not deleted', async () => {
    const { author, username, picture, other, shown, usesOf, names } = await thanked();
    expect(await usesOf(picture)).toEqual([{ place: 'thanks', id: username, title: username }]);
    expect([await names('used'), await names('unused')]).toEqual([[picture], [other]]);
    const [name = '', by = ''] = [picture, other].map((url) => url.replace(PICTURE_URL, ''));
    const { pictures } = services();
    await expect(pictures.remove({ names: [name], from_history: true }, author.viewer)).rejects.toMatchObject(
      { code: 'PICTURE_IN_USE' },
    );
    expect(await pictures.replace({ name, by }, author.viewer)).toMatchObject({ changed: 1, problems: [] });
    expect(await shown()).toEqual([other, other]);
    expect(await names('unused')).toEqual([picture]);
  });

  test('are not shown while the operator forbids them, and cannot be set', async () => {
    const { author, picture, other, shown } = await thanked();
    const { options, users } = services();
    await options.change({ thanksPictures: false }, operator.viewer.id);
    expect(await shown()).toEqual([undefined, '']);
    expect(await users.info('', author.viewer)).not.toHaveProperty('thanks');
    await expect(users.changeThanks(author.viewer, other)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    await options.change({ thanksPictures: true }, operator.viewer.id);
    expect(await shown()).toEqual([picture, picture]);
  });

  test.each(['thanks', 'file'] as const)('are removed by staff (%s), with the reason', async (field) => {
    const { username, picture, shown } = await thanked();
    const { profiles } = services();
    const { version, thanks } = await profiles.read({ username, page: 1, pageSize: 10 });
    expect(thanks).toBe(picture);
    const reason = '不是本人的收款码';
    await profiles.remove(
      field === 'thanks'
        ? { kind: 'user', field, id: username, version, reason }
        : { kind: 'picture', field, id: picture.replace(PICTURE_URL, ''), version: '', reason },
      operator.viewer,
    );
    expect(await shown()).toEqual(['', '']);
    const [entry] = await stage.rows('select before, after from audit_log order by id desc limit 1');
    expect(JSON.parse(String(entry?.['before']))).toMatchObject({
      [field]: field === 'thanks' ? picture : picture.replace(PICTURE_URL, ''),
    });
    expect(JSON.parse(String(entry?.['after']))).toMatchObject({ reason });
    const [notice] = await stage.rows(
      `select data from notifications where recipient_id = (select id from users where username = '${username}')`,
    );
    expect(JSON.parse(String(notice?.['data']))).toMatchObject({
      text: field === 'thanks' ? '赞赏码' : '一张图片',
    });
  });

  test('disappear with a ban that hides the author, and come back with its end', async () => {
    const { username, picture, shown } = await thanked();
    const { bans, users } = services();
    const ban = { username, until: null, reason: '广告', hides: true };
    await bans.ban(ban, operator.viewer);
    expect(await users.findShown(username)).toBeNull();
    await bans.unban(username, operator.viewer);
    expect((await shown())[0]).toBe(picture);
  });

  test('disappear with the account, whose articles stay', async () => {
    const { author, id, picture } = await thanked();
    await services().closing.close(author.viewer, { password: PASSWORD, contents: 'keep' }, FROM);
    const page = await createLocalBlog(services(), null).readArticle(id);
    expect(page?.writer).toMatchObject({ thanks: '' });
    expect(
      await stage.rows(`select name from files where name = '${picture.replace(PICTURE_URL, '')}'`),
    ).toEqual([]);
  });
});
