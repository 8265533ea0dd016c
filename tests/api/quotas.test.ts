import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countStored } from '../engines/count-stored.ts';
import { twoColours } from '../unit/files/pictures.ts';
import {
  done,
  openServer,
  outcome,
  PASSWORD,
  refused,
  type Answer,
  type Person,
  type TestServer,
} from './server.ts';
import { DAY_S } from '../../src/lib/contract/rules/units.ts';

const LIMITS = {
  QUOTA_UPLOADS: '3',
  QUOTA_COMMENTS: '4',
  QUOTA_COMMENTS_MINUTE: '3',
  QUOTA_TAGS: '3',
  QUOTA_ARTICLES: '4',
  QUOTA_REPORTS: '2',
  QUOTA_DISPLAY_NAMES: '5',
  QUOTA_STORAGE_MB: '1',
};
const TAKES_600_KB = '墨'.repeat(200_000);

let server: TestServer;
let person: Person;
let png: Buffer;
let people = 0;
beforeAll(async () => {
  server = await openServer({ RATE_LIMIT: 'on', ...LIMITS });
  // Moves the clock to just after midnight in Shanghai, so no day ends during a test.
  server.pass(DAY_S - ((Date.now() / 1000 + 8 * 3600) % DAY_S));
  png = await twoColours(20, 20).png().toBuffer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  person = await server.join(`作者${people++}`);
  // Resets the limits per minute.
  server.pass(60);
});

const article = { title: '题', content: '文', tags: ['诗'], status: 'normal', secret: 'false' };
const write = (fields = {}) => server.post('/api/page/new', { ...article, ...fields }, person.token);
const upload = (bytes: Buffer) => {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }));
  const headers = { Authorization: `Beare ${person.token}` };
  return server.send('/api/file/uploadImage', { method: 'POST', body: form, headers });
};
const uploadAvatar = (bytes: Buffer) =>
  server.post(
    '/api/file/uploadAvatar',
    { imgData: `data:image/png;base64,${bytes.toString('base64')}` },
    person.token,
  );
/** Row counts of all tables that a refused call could have changed. */
const everything = async () =>
  Promise.all(
    ['articles', 'article_bodies', 'comments', 'tags', 'files', 'quota_uses'].map((table) =>
      server.rows(`select count(*) as total from ${table}`),
    ),
  );
/** Waits for the time that a refusal names; after a day all sign-ins have expired. */
async function wait(refusal: Answer): Promise<void> {
  server.pass(Number(refusal.headers.get('retry-after')));
  const { username } = person;
  person = { username, ...done(await server.post('/api/signin', { username, password: PASSWORD })) };
}

/** Returns the response to `ask` and checks that it changed nothing. */
async function unchanged(ask: () => Promise<Answer>): Promise<Answer> {
  const before = await everything();
  const answer = await ask();
  expect(await everything()).toEqual(before);
  return answer;
}

describe('beyond a daily quota', () => {
  test('comments are refused until tomorrow; a repeated request counts once', async () => {
    const page_id = done(await write()).id;
    const comment = (fields = {}, token = person.token) =>
      server.post('/api/comment/create', { content: '好诗', page_id, ...fields }, token);
    const first = done(await comment({ request_id: 'once' }));
    for (let index = 0; index < 5; index++)
      expect(done(await comment({ request_id: 'once' }))).toEqual(first);
    for (let index = 0; index < 2; index++) done(await comment());
    const tooFast = refused('评论过于频繁，一分钟最多 3 条，请稍后再试', 429);
    expect(outcome(await comment())).toEqual(tooFast);
    server.pass(60);
    done(await comment());
    const noMore = refused('今天发表的评论已达上限（4 条），请明天再试', 429);
    const answer = await unchanged(() => comment());
    expect(outcome(answer)).toEqual(noMore);
    // A repeated request gets the existing comment despite the quota.
    expect(done(await comment({ request_id: 'once' }))).toEqual(first);
    done(await comment({}, (await server.join('别人')).token));
    await wait(answer);
    done(await comment());
  });

  test('reports are refused until tomorrow', async () => {
    const first = await server.join('被举报的一');
    const second = await server.join('被举报的二');
    const third = await server.join('被举报的三');
    const report = ({ username }: Person) =>
      server.post('/api/report', { kind: 'user', id: username, reason: 'spam' }, person.token);
    done(await report(first));
    // Refused calls are not counted.
    expect((await report(first)).error).toBe('REPORTED_ALREADY');
    done(await report(second));
    const answer = await report(third);
    expect(outcome(answer)).toEqual(refused('今天的举报已达上限（2 次），请明天再试', 429));
    expect(await server.rows(`select id from reports where subject_kind = 'user'`)).toHaveLength(2);
    await wait(answer);
    done(await report(third));
  });

  test('articles and drafts are refused, edits are not', async () => {
    const id = done(await write()).id;
    for (let index = 0; index < 3; index++) done(await write({ status: 'draft' }));
    const noMore = refused('今天新建的文章和草稿已达上限（4 篇），请明天再试', 429);
    const answer = await unchanged(() => write());
    expect(outcome(answer)).toEqual(noMore);
    // A file is refused before it is read: this one is broken.
    const file = await server.send(`/api/articles/by-path/${encodeURIComponent(`${people}.md`)}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${person.token}` },
      body: '---\ntitle: "甲\n---\n正文',
    });
    expect(outcome(file)).toEqual(noMore);
    done(await server.post('/api/page/edit', { ...article, id, content: '改' }, person.token));
    await wait(answer);
    done(await write());
  });

  test('articles with new tags are refused, with known tags not', async () => {
    const own = (name: string) => `${name}${people}`;
    done(await write({ tags: [own('甲'), own('乙')], status: 'draft' }));
    done(await server.post('/api/tag/create', { name: own('丙') }, person.token));
    const noMore = refused('今天新建的标签已达上限（3 个），请明天再试', 429);
    expect(outcome(await unchanged(() => write({ tags: [own('丁')] })))).toEqual(noMore);
    expect(
      outcome(await unchanged(() => server.post('/api/tag/create', { name: own('丁') }, person.token))),
    ).toEqual(noMore);
    done(await write({ tags: [own('甲'), own('乙'), own('丙'), '诗'] }));
  });

  test('another user’s hidden tag counts like a new one', async () => {
    const name = `别人的${people}`;
    done(await write({ tags: [name], status: 'draft' }));
    const former = person;
    person = await server.join(`后来${people}`);
    for (const tag of [name, `新甲${people}`, `新乙${people}`])
      done(await write({ tags: [tag], status: 'draft' }));
    const noMore = refused('今天新建的标签已达上限（3 个），请明天再试', 429);
    expect(outcome(await unchanged(() => write({ tags: [`新丙${people}`] })))).toEqual(noMore);
    done(await write({ tags: [name] }));
    person = former;
  });

  test('pictures are refused, avatars too, before they are processed', async () => {
    done(await upload(png));
    done(await uploadAvatar(png));
    done(await upload(png));
    const noMore = refused('今天上传的图片已达上限（3 张），请明天再试', 429);
    const noPicture = Buffer.from('no picture at all');
    for (const ask of [upload, uploadAvatar])
      expect(outcome(await unchanged(() => ask(noPicture)))).toEqual(noMore);
    const answer = await unchanged(() => upload(png));
    expect(outcome(answer)).toEqual(noMore);
    await wait(answer);
    done(await uploadAvatar(png));
  });
});

