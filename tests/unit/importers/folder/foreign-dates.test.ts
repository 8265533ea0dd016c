import { describe, expect, test } from 'vitest';
import { front, readFirst } from './foreign-folder.ts';

describe('dates', () => {
  const names = `published publishedAt datePublished pubDate created_time createDate createdAt created-at "date created"
    "Date Created" date_created 日期 创建时间 发布日期`;
  test.each(names.match(/"[^"]+"|\S+/g) ?? [])('of the field %s are read', async (name) => {
    const { created, unused, warnings } = await readFirst({ 'a.md': front(`${name}: 2019-05-06 10:20:30`) });
    expect([created, unused, warnings]).toEqual(['2019-05-06T02:20:30.000Z', [], []]);
  });

  test.each(['lastmod', 'lastModified', 'date modified', 'last_edited_time', '更新时间'])(
    'of the last change are read from %s',
    async (name) => {
      const { updated } = await readFirst({ 'a.md': front(`date: 2019-05-06\n${name}: 2020-01-02`) });
      expect(updated).toBe(Date.UTC(2020, 0, 1, 16));
    },
  );

  test.each([
    ['2019-05-06-x/index.md'],
    ['2019-05-06-x/插图说明.md'],
    ['2019/05/06/x.md'],
    ['20190506-x.md'],
    ['2019-05-06.md'],
    ['posts/2019年5月6日.md'],
  ])('are read from the path %s', async (path) => {
    expect((await readFirst({ [path]: '正文' })).created).toBe('2019-05-05T16:00:00.000Z');
  });

  test('of front matter come before those of the path, of the file before those of the folder', async () => {
    const files = { '2019-05-06-x/2020-01-02-y.md': '正文' };
    expect((await readFirst(files)).created).toBe('2020-01-01T16:00:00.000Z');
    const stated = { '2019-05-06-x/2020-01-02-y.md': front('date: 2021-01-02') };
    expect((await readFirst(stated)).created).toBe('2021-01-01T16:00:00.000Z');
  });

  test.each([
    ['a.md', 'date: 昨天', '无法识别的日期“date: 昨天”，改用文件的日期'],
    ['a.md', 'date: 5/6/2019\ncreated: 2019-05-06', '无法识别的日期“date: 5/6/2019”，改用“created”'],
    ['a.md', 'date: 2019-05-06\ncreated: 昨天', '无法识别的日期“created: 昨天”，改用“date”'],
    ['2019-05-06-a.md', 'publishedAt: 昨天', '无法识别的日期“publishedAt: 昨天”，改用路径里的日期'],
    ['a.md', 'date: {a: 1}', '无法识别的日期“date”，改用文件的日期'],
    ['a.md', 'date: 2019-05-06\nlastmod: 前天', '无法识别的日期“lastmod: 前天”，没有使用'],
    ['a.md', 'date: 2019-05-06\nscheduled: 过几天', '无法识别的日期“scheduled: 过几天”，没有使用'],
  ])('in %s that cannot be read are named: %j', async (path, fields, warning) => {
    expect((await readFirst({ [path]: front(fields) })).warnings).toEqual([warning]);
  });

  test('switches are no dates', async () => {
    const { warnings, created } = await readFirst({
      'a.md': front('published: true\nlastUpdated: true\nupdated: false'),
    });
    expect([warnings, created]).toEqual([[], null]);
  });

  test('in the future make a draft, whatever the field', async () => {
    const { status, created } = await readFirst({ 'a.md': front('datePublished: 2099-01-01') });
    expect([status, created]).toEqual(['draft', null]);
  });

  test('without a zone are in the zone of the settings, and so is the day of the old address', async () => {
    const { created, formerPaths } = await readFirst({
      'source/_posts/a.md': front('date: 2019-05-06 20:00:00'),
      '_config.yml': 'timezone: America/New_York\nurl: https://me.example/blog\n',
    });
    expect(created).toBe('2019-05-07T00:00:00.000Z');
    expect(formerPaths).toEqual(['/blog/2019/05/06/a/']);
  });
});
