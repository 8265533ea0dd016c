import { afterAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';
import { BLOG, openEditorStage } from './editor.ts';
import { done, type Untyped } from './server.ts';

const { server, author, editor, create, source, seenByVisitors } = await openEditorStage();
afterAll(() => server.close());

describe('a scheduled post', () => {
  const planned = async (id: string) =>
    done(await server.post('/api/page/schedule/detail', { id }, author.token)).schedule?.publish_time ?? null;
  const inDays = (days: number) => new Date(Math.trunc((Date.now() + days * DAY_MS) / 1000) * 1000);
  const later = inDays(3);
  const utc = (time: Date) => time.toISOString().replaceAll('-', '').replace('.000', '');
  const local = (time: Date) => utc(new Date(time.getTime() + 8 * 3_600_000)).replace('Z', '');
  const schedule = () => create({ dateCreated: utc(later) });

  test('shows its time and that it waits', async () => {
    const id = await schedule();
    const shown = { post_status: 'future', dateCreated: later, date_created_gmt: later };
    expect(await editor.act('metaWeblog.getPost', id)).toMatchObject(shown);
    const recent = await editor.act('metaWeblog.getRecentPosts', BLOG, 50);
    expect(recent.find(({ postid }: Untyped) => postid === id)).toMatchObject(shown);
    const titles = await editor.act('mt.getRecentPostTitles', BLOG, 50);
    expect(titles.find(({ postid }: Untyped) => postid === id)).toMatchObject({ dateCreated: later });
    expect(await source(id)).toMatchObject({ schedule: { publish_time: later.toISOString() } });
  });

  test.each<[string, object]>([
    ['without a date', {}],
    ['with an empty date', { dateCreated: '' }],
    ['with the date in UTC', { dateCreated: utc(later) }],
    ['with the local date', { dateCreated: local(later) }],
    ['with the date in UTC by its name', { date_created_gmt: utc(later).replace('Z', '') }],
    [
      'with both dates in the zone of the site',
      { dateCreated: local(later), date_created_gmt: local(later) },
    ],
    ['as published', { post_status: 'publish' }],
  ])('that is saved %s keeps its schedule, whether published or not', async (_name, date) => {
    const id = await schedule();
    for (const publish of [true, false]) {
      const description = `改了一字 ${publish}`;
      expect(await editor.act('metaWeblog.editPost', id, { ...date, description }, publish)).toBe(true);
      expect(await seenByVisitors(id)).toBeNull();
      expect(await source(id)).toMatchObject({ status: 'draft', content: description });
      expect(await planned(id)).toBe(later.toISOString());
    }
  });

  test('that is written back as it was read keeps its schedule', async () => {
    const id = await schedule();
    await editor.act('metaWeblog.editPost', id, await editor.act('metaWeblog.getPost', id), true);
    await editor.act('mt.setPostCategories', id, [{ categoryId: '唐' }]);
    await editor.act('mt.publishPost', id);
    expect(await source(id)).toMatchObject({ status: 'draft', tags: ['唐'] });
    expect(await planned(id)).toBe(later.toISOString());
  });

  test.each([true, false])('moves to another date in the future (publish %s)', async (publish) => {
    const [id, other] = [await schedule(), inDays(5)];
    await editor.act('metaWeblog.editPost', id, { dateCreated: utc(other) }, publish);
    expect(await planned(id)).toBe(other.toISOString());
    expect(await seenByVisitors(id)).toBeNull();
  });

  test('is published early with the date of now, or with a past one as its date', async () => {
    const now = await schedule();
    await editor.act('metaWeblog.editPost', now, { dateCreated: utc(new Date()) }, true);
    expect(await seenByVisitors(now)).toBe('空山不见人');
    expect(await planned(now)).toBeNull();
    const past = await schedule();
    await editor.act('metaWeblog.editPost', past, { dateCreated: '20200107T12:00:00Z' }, true);
    expect(await source(past)).toMatchObject({ status: 'normal', create_time: '2020-01-07T12:00:00.000Z' });
  });

  test('with a past date is refused unless it is published', async () => {
    const [scheduled, shown] = [await schedule(), await create()];
    const change = { description: '改', dateCreated: '20200107T12:00:00Z' };
    for (const id of [scheduled, shown])
      expect(await editor.fault('metaWeblog.editPost', id, change, false)).toEqual({
        faultCode: -32602,
        faultString: '已发布或已定时的文章，改日期时请选择发布',
      });
    expect(await planned(scheduled)).toBe(later.toISOString());
  });

  test('keeps the schedule of a change of a published article', async () => {
    const id = await create();
    await editor.act('metaWeblog.editPost', id, { description: '返景', dateCreated: utc(later) }, true);
    const post = await editor.act('metaWeblog.getPost', id);
    expect(post).toMatchObject({ post_status: 'publish', dateCreated: later, description: '返景' });
    await editor.act('metaWeblog.editPost', id, { ...post, description: '返景入深林' }, true);
    expect(await seenByVisitors(id)).toBe('空山不见人');
    expect(await planned(id)).toBe(later.toISOString());
  });

  test('may first be a draft with that date', async () => {
    const id = await create({ dateCreated: utc(later) }, false);
    expect(await planned(id)).toBeNull();
    const post = await editor.act('metaWeblog.getPost', id);
    expect(post).toMatchObject({ post_status: 'draft', dateCreated: later });
    await editor.act('metaWeblog.editPost', id, { description: '改' }, true);
    expect(await seenByVisitors(id)).toBeNull();
    expect(await planned(id)).toBe(later.toISOString());
  });
});
