import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, PASSWORD, type Person, type TestServer } from './server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(() => server?.close());

const close = (person: Person, contents: string, password = PASSWORD) =>
  server.post('/api/user/close', { password, contents }, person.token);
const search = async (keywords: string) =>
  done(await server.post('/api/page/searchpage', { keywords })) as {
    total: number;
    result: { create_user: string }[];
  };
const page = async (path: string) => (await fetch(server.url + path)).text();

/**
 * An author with a public article, a draft, a secret article, a comment on another author's article, and a
 * comment by another person on their own.
 */
async function stage(name: string, word: string) {
  const [author, reader] = [await server.join(name), await server.join(`${name}之友`)];
  const elsewhere = await server.write(reader, { title: `友人的${word}` });
  const shown = await server.write(author, { title: `${word}公开`, content: '正文' });
  const draft = await server.write(author, { title: `${word}草稿`, status: 'draft' });
  const secret = await server.write(author, { title: `${word}私密`, secret: 'true' });
  await server.comment(author, elsewhere, { content: `${word}评论` });
  await server.comment(reader, shown, { content: '别人的评论' });
  // Fills the cache with pages that show the name; closing the account must invalidate them.
  await page(`/detail/${shown}`);
  await page(`/user/info/${encodeURIComponent(name)}`);
  return { author, reader, elsewhere, shown, draft, secret };
}

const countUsers = async () => {
  const { db } = server.app;
  const rows = await db.read
    .selectFrom('counters')
    .select('value')
    .where('name', '=', 'users')
    .executeTakeFirstOrThrow();
  return rows.value;
};

describe('closing an account', () => {
  test('keeps only public content, under an anonymous name', async () => {
    const { author, elsewhere, shown, draft, secret } = await stage('柳宗元', '永州');
    const before = await countUsers();
    done(await close(author, 'keep'));
    expect(await countUsers()).toBe(before - 1);
    const article = done(await server.post('/api/page/detail', { id: shown })) as { create_user: string };
    expect(article.create_user).toMatch(/^已注销-[0-9a-f]{8}$/);
    for (const path of [`/detail/${shown}`, `/detail/${elsewhere}`, '/home'])
      expect(await page(path)).not.toContain('>柳宗元<');
    expect((await search('永州公开')).result.map(({ create_user }) => create_user)).toEqual([
      article.create_user,
    ]);
    expect((await server.post('/api/user/detail', { username: '柳宗元' })).error).toBe('USER_NOT_FOUND');
    expect(await server.rows(`select id from articles where id in ('${draft}', '${secret}')`)).toEqual([]);
    for (const table of [
      'signins',
      'known_places',
      'user_emails',
      'identities',
      'passkeys',
      'user_totps',
      'access_tokens',
    ])
      expect(
        await server.rows(
          `select user_id from ${table} where user_id = (select author_id from articles where id = '${shown}')`,
        ),
      ).toEqual([]);
  });

  test('or deletes everything', async () => {
    const { author, elsewhere, shown } = await stage('刘禹锡', '陋室');
    done(await close(author, 'remove'));
    expect((await server.post('/api/page/detail', { id: shown })).error).toBe('ARTICLE_NOT_FOUND');
    const comments = await server.post('/api/comment/getpagecommentlist', { page_id: elsewhere });
    expect(done(comments)).toEqual([]);
    expect((await search('陋室公开')).total).toBe(0);
    expect(await page('/home')).not.toContain('陋室公开');
  });

  test('ends all sign-ins, refuses new ones and reserves the name', async () => {
    const { author } = await stage('元稹', '莺莺');
    done(await close(author, 'keep'));
    expect((await server.post('/api/user/safety', {}, author.token)).status).toBe(402);
    expect((await server.post('/api/signin', { username: '元稹', password: PASSWORD })).error).toBe(
      'SIGNIN_FAILED',
    );
    const again = { username: '元稹', password: PASSWORD, repassword: PASSWORD };
    expect((await server.post('/api/signup', again)).error).toBe('USERNAME_RESERVED');
  });

  test('requires the password, a choice, and that staff step down first; changes nothing when refused', async () => {
    const { author, draft } = await stage('王安石', '变法');
    expect((await close(author, 'keep', 'wrong password')).error).toBe('PASSWORD_WRONG');
    expect((await close(author, 'something')).field).toBe('contents');
    await server.app.services.roles.set('王安石', 'editor', null);
    expect((await close(author, 'remove')).error).toBe('STAFF_CANNOT_LEAVE');
    done(await server.post('/api/page/detail', { id: draft }, author.token));
  });
});
