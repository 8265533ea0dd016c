import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { NOWHERE } from './shapes.ts';
import { refusal } from '../../src/lib/contract/rules/errors.ts';
import { HOUR_S } from '../../src/lib/contract/rules/units.ts';

const NOT_FOUND = refused('文章不存在或已被删除');

let server: TestServer;
let author: Person;
let stranger: Person;
/** Seconds by which the tests have advanced the server's clock. */
let passed = 0;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  stranger = await server.join('路人');
});
afterAll(() => server?.close());

const pass = (seconds: number) => {
  passed += seconds;
  server.pass(seconds);
};
const inSeconds = (seconds: number) => new Date(Date.now() + (passed + seconds) * 1000).toISOString();
const schedule = (id: string, publish_time: string, person = author) =>
  server.post('/api/page/schedule', { id, publish_time }, person.token);
const planned = async (id: string, person = author) =>
  done(await server.post('/api/page/schedule/detail', { id }, person.token)).schedule;
const draft = (fields: Fields = {}) => server.write(author, { status: 'draft', ...fields });
const source = async (id: string) => done(await server.post('/api/page/editdetail', { id }, author.token));
const edit = (id: string, fields: Fields = {}) =>
  server.post('/api/page/edit', { id, title: '改', content: '改', tags: ['诗'], ...fields }, author.token);
const publishDue = () => server.app.services.schedules.publishDue();
const own = async (status: 'normal' | 'draft') =>
  done(await server.post('/api/page/limitpagelist', { status, pageSize: 999 }, author.token)).result;

