import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageTags } from '../../src/lib/shared/pages/page-tags.ts';
import { addManyTags } from '../engines/many-tags.ts';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { ID, tag } from './shapes.ts';

let server: TestServer;
let author: Person;
let stranger: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  stranger = await server.join('路人');
});
afterAll(() => server?.close());

const create = (fields: Fields, person = author) => server.post('/api/tag/create', fields, person.token);
const list = async (fields: Fields = {}) => done(await server.post('/api/tag/taglist', fields));
const detail = (name: string, token?: string) => server.post('/api/tag/tagdetail', { name }, token);
const names = async (token?: string) => done(await server.post('/api/tag/alltags', {}, token));

describe('creating', () => {
  test('responds with the tag, created by the token’s user', async () => {
    const data = done(
      await create({ name: ' 田园 ', description: ' 归去来兮 ', create_user: '路人', page_num: 99 }),
    );
    expect(data).toEqual(
      tag({ name: '田园', description: '归去来兮', create_user: '王维', page_num: 0, related: [] }),
    );
    expect(done(await detail('田园'))).toEqual(data);
  });

  test('the description may be empty or missing', async () => {
    for (const [index, fields] of [{}, { description: '' }, { description: 'undefined' }].entries()) {
      expect(done(await create({ name: `无说明${index}`, ...fields }))).toMatchObject({ description: '' });
    }
  });

  test('an existing name is refused, to everyone and in either Unicode form', async () => {
    done(await create({ name: 'café' }));
    for (const person of [author, stranger]) {
      for (const name of ['café', 'cafe\u0301', ' café ']) {
        expect(outcome(await create({ name, description: '改' }, person))).toEqual(refused('已存在该标签'));
      }
    }
    expect(done(await detail('cafe\u0301'))).toMatchObject({ name: 'café', description: '' });
  });

  test('of 20 concurrent requests one succeeds', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: '同时' })));
    expect(answers.filter(({ code }) => code === 'OK')).toHaveLength(1);
    expect(answers.filter(({ data }) => data === '已存在该标签')).toHaveLength(19);
  });
});

describe('records', () => {
  test('are created when an article that uses them is first saved', async () => {
    const id = await server.write(author, { tags: ['山水', '五言'] });
    expect(done(await detail('山水'))).toEqual(tag({ name: '山水', create_user: '王维', related: ['五言'] }));
    done(
      await server.post(
        '/api/page/edit',
        { id, title: '题', content: '文', tags: ['山水', '七言'] },
        author.token,
      ),
    );
    expect(outcome(await detail('五言'))).toEqual(refused('标签不存在'));
    expect(done(await detail('七言')).page_num).toBe(1);
  });

  test('count public articles alone', async () => {
    const count = async () => done(await detail('计数'))?.page_num;
    const id = await server.write(author, { tags: ['计数'] });
    await server.write(author, { tags: ['计数'], secret: 'true' });
    await server.write(author, { tags: ['计数'], status: 'draft' });
    await server.write(stranger, { tags: ['计数'] });
    expect(await count()).toBe(2);
    const edit = async (fields: Fields) =>
      done(
        await server.post(
          '/api/page/edit',
          { id, title: '题', content: '文', tags: ['计数'], ...fields },
          author.token,
        ),
      );
    await edit({ secret: 'true' });
    expect(await count()).toBe(1);
    await edit({ status: 'draft' });
    expect(await count()).toBe(1);
    await edit({});
    expect(await count()).toBe(2);
    await edit({ status: 'cancel' });
    expect(await count()).toBe(1);
  });

  test('an unknown name', async () => {
    for (const name of ['没有', '', 'undefined', '%', "' or '1'='1", '\u0000']) {
      expect(outcome(await detail(name))).toEqual(refused('标签不存在'));
    }
    expect(outcome(await server.post('/api/tag/tagdetail'))).toEqual(refused('标签不存在'));
  });
});

describe('lists', () => {
  test('hold every tag once, most used first, ten a page', async () => {
    for (let number = 0; number < 15; number++) done(await create({ name: `列表${number}` }));
    const first = await list();
    expect(first.result).toHaveLength(10);
    const all = (await list({ pageSize: 100 })).result as { name: string; page_num: number }[];
    expect(all).toHaveLength(first.total);
    const latest = expect.arrayContaining([{ _id: ID, title: expect.any(String) }]);
    expect(all[0]).toEqual(tag({ name: expect.any(String), page_num: expect.any(Number), latest }));
    const counts = all.map(({ page_num }) => page_num);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const paged = [...first.result, ...(await list({ page: 2 })).result, ...(await list({ page: 3 })).result];
    expect(paged.map(({ name }) => name)).toEqual(all.slice(0, paged.length).map(({ name }) => name));
    expect((await list({ page: 9999, pageSize: 0 })).result).toHaveLength(1);
  });

  test('alltags is an array of names, for visitors too', async () => {
    const all = await names();
    expect(all).toEqual(expect.arrayContaining(['田园', '山水', 'café']));
    expect(all).toHaveLength((await list()).total);
    expect(await names(stranger.token)).toEqual(all);
  });

  test('alltags are the 2,000 used most, and with them what only the caller has used', async () => {
    await server.write(author, { tags: ['自用'], status: 'draft' });
    await addManyTags(server.app.db, 2100);
    // The rows were inserted without events, so the cache must be invalidated here.
    server.app.pageCache?.invalidate([pageTags.tags]);
    const most = Array.from({ length: 2000 }, (_, number) => `很多${2099 - number}`);
    expect(await names()).toEqual(most);
    expect(await names(author.token)).toEqual([...most.slice(0, 1999), '自用']);
  });

  test('return 999 entries to clients that ask for them', async () => {
    for (const pageSize of [999, 5_000]) expect((await list({ pageSize })).result).toHaveLength(999);
  });
});
