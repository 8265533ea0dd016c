import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  archiveUrl,
  articleUrl,
  feedUrl,
  seriesUrl,
  userArchiveUrl,
  userUrl,
} from '../../src/lib/shared/urls.ts';
import { done, openServer, PASSWORD, type Fields, type Person, type TestServer } from './server.ts';
import { article, user } from './shapes.ts';

const HOUR_S = 3600;
const TEN_MINUTES_S = 600;

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server?.close());

let count = 0;
let author: Person;
beforeEach(async () => {
  author = await server.join(`wangwei${++count}`);
});

const save = (fields: Fields, by: Person = author) =>
  server.post('/api/user/profile', { display_name: '', website: '', profile_links: '', ...fields }, by.token);
const detail = async (username: string) => done(await server.post('/api/user/detail', { username }));
const page = async (path: string) => (await server.send(path)).text;

describe('a user without display name, website and links', () => {
  test('is answered to old clients exactly as before', async () => {
    expect(await detail(author.username)).toEqual(user({ username: author.username }));
    const id = await server.write(author);
    expect(done(await server.post('/api/page/detail', { id }))).toEqual(
      article({ create_user: author.username }),
    );
    const written = await server.comment(author, id, { content: '好' });
    const [listed] = done(await server.post('/api/comment/getpagecommentlist', { page_id: id }));
    for (const each of [written, listed]) expect(each).not.toHaveProperty('author_name');
  });
});