describe('a scheduled draft', () => {
  test('that a busy machine cannot render in time is published by a later run', async () => {
    const id = await draft();
    const publish_time = inSeconds(HOUR_S);
    await schedule(id, publish_time);
    pass(HOUR_S + 1);
    const busy = vi.spyOn(server.app.services.articles, 'edit');
    busy.mockRejectedValue(refusal('CONTENT_TOO_COMPLEX', { retryAfter: 30 }));
    expect(await publishDue()).toBe(0);
    expect(await planned(id)).toEqual({ publish_time });
    busy.mockRestore();
    expect(await publishDue()).toBe(1);
  });

  test('shows its time only in the author’s list, and is published then as if by hand', async () => {
    const id = await draft({ title: '定时发的', tags: ['定时'] });
    const publish_time = inSeconds(HOUR_S);
    expect(done(await schedule(id, publish_time))).toEqual({ publish_time });
    expect(await planned(id)).toEqual({ publish_time });
    expect((await own('draft')).find((each: { _id: string }) => each._id === id).schedule).toEqual({
      publish_time,
    });
    expect(await publishDue()).toBe(0);
    expect(outcome(await server.post('/api/page/detail', { id }))).toEqual(NOT_FOUND);
    expect((await server.send('/home')).text).not.toContain('定时发的');
    pass(HOUR_S + 1);
    expect(await publishDue()).toBe(1);
    const article = done(await server.post('/api/page/detail', { id }));
    expect(article).toMatchObject({ title: '定时发的', status: 'normal' });
    expect(article.create_time).toBe(article.update_time);
    expect(Date.parse(article.create_time)).toBeGreaterThanOrEqual(Date.parse(publish_time));
    expect((await server.send('/home')).text).toContain('定时发的');
    expect((await server.send(`/detail/${id}`)).status).toBe(200);
    expect(done(await server.post('/api/page/searchpage', { keywords: '定时发的' })).total).toBe(1);
    expect(done(await server.post('/api/tag/tagdetail', { name: '定时' })).page_num).toBe(1);
    expect(await planned(id)).toBeNull();
    expect(await publishDue()).toBe(0);
  });

  test('is found by the name of its author', async () => {
    const other = await server.join('孟浩然');
    const id = await server.write(other, { status: 'draft', title: '过故人庄' });
    done(await schedule(id, inSeconds(60), other));
    pass(61);
    expect(await publishDue()).toBe(1);
    expect(done(await server.post('/api/page/searchpage', { keywords: '孟浩然' })).total).toBe(1);
  });

  test('can be edited, and is published with its latest text', async () => {
    const id = await draft({ title: '第一稿' });
    done(await schedule(id, inSeconds(60)));
    done(await edit(id, { title: '第二稿', status: 'draft' }));
    expect(await planned(id)).not.toBeNull();
    pass(61);
    expect(await publishDue()).toBe(1);
    expect(done(await server.post('/api/page/detail', { id })).title).toBe('第二稿');
  });

  test('published by hand before is not published again', async () => {
    const id = await draft();
    done(await schedule(id, inSeconds(60)));
    done(await edit(id, { title: '等不及了' }));
    expect(await planned(id)).toBeNull();
    const { update_time } = await source(id);
    pass(61);
    expect(await publishDue()).toBe(0);
    expect((await source(id)).update_time).toBe(update_time);
  });

  test('can be rescheduled and unscheduled', async () => {
    const id = await draft();
    done(await schedule(id, inSeconds(60)));
    done(await schedule(id, inSeconds(HOUR_S)));
    pass(61);
    expect(await publishDue()).toBe(0);
    expect(done(await server.post('/api/page/schedule/cancel', { id }, author.token))).toBe('定时发布已取消');
    done(await server.post('/api/page/schedule/cancel', { id }, author.token));
    pass(HOUR_S);
    expect(await publishDue()).toBe(0);
    expect((await source(id)).status).toBe('draft');
  });

  test('is published once by concurrent publishers', async () => {
    const ids = await Promise.all([1, 2, 3, 4, 5].map((number) => draft({ title: `同时 ${number}` })));
    for (const id of ids) done(await schedule(id, inSeconds(60)));
    pass(61);
    const counts = await Promise.all([publishDue(), publishDue(), publishDue()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(5);
    for (const id of ids) expect((await source(id)).status).toBe('normal');
  });
});

describe('scheduled unpublished changes', () => {
  const revise = async (id: string, fields: Fields = {}) =>
    done(
      await server.post(
        '/api/page/revision',
        { id, title: '新版', content: '新的正文', tags: ['诗'], ...fields },
        author.token,
      ),
    );

  test('replace the article at their time; its URL and creation time stay', async () => {
    const id = await server.write(author, { title: '旧版' });
    const { create_time } = await source(id);
    await revise(id);
    done(await schedule(id, inSeconds(60)));
    expect((await own('normal')).find((each: { _id: string }) => each._id === id).schedule).toBeDefined();
    pass(61);
    expect(await publishDue()).toBe(1);
    expect(await source(id)).toMatchObject({ title: '新版', content: '新的正文', create_time });
    expect(await source(id)).not.toHaveProperty('revision');
  });

  test('are not published once discarded; without changes scheduling is refused', async () => {
    const id = await server.write(author);
    expect(outcome(await schedule(id, inSeconds(60)))).toEqual(refused('没有未发布的内容，不用定时'));
    await revise(id);
    done(await schedule(id, inSeconds(60)));
    done(await server.post('/api/page/revision/delete', { id }, author.token));
    expect(await planned(id)).toBeNull();
  });

  test('based on an outdated version are not published, and their author is notified', async () => {
    const id = await server.write(author);
    await revise(id);
    done(await schedule(id, inSeconds(60)));
    // An old client does not know revisions.
    done(await edit(id, { title: '旧客户端改的' }));
    pass(61);
    expect(await publishDue()).toBe(0);
    expect(await planned(id)).toMatchObject({ problem: '文章已在别处修改' });
    expect(await source(id)).toMatchObject({ title: '旧客户端改的', revision: { title: '新版' } });
  });
});

describe('a failed scheduled publication', () => {
  test.each([
    ['without a tag', { tags: [] }, '请至少填写 1 个标签'],
    ['without a title', { title: '' }, '请填写标题'],
    ['too deep to lay out', { content: `${'>'.repeat(2000)} 深` }, /正文/],
  ] as const)(
    '%s stays a draft, with the reason, until its author sets another time',
    async (_, fields, reason) => {
      const id = await draft(fields);
      done(await schedule(id, inSeconds(60)));
      pass(61);
      expect(await publishDue()).toBe(0);
      const { problem } = await planned(id);
      if (typeof reason === 'string') expect(problem).toBe(reason);
      else expect(problem).toMatch(reason);
      expect((await source(id)).status).toBe('draft');
      expect((await own('draft')).find((each: { _id: string }) => each._id === id).schedule.problem).toBe(
        problem,
      );
      done(await edit(id, { status: 'draft' }));
      done(await schedule(id, inSeconds(60)));
      pass(61);
      expect(await publishDue()).toBe(1);
    },
  );
});

describe('a schedule is refused', () => {
  test('in the past, now, over a year ahead, and without a valid time', async () => {
    const id = await draft();
    const past = refused('发布时间已经过去，请选一个以后的时间');
    expect(outcome(await schedule(id, inSeconds(-1)))).toEqual(past);
    expect(outcome(await schedule(id, '1970-01-01T00:00:00Z'))).toEqual(past);
    expect(outcome(await schedule(id, inSeconds(367 * 24 * HOUR_S)))).toEqual(
      refused('发布时间最远只能定在一年以内'),
    );
    for (const wrong of ['', '明天', '2099-13-01T00:00:00Z', '2099-01-01 08:00'])
      expect(outcome(await schedule(id, wrong))).toEqual(refused('发布时间格式不正确'));
    expect(await planned(id)).toBeNull();
  });

  test('to others, as if the article did not exist', async () => {
    const id = await draft();
    done(await schedule(id, inSeconds(60)));
    for (const [path, fields] of [
      ['/api/page/schedule', { publish_time: inSeconds(60) }],
      ['/api/page/schedule/cancel', {}],
    ] as const) {
      const asked = { ...fields, id };
      expect(outcome(await server.post(path, asked, stranger.token))).toEqual(NOT_FOUND);
      const nowhere = await server.post(path, { ...fields, id: NOWHERE }, stranger.token);
      expect(outcome(nowhere)).toEqual(NOT_FOUND);
    }
    expect(await planned(id, stranger)).toBeNull();
    expect(await planned(id)).not.toBeNull();
    done(await server.post('/api/page/schedule/cancel', { id }, author.token));
  });

  test('beyond 100 pending schedules', async () => {
    const many = await server.join('多产');
    const write = () => server.write(many, { status: 'draft' });
    const time = inSeconds(HOUR_S);
    const each = async () => done(await schedule(await write(), time, many));
    await Promise.all(Array.from({ length: 100 }, each));
    const one = await write();
    expect(outcome(await schedule(one, time, many))).toEqual(refused('最多同时有 100 篇等待定时发布'));
  });
});

describe('in the trash', () => {
  test('nothing is published; an article restored in time still is, one restored later is not', async () => {
    const [early, late] = [await draft(), await draft()];
    for (const id of [early, late]) {
      done(await schedule(id, inSeconds(60)));
      done(await server.post('/api/page/delete', { id }, author.token));
    }
    done(await server.post('/api/page/restore', { id: early }, author.token));
    pass(61);
    expect(await publishDue()).toBe(1);
    done(await server.post('/api/page/restore', { id: late }, author.token));
    expect(await publishDue()).toBe(0);
    expect((await source(late)).status).toBe('draft');
    expect(await planned(late)).toBeNull();
  });
});

describe('the publisher', () => {
  test('publishes what became due while stopped, and then at each scheduled time', async () => {
    const missed = await draft({ title: '停机时到点的' });
    done(await schedule(missed, inSeconds(60)));
    pass(61);
    server.app.startJobs();
    await eventually(async () => expect((await source(missed)).status).toBe('normal'));
    const soon = await draft({ title: '马上' });
    done(await schedule(soon, inSeconds(1)));
    await eventually(async () => expect((await source(soon)).status).toBe('normal'));
  });
});
