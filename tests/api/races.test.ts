import { afterAll, beforeAll, describe } from 'vitest';
import { createStorage, ENGINE, TOKEN_SECRET, type TestStorage } from '../engine.ts';
import { race, unless } from '../race.ts';
import {
  done,
  openServer,
  PASSWORD,
  type Answer,
  type Fields,
  type Person,
  type TestServer,
} from './server.ts';

/**
 * Pairs of concurrent calls that repeat or contradict each other. On PostgreSQL they go to two servers on one
 * database; SQLite has one process.
 */
let storage: TestStorage | undefined;
let a: TestServer;
let b: TestServer;
let author: Person;
let operator: Person;
beforeAll(async () => {
  if (ENGINE === 'postgres') {
    storage = await createStorage('');
    a = await openServer({ ...storage.settings, TOKEN_SECRET });
    b = await openServer({ ...storage.settings, TOKEN_SECRET });
  } else a = b = await openServer();
  author = await a.join('林间');
  operator = await a.join('老王');
  await a.app.services.roles.set('老王', 'operator', null);
});
afterAll(async () => {
  if (b !== a) await b?.close();
  await a?.close();
  await storage?.remove();
});

const codeOf = ({ code, error }: Answer) => (code === 'OK' ? 'OK' : String(error));
/** Returns the outcomes of two concurrent calls. */
async function both(one: Promise<Answer>, other: Promise<Answer>): Promise<string[]> {
  return (await Promise.all([one, other])).map(codeOf);
}
const article = (fields: Fields = {}): Fields => ({ title: '题', content: '文', tags: ['诗'], ...fields });
const rows = (sql: string) => (storage ?? a).rows(sql);
const count = async (sql: string) => Number(Object.values((await rows(sql))[0] ?? {})[0]);
const asOperator = async (path: string, fields: Fields) =>
  done(await a.post(`/api/staff/${path}`, fields, operator.token));

/** Describes stored counters that differ from what they count, or returns null. */
async function wrongNumbers(): Promise<string | null> {
  const wrong = await rows(`select username from users where
    page_num <> (select count(*) from articles where author_id = users.id and is_public = 1)
    or draft_num <> (select count(*) from articles where author_id = users.id and status = 'draft')`);
  const tags = await rows(`select name from tags where
    page_num <> (select count(*) from article_tags where tag_id = tags.id and is_public = 1)`);
  return wrong.length + tags.length === 0 ? null : `numbers: ${JSON.stringify([...wrong, ...tags])}`;
}

describe('a request sent twice takes effect once', () => {
  race('creating an article with one request_id', async (at) => {
    const fields = article({ title: `一次 ${at}`, request_id: `article ${at}` });
    const [one, other] = await Promise.all([
      a.post('/api/page/new', fields, author.token),
      b.post('/api/page/new', fields, author.token),
    ]);
    if (done(one).id !== done(other).id) return 'two articles';
    return unless(
      [String(done(one).repeated ?? false), String(done(other).repeated ?? false)],
      ['true', 'false'],
    );
  });

  race('creating a comment with one request_id', async (at) => {
    const page_id = (page ??= await a.write(author));
    const fields = { content: `一次 ${at}`, page_id, request_id: `comment ${at}` };
    const sent = [a, b].map((node) => node.post('/api/comment/create', fields, author.token));
    const ids = (await Promise.all(sent)).map((answer) => done(answer)._id);
    return ids[0] === ids[1] ? null : 'two comments';
  });
  let page: string | undefined;

  race('reporting an article as one reader', async () => {
    const fields = { kind: 'article', id: await a.write(author), reason: 'spam' };
    const sent = [a, b].map((node) => node.post('/api/report', fields, operator.token));
    return unless((await Promise.all(sent)).map(codeOf), ['OK', 'REPORTED_ALREADY']);
  });
});

