import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { feedUrl, seriesUrl, sitemapUrl, userArchiveUrl, userUrl } from '../../src/lib/shared/urls.ts';
import { REMOVALS, type Removal, type RemovalKind } from '../../src/lib/contract/calls/profile-calls.ts';
import {
  done,
  openServer,
  PASSWORD,
  type Fields,
  type Person,
  type TestServer,
  type Untyped,
} from './server.ts';

const NASTY = '下流话';
let server: TestServer;
let editor: Person;
let operator: Person;
let reader: Person;
beforeAll(async () => {
  server = await openServer();
  editor = await server.join('裴迪');
  operator = await server.join('老王');
  reader = await server.join('读者');
  await server.app.services.roles.set('裴迪', 'editor', null);
  await server.app.services.roles.set('老王', 'operator', null);
});
afterAll(() => server?.close());

let author: Person;
let article: string;
let series: string;
let tag: string;
let picture: string;
let avatar: string;
let count = 0;
/** Creates an account with text in each public field. */
beforeEach(async () => {
  author = await server.join(`${NASTY}${++count}`);
  const post = async (path: string, fields: Fields) => done(await server.post(path, fields, author.token));
  await post('/api/user/updatebio', { bio: `${NASTY}简介${count}` });
  await post('/api/user/profile', {
    display_name: `${NASTY}笔名${count}`,
    website: `https://site${count}.example`,
    profile_links: `https://link${count}.example/a`,
  });
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  avatar = await post('/api/file/uploadAvatar', {
    imgData: `data:image/png;base64,${png.toString('base64')}`,
  });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png');
  const headers = { Authorization: `Beare ${author.token}` };
  const uploaded = await server.send('/api/file/uploadImage', { method: 'POST', body: form, headers });
  picture = done(uploaded).url;
  await post('/api/user/thanks', { thanks: picture });
  const fields = { title: `${NASTY}专栏`, description: `${NASTY}介绍`, cover: picture };
  series = (await post('/api/series/create', fields))._id;
  tag = (await post('/api/tag/create', { name: `标签${count}`, description: `${NASTY}描述${count}。` }))._id;
  article = await server.write(author, { series, title: `文章${count}`, tags: [`标签${count}`] });
  await server.comment(author, article, { content: '自己的评论' });
});

const page = async (path: string) => (await server.send(path)).text;
/** Every place that shows an account's fields to a visitor. */
const shown = async (name: string): Promise<Record<string, string>> => {
  const call = async (path: string, fields: Fields) =>
    JSON.stringify((await server.post(path, fields)).data ?? null);
  return {
    profile: await page(userUrl(name)),
    user: await call('/api/user/detail', { username: name }),
    series: await page(seriesUrl(series)),
    'series of the user': await call('/api/series/list', { username: name }),
    'tag page': await page(`/tag/detail/${encodeURIComponent(`标签${count}`)}`),
    'list of tags': await call('/api/tag/taglist', { pageSize: 999 }),
    article: await page(`/detail/${article}`),
    feed: await page(feedUrl({ kind: 'user', name }, 'rss')),
    'feed of the series': await page(feedUrl({ kind: 'series', name: series }, 'rss')),
    home: await page('/home'),
    search: await call('/api/page/searchpage', { keywords: `文章${count}`, details: 'true' }),
    'search by author': await call('/api/page/searchpage', { keywords: '山雨', author: `${NASTY}${count}` }),
  };
};
const idOf: Record<RemovalKind, () => string> = {
  user: () => author.username,
  series: () => series,
  tag: () => tag,
  picture: () => picture.slice('/api/file/'.length),
};
/** Removes a field in the version that staff reads now. */
const remove = async (asked: Omit<Removal, 'reason' | 'version'>, by = editor) => {
  const read = await server.post('/api/staff/profile', { username: author.username }, editor.token);
  const { version = 'none', series = [], tags = [] }: Untyped = read.data;
  const part = [...series, ...tags].find(({ _id }: Untyped) => _id === asked.id);
  const fields = { ...asked, reason: '违规', version: part?.version ?? version };
  return server.post('/api/staff/profile/remove', fields, by.token);
};
const every = Object.entries(REMOVALS).flatMap(([kind, fields]) =>
  Object.keys(fields).map((field) => [kind as RemovalKind, field] as const),
);
const asked = (kind: RemovalKind, field: string) =>
  ({ kind, field, id: idOf[kind]() }) as Omit<Removal, 'reason'>;