describe('a display name', () => {
  test('is shown everywhere, with the username in URLs and beside it', async () => {
    const name = `摩诘居士${count}`;
    const series = done(
      await server.post('/api/series/create', { title: '辋川', description: '', cover: '' }, author.token),
    )._id;
    const id = await server.write(author, { title: `山居${count}`, series });
    await server.comment(author, id, { content: '自注' });
    expect(await page('/home')).not.toContain(name);
    done(await save({ display_name: `  ${name} ` }));

    expect(await detail(author.username)).toEqual(user({ username: author.username, display_name: name }));
    const shown = done(await server.post('/api/page/detail', { id }));
    expect(shown).toMatchObject({ create_user: author.username, author_name: name });
    const [comment] = done(await server.post('/api/comment/getpagecommentlist', { page_id: id }));
    expect(comment).toMatchObject({ create_user: author.username, author_name: name });

    const places = [
      '/home',
      archiveUrl({ year: new Date().getFullYear() }),
      articleUrl(id),
      seriesUrl(series),
      userUrl(author.username),
      userArchiveUrl(author.username),
      feedUrl({ kind: 'site' }, 'rss'),
      feedUrl({ kind: 'user', name: author.username }, 'atom'),
      feedUrl({ kind: 'series', name: series }, 'json'),
    ];
    for (const place of places) expect(await page(place), place).toContain(name);
    expect(await page(userUrl(author.username))).toContain(`@${author.username}`);
    expect(await page(articleUrl(id))).toContain(`@${author.username}`);
    expect((await server.send(userUrl(name))).status).toBe(302);
  });

  test('may be shared by several users', async () => {
    const other = await server.join(`mengjiao${count}`);
    const name = `山中客${count}`;
    done(await save({ display_name: name }));
    done(await save({ display_name: name }, other));
    expect([
      (await detail(author.username)).display_name,
      (await detail(other.username)).display_name,
    ]).toEqual([name, name]);
  });

  test('that equals the own username is none', async () => {
    done(await save({ display_name: author.username.toUpperCase() }));
    expect(await detail(author.username)).toEqual(user({ username: author.username }));
  });

  test.each(['站长', '管 理 员', 'Admin✓', '墨页', '墨頁官方'.slice(0, 2), '已注销-1'])(
    'that looks like staff is refused: %s',
    async (name) => {
      const answer = await save({ display_name: name });
      expect([answer.error, answer.field]).toEqual(['USERNAME_RESERVED', 'display_name']);
      expect(await detail(author.username)).toEqual(user({ username: author.username }));
    },
  );

  test.each([
    ['equal', (name: string) => name],
    ['in another case', (name: string) => name.toUpperCase()],
    ['with a Cyrillic letter', (name: string) => name.replace('a', 'а')],
    ['with a sign', (name: string) => `${name} ✓`],
    ['with spaces', (name: string) => name.split('').join(' ')],
  ])('that looks like another user’s username is refused: %s', async (_, disguise) => {
    const other = await server.join(`banker${count}`);
    const answer = await save({ display_name: disguise(other.username) });
    expect([answer.error, answer.field]).toEqual(['USERNAME_TAKEN', 'display_name']);
  });

  test.each([
    ['a bidirectional override', 'a\u202eb', '控制字符'],
    ['a zero-width character', 'a\u200bb', '控制字符'],
    ['no letter', '✓✓', '至少要有一个'],
    ['31 graphemes', '山'.repeat(31), '不能超过 30 个字'],
    ['many marks on a letter', `a${'\u0301'.repeat(9)}`, '附加符号太多'],
  ])('with %s is refused', async (_, name, text) => {
    expect((await save({ display_name: name })).data).toContain(text);
  });

  test('is bounded in graphemes', async () => {
    const name = `家${'👨‍👩‍👧'.repeat(18)}`;
    done(await save({ display_name: name }));
    expect((await detail(author.username)).display_name).toBe(name);
  });

  test('changes once in an hour; the rest of the profile at any time', async () => {
    done(await save({ display_name: `甲${count}` }));
    server.pass(TEN_MINUTES_S);
    const again = await save({ display_name: `乙${count}` });
    expect([again.status, again.error]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(again.data).toContain('显示名一小时只能改一次');
    expect(again.data).toContain('请 50 分钟后再改');
    done(await save({ display_name: `甲${count}`, website: 'https://a.example' }));
    expect(await detail(author.username)).toMatchObject({
      display_name: `甲${count}`,
      website: 'https://a.example',
    });
    server.pass(HOUR_S - TEN_MINUTES_S);
    done(await save({ display_name: `乙${count}` }));
    expect(await detail(author.username)).toEqual(
      user({ username: author.username, display_name: `乙${count}` }),
    );
  });

  test('is corrected freely for ten minutes, which moves neither their end nor that of the hour', async () => {
    const name = async () => (await detail(author.username)).display_name;
    for (const typo of ['甲', '乙', '丙', '丁', '戊']) {
      done(await save({ display_name: `${typo}${count}` }));
      expect(await name()).toBe(`${typo}${count}`);
      server.pass(TEN_MINUTES_S / 5 - 1);
    }
    // Removing the name is a correction, too.
    done(await save({ display_name: '' }));
    expect(await name()).toBeUndefined();
    server.pass(5);
    expect((await save({ display_name: `己${count}` })).data).toContain('请 50 分钟后再改');
    server.pass(HOUR_S - TEN_MINUTES_S);
    done(await save({ display_name: `己${count}` }));
    done(await save({ display_name: `庚${count}` }));
    expect(await name()).toBe(`庚${count}`);
  });

  test('is judged at each correction, and frees the names given up', async () => {
    const other = await server.join(`peidi${count}`);
    done(await save({ display_name: `丘为${count}` }));
    expect((await save({ display_name: '站长' })).error).toBe('USERNAME_RESERVED');
    expect((await save({ display_name: other.username })).error).toBe('USERNAME_TAKEN');
    expect((await detail(author.username)).display_name).toBe(`丘为${count}`);
    done(await save({ display_name: `丘丹${count}` }));
    await server.join(`丘为${count}`);
    const taken = { username: `丘丹${count}`, password: PASSWORD, repassword: PASSWORD };
    expect((await server.post('/api/signup', taken)).error).toBe('USERNAME_TAKEN');
  });
});

describe('website and links', () => {
  test('are on the profile, as the user’s own and without a vote', async () => {
    const links = ['https://a.example/x?y=1', 'http://xn--fiqs8s.example/'] as const;
    done(
      await save({
        website: 'https://www.site.example/',
        'profile_links[0]': links[0],
        'profile_links[1]': links[1],
      }),
    );
    expect(await detail(author.username)).toEqual(
      user({ username: author.username, website: 'https://www.site.example/', profile_links: links }),
    );
    await server.write(author);
    const html = await page(userUrl(author.username));
    expect(html).toContain('href="https://www.site.example/" rel="me nofollow ugc noopener"');
    expect(html).toMatch(/>\s*site\.example\s*</);
    expect(html).toContain('"sameAs":["https://www.site.example/"');
  });

  test('may be sent as lines', async () => {
    done(await save({ profile_links: 'https://a.example\r\n\r\n https://b.example ' }));
    expect((await detail(author.username)).profile_links).toEqual(['https://a.example', 'https://b.example']);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//a.example',
    'https://user:pw@a.example',
    'https://localhost',
    'https://a.example/\u202ex',
    'https://a b.example',
    `https://a.example/${'x'.repeat(200)}`,
  ])('are refused: %s', async (address) => {
    for (const field of ['website', 'profile_links']) {
      const answer = await save({ [field]: address });
      expect([answer.error, answer.field]).toEqual(['FIELD_INVALID', field]);
    }
    expect(await detail(author.username)).toEqual(user({ username: author.username }));
  });

  test('are at most five', async () => {
    const lines = (most: number) =>
      Array.from({ length: most }, (_, at) => `https://l${at}.example`).join('\n');
    expect((await save({ profile_links: lines(6) })).data).toContain('最多 5 个');
    done(await save({ profile_links: lines(5) }));
  });

  test('and the display name go with a closed account', async () => {
    done(await save({ display_name: `归人${count}`, website: 'https://gone.example' }));
    const id = await server.write(author);
    done(await server.post('/api/user/close', { password: PASSWORD, contents: 'keep' }, author.token));
    expect(done(await server.post('/api/page/detail', { id })).author_name).toBeUndefined();
    const rows = await server.rows(`select id from users where website = 'https://gone.example'`);
    expect(rows).toEqual([]);
  });
});