describe('a single resource goes to one request', () => {
  race('signing up with one username', async (at) => {
    const account = { username: `同名${at}`, password: PASSWORD, repassword: PASSWORD };
    await asOperator('options/change', { signup: 'open' });
    return unless(await both(a.post('/api/signup', account), b.post('/api/signup', account)), [
      'OK',
      'USERNAME_TAKEN',
    ]);
  });

  race('using an invitation for one account', async (at) => {
    await asOperator('options/change', { signup: 'invitation' });
    const { code } = await asOperator('invitation/add', { uses: 1, days: 7 });
    const signup = (node: TestServer, name: string) =>
      node.post('/api/signup', { username: name, password: PASSWORD, repassword: PASSWORD, invite: code });
    return unless(await both(signup(a, `甲客${at}`), signup(b, `乙客${at}`)), ['OK', 'INVITATION_INVALID']);
  });

  race('creating a tag', async (at) => {
    const create = (node: TestServer) => node.post('/api/tag/create', { name: `标${at}` }, author.token);
    return unless(await both(create(a), create(b)), ['OK', 'TAG_TAKEN']);
  });

  race('creating the last of 100 series', async () => {
    for (const { id } of await rows("select id from series where title = '末'"))
      done(await a.post('/api/series/delete', { id: String(id) }, author.token));
    while ((await count('select count(*) from series')) < 99)
      done(await a.post('/api/series/create', { title: '辑' }, author.token));
    const create = (node: TestServer) => node.post('/api/series/create', { title: '末' }, author.token);
    return unless(await both(create(a), create(b)), ['OK', 'SERIES_TOO_MANY']);
  });

  race('taking the last of five picks', async () => {
    pinnable ??= await Promise.all(Array.from({ length: 6 }, () => a.write(author)));
    const [first = '', second = '', ...others] = pinnable;
    const pinned = (await a.app.services.picks.listPins()).map(({ item }) => item._id);
    for (const id of others) if (!pinned.includes(id)) await a.app.services.picks.pin(id);
    const outcomes = await Promise.allSettled([
      a.app.services.picks.pin(first),
      b.app.services.picks.pin(second),
    ]);
    const ids = (await a.app.services.picks.listPins()).map(({ item }) => item._id);
    for (const id of [first, second]) if (ids.includes(id)) await a.app.services.picks.unpin(id);
    return (
      unless(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      ) ?? (ids.length === 5 ? null : 'six')
    );
  });
  let pinnable: string[] | undefined;

  race('demoting the last operator', async () => {
    await asOperator('options/change', { signup: 'open' });
    const other = (second ??= await a.join('小李'));
    for (const name of ['老王', '小李']) await a.app.services.roles.set(name, 'operator', null);
    const demote = (node: TestServer, by: Person, username: string) =>
      node.post('/api/staff/users/role', { username, role: 'author', password: PASSWORD }, by.token);
    await both(demote(a, operator, '小李'), demote(b, other, '老王'));
    const left = await count("select count(*) from users where role = 'operator'");
    await a.app.services.roles.set('老王', 'operator', null);
    return left >= 1 ? null : 'nobody is left';
  });
  let second: Person | undefined;
});

describe('concurrent changes of an article', () => {
  race('one edit gets a conflict', async (at) => {
    const id = await a.write(author);
    const source = done(await a.post('/api/page/editdetail', { id }, author.token));
    const edit = (node: TestServer, title: string) =>
      node.post(
        '/api/page/edit',
        { ...article({ title }), id, update_time: source.update_time },
        author.token,
      );
    return unless(await both(edit(a, `甲 ${at}`), edit(b, `乙 ${at}`)), ['OK', 'ARTICLE_CHANGED']);
  });

  race('publishing and deleting an article', async () => {
    const id = await a.write(author, { status: 'draft' });
    const [published, deleted] = await both(
      a.post('/api/page/edit', article({ id }), author.token),
      b.post('/api/page/delete', { id }, author.token),
    );
    const shown = codeOf(await a.post('/api/page/detail', { id }));
    if (deleted === 'OK' && shown === 'OK') return 'deleted and shown';
    return (
      unless([String(deleted)], ['OK']) ??
      (published === 'OK' || published === 'ARTICLE_NOT_FOUND' ? wrongNumbers() : String(published))
    );
  });

  race('scheduling and publishing an article', async () => {
    const id = await a.write(author, { status: 'draft' });
    const publish_time = new Date(Date.now() + 3_600_000).toISOString();
    const [, edited] = await both(
      a.post('/api/page/schedule', { id, publish_time }, author.token),
      b.post('/api/page/edit', article({ id }), author.token),
    );
    const waiting = await count(`select count(*) from article_schedules where article_id = '${id}'`);
    return unless([String(edited), String(waiting)], ['OK', '0']) ?? wrongNumbers();
  });

  race('restoring and purging an article', async () => {
    const id = await a.write(author);
    done(await a.post('/api/page/delete', { id }, author.token));
    const outcomes = await both(
      a.post('/api/page/restore', { id }, author.token),
      b.post('/api/page/purge', { id }, author.token),
    );
    const left = await count(`select count(*) from articles where id = '${id}'`);
    const isWell = outcomes[0] === 'OK' ? left === 1 && outcomes[1] !== 'OK' : left === 0;
    return isWell ? wrongNumbers() : `${outcomes.join()}, ${left} left`;
  });
});

race('two nodes use the same new tag', async (at) => {
  const tags = [`共${at}`, '诗'];
  const write = (node: TestServer) => node.post('/api/page/new', article({ tags }), author.token);
  const outcomes = await both(write(a), write(b));
  return unless(outcomes, ['OK', 'OK']) ?? (await wrongNumbers());
});