describe('staff', () => {
  test.each(every)('takes away of a %s its %s, on every page, and records it', async (kind, field) => {
    const before = await shown(author.username);
    // Guards against a test that passes because the field was never shown.
    expect(before['profile']).toContain(NASTY);
    expect(before['profile']).toContain(avatar);
    const read = done(await server.post('/api/staff/profile', { username: author.username }, editor.token));
    expect(JSON.stringify(read)).toContain(NASTY);
    const said = String(done(await remove(asked(kind, field))));
    const [entry] = await server.rows('select * from audit_log order by create_time desc, id desc limit 1');
    expect(entry).toMatchObject({ actor_name: '裴迪', subject_kind: kind });
    expect(JSON.parse(String(entry?.['before']))[field]).not.toBe('');
    const name = /用户-[0-9a-f]{8}/.exec(said)?.[0] ?? author.username;
    expect(name === author.username).toBe(field !== 'username');
    const after = await shown(name);
    const gone: Record<string, string> = {
      'user username': author.username,
      'user display_name': `${NASTY}笔名${count}`,
      'user website': `site${count}.example`,
      'user profile_links': `link${count}.example`,
      'user bio': `${NASTY}简介${count}`,
      'series title': `${NASTY}专栏`,
      'series description': `${NASTY}介绍`,
      'tag description': `${NASTY}描述${count}。`,
    };
    const word = gone[`${kind} ${field}`];
    if (word !== undefined)
      for (const [place, text] of Object.entries(after)) {
        // The search page repeats the query.
        expect(place === 'search by author' ? '' : text, place).not.toContain(word);
      }
    if (kind === 'user' && field === 'avatar') {
      expect(after['profile']).not.toContain(avatar);
      expect(after['article']).not.toContain(avatar);
      expect((await server.send(`/api/file/${avatar}`)).status).toBe(404);
      expect((await server.send(`/api/file/avatar/user?username=${encodeURIComponent(name)}`)).status).toBe(
        404,
      );
    }
    if (field === 'thanks') {
      expect(before['article']).toContain('赞赏');
      expect(after['article']).not.toContain('赞赏');
    }
    if (field === 'cover') expect(after['series of the user']).not.toContain(picture);
    if (field === 'file') {
      expect((await server.send(picture)).status).toBe(404);
      expect((await server.send(`${picture}?v=480.webp`)).status).toBe(404);
    }
  });

  test('leaves a renamed account’s articles to be found by its new name, however many', async () => {
    for (let number = 0; number < 21; number++) await server.write(author, { title: `长卷${number}` });
    const said = String(done(await remove(asked('user', 'username'))));
    const [, name = ''] = /「(用户-[0-9a-f]{8})」/.exec(said) ?? [];
    const found = done(await server.post('/api/page/searchpage', { keywords: name, details: 'true' }));
    expect(found.total).toBe(22);
  });

  test('renames an account; its owner signs in with the former name, which stays reserved', async () => {
    const former = author.username;
    const said = String(done(await remove(asked('user', 'username'))));
    const [, name] = /「(用户-[0-9a-f]{8})」/.exec(said) ?? [];
    expect((await server.post('/api/user/detail', { username: former })).error).toBe('USER_NOT_FOUND');
    const signIn = (username: string) => server.post('/api/signin', { username, password: PASSWORD });
    for (const each of [former, name ?? '']) {
      const { token } = done(await signIn(each)) as { token: string };
      const info = done(await server.post('/api/signin/getUserInfo', { username: '' }, token));
      expect(info.username).toBe(name);
    }
    const again = { username: former, password: PASSWORD, repassword: PASSWORD };
    expect((await server.post('/api/signup', again)).error).toBe('USERNAME_RESERVED');
    server.pass(181 * 86_400);
    expect((await signIn(former)).error).toBe('SIGNIN_FAILED');
    for (const person of [editor, operator, reader]) {
      const { token } = done(await signIn(person.username)) as { token: string };
      person.token = token;
    }
  });

  test.each(every)(
    'is refused a %s’s %s that belongs to staff, but for the operator',
    async (kind, field) => {
      await server.app.services.roles.set(author.username, 'editor', null);
      const recorded = async () =>
        Number((await server.rows('select count(*) as n from audit_log'))[0]?.['n']);
      const before = await recorded();
      // A tag's description belongs to no account, so the staff rule does not apply.
      const mayRemove = kind === 'tag';
      expect((await remove(asked(kind, field))).error).toBe(mayRemove ? undefined : 'NOT_ALLOWED');
      expect(await recorded()).toBe(mayRemove ? before + 1 : before);
      done(await remove(asked(kind, field), operator));
    },
  );

  test('gets errors for unknown accounts and fields', async () => {
    const refusals = [
      [{ kind: 'user', field: 'bio', id: '没有这人' }, 'USER_NOT_FOUND'],
      [{ kind: 'series', field: 'title', id: 'f'.repeat(24) }, 'SERIES_NOT_FOUND'],
      [{ kind: 'tag', field: 'description', id: 'f'.repeat(24) }, 'TAG_NOT_FOUND'],
      [{ kind: 'picture', field: 'file', id: '0.png' }, 'FILE_NOT_FOUND'],
      [{ kind: 'user', field: 'password_hash', id: '读者' }, 'FIELD_INVALID'],
      [{ kind: 'article', field: 'title', id: '读者' }, 'FIELD_INVALID'],
    ] as const;
    for (const [fields, code] of refusals)
      expect([fields, (await remove(fields as Omit<Removal, 'reason' | 'version'>)).error]).toEqual([
        fields,
        code,
      ]);
    expect((await remove(asked('user', 'bio'), reader)).error).toBe('NOT_ALLOWED');
  });
});

