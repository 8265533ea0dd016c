import { afterAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';
import { decide } from './decide.ts';
import { BLOG, openEditorStage, POST } from './editor.ts';
import { done, type Untyped } from './server.ts';

const { server, author, editor, create, source, seenByVisitors } = await openEditorStage();
afterAll(() => server.close());

describe('a date', () => {
  const planned = async (id: string) =>
    done(await server.post('/api/page/schedule/detail', { id }, author.token)).schedule?.publish_time;
  const tomorrow = new Date(Math.trunc((Date.now() + DAY_MS) / 1000) * 1000);
  /** In the site's zone, without naming it, as most editors send it. */
  const local = new Date(tomorrow.getTime() + 8 * 3_600_000).toISOString().slice(0, 19);

  test.each([
    ['in UTC', { date_created_gmt: tomorrow.toISOString().slice(0, 19) }],
    ['with its zone', { dateCreated: tomorrow.toISOString() }],
    ['in the zone of the site', { dateCreated: local }],
    ['in short', { dateCreated: local.replaceAll('-', '') }],
  ])('in the future, %s, schedules the post', async (_name, date) => {
    const id = await create(date);
    expect(await source(id)).toMatchObject({ status: 'draft' });
    expect(await planned(id)).toBe(tomorrow.toISOString());
  });

  test('schedules the change of a published post', async () => {
    const id = await create();
    const change = { description: '返景入深林', date_created_gmt: tomorrow.toISOString() };
    await editor.act('metaWeblog.editPost', id, change, true);
    expect(await seenByVisitors(id)).toBe('空山不见人');
    expect(await planned(id)).toBe(tomorrow.toISOString());
  });

  test.each([
    ['in the zone of the site', { dateCreated: '20200107T12:00:00' }, '2020-01-07T04:00:00.000Z'],
    ['with its zone', { dateCreated: '20200107T12:00:00Z' }, '2020-01-07T12:00:00.000Z'],
    ['in UTC', { date_created_gmt: '2020-01-07T12:00:00' }, '2020-01-07T12:00:00.000Z'],
  ])('in the past, %s, is the date of the article', async (_name, date, create_time) => {
    const id = await create(date);
    expect(await source(id)).toMatchObject({ status: 'normal', create_time });
    await editor.act('metaWeblog.editPost', id, { dateCreated: '20190506T07:08:09' }, true);
    expect(await source(id)).toMatchObject({ create_time: '2019-05-05T23:08:09.000Z' });
    await editor.act('metaWeblog.editPost', id, { description: '但闻人语响' }, true);
    expect(await source(id)).toMatchObject({
      content: '但闻人语响',
      create_time: '2019-05-05T23:08:09.000Z',
    });
    const list = done(await server.post('/api/page/pagelist', { pageSize: 50 })).result;
    expect(list.at(-1)).toMatchObject({ _id: id });
    await editor.act('blogger.deletePost', id, true);
  });

  test('in the past stays with a draft until it is published', async () => {
    const id = await create({ dateCreated: '20200107T12:00:00Z' }, false);
    const post = await editor.act('metaWeblog.getPost', id);
    expect(post).toMatchObject({ post_status: 'draft', dateCreated: new Date('2020-01-07T12:00:00Z') });
    await editor.act('metaWeblog.editPost', id, { ...post, post_status: 'publish' }, true);
    expect(await source(id)).toMatchObject({ status: 'normal', create_time: '2020-01-07T12:00:00.000Z' });
  });

  test('of a draft that its author did not choose is that of the publication', async () => {
    const id = await create({}, false);
    const post = await editor.act('metaWeblog.getPost', id);
    const before = await source(id);
    await editor.act('metaWeblog.editPost', id, { ...post, post_status: 'publish' }, true);
    const { create_time } = await source(id);
    expect(Date.parse(create_time)).toBeGreaterThan(Date.parse(before.create_time));
  });

  test('in the past stays when staff approves the article', async () => {
    const staff = await server.join('老李');
    await server.app.services.roles.set('老李', 'editor', null);
    const { options } = server.app.services;
    await options.change({ holdArticles: 'all' }, null);
    const id = await create({ dateCreated: '20200107T12:00:00Z' });
    await options.change({ holdArticles: 'none' }, null);
    expect(await source(id)).toMatchObject({ moderation: 'held', create_time: '2020-01-07T12:00:00.000Z' });
    done(await decide(server, 'article', { ids: [id], action: 'restore', note: '' }, staff.token));
    const shown = done(await server.post('/api/page/detail', { id }));
    expect(shown.create_time).toBe('2020-01-07T12:00:00.000Z');
  });

  test.each([
    ['18991231T23:59:59', '日期不能早于 1970 年'],
    ['19691231T12:00:00Z', '日期不能早于 1970 年'],
    ['99991231T23:59:59', '发布时间最远只能定在一年以内'],
    ['9999-12-31T23:59:59Z', '发布时间最远只能定在一年以内'],
    ['99991231T23:59:59-12:00', '日期的格式不正确'],
    ['00000000T00:00:00', '日期不能早于 1970 年'],
  ])('out of range, %s, is refused in a draft and in a published post', async (dateCreated, faultString) => {
    const shown = await create();
    for (const publish of [true, false]) {
      expect(await editor.fault('metaWeblog.newPost', BLOG, { ...POST, dateCreated }, publish)).toEqual({
        faultCode: -32602,
        faultString,
      });
    }
    expect((await editor.fault('metaWeblog.editPost', shown, { dateCreated }, true)).faultCode).toBe(-32602);
    expect(await seenByVisitors(shown)).toBe('空山不见人');
  });

  test.each(['昨天', '20261340T00:00:00'])('that is none, %s, is refused', async (dateCreated) => {
    const before = await server.rows('select id from articles');
    expect(await editor.fault('metaWeblog.newPost', BLOG, { ...POST, dateCreated }, true)).toEqual({
      faultCode: -32602,
      faultString: '日期的格式不正确',
    });
    expect(await server.rows('select id from articles')).toEqual(before);
  });

  test('too far ahead is refused, and the post is in the trash', async () => {
    const post = { ...POST, title: '太远', date_created_gmt: '2099-01-01T00:00:00' };
    expect(await editor.fault('metaWeblog.newPost', BLOG, post, true)).toEqual({
      faultCode: -32602,
      faultString: '发布时间最远只能定在一年以内',
    });
    const drafts = done(await server.post('/api/page/limitpagelist', { status: 'draft' }, author.token));
    expect(drafts.result.map(({ title }: Untyped) => title)).not.toContain('太远');
  });
});