test('a display name is corrected at most as often as its quota allows', async () => {
  const { username } = person;
  const call = (name: string) =>
    server.post('/api/user/profile', { display_name: name, website: '', profile_links: '' }, person.token);
  for (let index = 0; index < 5; index++) done(await call(`${username}第${index}稿`));
  const refusal = await unchanged(() => call(`${username}定稿`));
  expect(outcome(refusal)).toEqual(refused('今天修改显示名已达上限（5 次），请明天再试', 429));
  await wait(refusal);
  done(await call(`${username}定稿`));
});

describe('storage', () => {
  const storedBytes = async () => {
    const [row] = await server.rows(`select stored_bytes from users where username = '${person.username}'`);
    return Number(row?.['stored_bytes']);
  };

  test('is used by articles, drafts, revisions and pictures; deleted articles still count', async () => {
    const { url } = done(await upload(png));
    const size = Number((await fetch(server.url + url)).headers.get('content-length'));
    const id = done(await write({ content: '山居' })).id;
    expect(await storedBytes()).toBe(size + 6);
    const revise = (content: string) =>
      server.post('/api/page/revision', { ...article, id, content }, person.token);
    done(await revise('山居秋暝'));
    done(await revise('山居秋'));
    expect(await storedBytes()).toBe(size + 6 + 9);
    done(await server.post('/api/page/revision/delete', { id }, person.token));
    expect(await storedBytes()).toBe(size + 6);
    const { revision_time } = done(await revise('山'));
    done(await server.post('/api/page/edit', { ...article, id, content: '秋', revision_time }, person.token));
    expect(await storedBytes()).toBe(size + 3);
    done(await revise('又一次'));
    done(await server.post('/api/page/delete', { id }, person.token));
    // A deleted article keeps its unpublished changes.
    expect(await storedBytes()).toBe(size + 3 + 9);
    done(await uploadAvatar(png));
    const withAvatar = await storedBytes();
    done(await uploadAvatar(png));
    expect(await storedBytes()).toBe(withAvatar);
    await countStored(server.app.db);
    expect(await storedBytes()).toBe(withAvatar);
  });

  test('that is used up refuses only writes that grow', async () => {
    const id = done(await write({ content: TAKES_600_KB })).id;
    const full = refused('存储空间已用完（图片和文章共 1 MB），这次没有保存。需要更多空间请联系站长');
    const before = await everything();
    expect(outcome(await write({ content: TAKES_600_KB }))).toEqual(full);
    const revision = { ...article, id, content: TAKES_600_KB };
    expect(outcome(await server.post('/api/page/revision', revision, person.token))).toEqual(full);
    expect(await everything()).toEqual(before);
    done(await server.post('/api/page/edit', { ...article, id, content: TAKES_600_KB }, person.token));
    done(await server.post('/api/page/edit', { ...article, id, content: '短' }, person.token));
    done(await write({ content: TAKES_600_KB }));
  });
});

test('RATE_LIMIT=off switches quotas off', async () => {
  const free = await openServer({ QUOTA_ARTICLES: '1', QUOTA_COMMENTS_MINUTE: '1', QUOTA_STORAGE_MB: '0' });
  try {
    const author = await free.join('王维');
    for (let index = 0; index < 3; index++) await free.comment(author, await free.write(author));
    expect(await free.rows('select * from quota_uses')).toEqual([]);
  } finally {
    await free.close();
  }
});