describe('a ban that hides content', () => {
  const ban = (hides: boolean) =>
    server.post(
      '/api/staff/users/ban',
      { username: author.username, reason: '广告', hides: String(hides) },
      editor.token,
    );
  /** Status or refusal of every page and call that belongs to the account. */
  const answers = async (name: string) => {
    const status = async (path: string) => {
      const { status: code, headers } = await server.send(path);
      return `${code} ${headers.get('location') ?? ''}`.trim();
    };
    const refusal = async (path: string, fields: Fields, by?: Person) => {
      const { error, data } = await server.post(path, fields, by?.token);
      return error ?? JSON.stringify(data);
    };
    const reports = async (id: string) => {
      const fields = { kind: 'user', id, reason: 'spam' };
      return (await refusal('/api/report', fields, reader)) !== 'USER_NOT_FOUND';
    };
    const nobody = '没有这个人';
    const ask = async (who: string) => ({
      profile: await status(userUrl(who)),
      archive: await status(userArchiveUrl(who)),
      feed: await status(feedUrl({ kind: 'user', name: who }, 'atom')),
      avatar: await status(`/api/file/avatar/user?username=${encodeURIComponent(who)}`),
      detail: await refusal('/api/user/detail', { username: who }),
      info: await refusal('/api/signin/getUserInfo', { username: who }),
      articles: await refusal('/api/page/pagelist', { type: 'create_user', content: who }),
      series: await refusal('/api/series/list', { username: who }),
      titles: await refusal('/api/page/archive', { username: who }),
      'feed by the API': await refusal('/api/page/feed', { kind: 'user', name: who }),
      report: (await reports(who)) ? 'taken' : 'USER_NOT_FOUND',
    });
    return { account: await ask(name), nobody: await ask(nobody) };
  };

  test('hides the profile like an unknown account, until it ends', async () => {
    const places = {
      'sitemap of users': () => page(sitemapUrl('users', 0)),
      suggestions: async () =>
        JSON.stringify(done(await server.post('/api/page/suggest', { q: author.username }))),
      home: () => page('/home'),
    };
    const naming = async () => {
      const names: string[] = [];
      for (const [name, look] of Object.entries(places)) {
        const text = await look();
        const written = [author.username, encodeURIComponent(author.username)];
        if (written.some((each) => text.includes(each))) names.push(name);
      }
      return names;
    };
    // Fills the cache with every page before the ban.
    const before = await answers(author.username);
    expect(before.account.profile).toBe('200');
    expect(await naming()).toEqual(Object.keys(places));
    done(await ban(true));
    const { account, nobody } = await answers(author.username);
    expect(account).toEqual(nobody);
    expect(await naming()).toEqual([]);
    done(await server.post('/api/staff/users/unban', { username: author.username }, editor.token));
    expect((await answers(author.username)).account).toEqual(before.account);
    expect(await naming()).toEqual(Object.keys(places));
  });

  test('without hiding leaves the profile visible', async () => {
    const before = await answers(author.username);
    done(await ban(false));
    expect((await answers(author.username)).account).toEqual(before.account);
  });

  test('is still seen by staff, in the console', async () => {
    done(await ban(true));
    const read = done(await server.post('/api/staff/profile', { username: author.username }, editor.token));
    expect(read).toMatchObject({ username: author.username, is_hidden: true });
    done(await remove(asked('user', 'bio')));
  });
});
