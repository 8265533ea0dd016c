import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SearchQuery } from '../../src/lib/server/search/search.ts';
import { openSearchStage, type SearchStage } from './search-fixture.ts';

let stage: SearchStage;
beforeEach(async () => {
  stage = await openSearchStage();
});
afterEach(() => stage.close());

const search = (keywords: string, more: Partial<SearchQuery> = {}) =>
  stage.index.search({ keywords, page: 1, pageSize: 10, ...more });
const found = async (keywords: string, more: Partial<SearchQuery> = {}) =>
  (await search(keywords, more)).hits.map(({ articleId }) => articleId);

describe('the best result is first', () => {
  test('a title with the subject ranks before long texts with every word', async () => {
    const right = await stage.add({
      title: 'Java 线程池详解',
      text: '线程池的核心参数有七个。',
      createTime: 0,
    });
    const long = `线程是什么。${'别的话题。'.repeat(2_000)}池子。参数很多，设置也多。线程池参数怎么设置？`;
    for (let index = 0; index < 8; index += 1) await stage.add({ title: `杂谈 ${index}`, text: long });
    expect((await found('线程池参数怎么设置'))[0]).toBe(right);
  });

  test('title and heading together rank before either alone', async () => {
    const heading = await stage.add({ title: '集合', headings: ['扩容机制'], text: 'HashMap 与扩容机制' });
    const both = await stage.add({
      title: 'HashMap 源码',
      headings: ['扩容机制'],
      text: '扩容机制',
      createTime: 0,
    });
    const title = await stage.add({ title: 'HashMap 入门', text: '扩容' });
    expect(await found('HashMap扩容机制')).toEqual([both, title, heading]);
  });

  test('words near each other rank before words far apart', async () => {
    const near = await stage.add({ title: '甲', text: '缓存穿透与布隆过滤器', createTime: 0 });
    const far = await stage.add({ title: '乙', text: `缓存${'。别的'.repeat(300)}穿透` });
    expect(await found('缓存 穿透')).toEqual([near, far]);
  });

  test('a separate word ranks before a part of a longer one', async () => {
    const whole = await stage.add({ title: 'Java 入门', createTime: 0 });
    const part = await stage.add({ title: 'JavaScript 入门' });
    expect(await found('java')).toEqual([whole, part]);
  });

  test('a title equal to the query ranks first, and a name with a space in it', async () => {
    const spaced = await stage.add({ title: 'Spring Boot 启动', text: 'springboot', createTime: 0 });
    const text = await stage.add({ title: '启动', text: 'springboot' });
    expect(await found('springboot')).toEqual([spaced, text]);
    const same = await stage.add({ title: '启动', createTime: 0 });
    expect((await found('启动'))[0]).toBe(text);
    expect((await found('启动'))[1]).toBe(same);
  });

  test('a loose hit in the title ranks above exact ones in texts', async () => {
    const right = await stage.add({ title: '垃圾的回收算法', createTime: 0 });
    for (let index = 0; index < 120; index += 1)
      await stage.add({ title: `杂谈 ${index}`, text: '垃圾回收算法' });
    const page = await search('垃圾回收算法');
    expect(page).toMatchObject({ exact: 120, total: 121 });
    expect(page.hits[0]?.articleId).toBe(right);
    const all = await stage.findAll('垃圾回收算法');
    expect([all.length, new Set(all).size]).toEqual([121, 121]);
  });
});

describe('names', () => {
  test("an author's name finds their articles, a tag's name its articles", async () => {
    const theirs = await stage.add({ title: '随笔', author: '月色真美' });
    const tagged = await stage.add({ title: '杂记', tags: ['摄影'] });
    expect(await found('月色真美')).toEqual([theirs]);
    expect(await found('摄影')).toEqual([tagged]);
    expect((await search('月色真美')).named).toEqual({ author: '月色真美' });
    expect((await search('摄影')).named).toEqual({ tag: '摄影' });
    expect((await search('随笔')).named).toEqual({});
    await stage.hide(theirs);
    expect((await search('月色真美')).named).toEqual({});
  });
});

describe('filters and orders', () => {
  const fill = async () => {
    const old = await stage.add({ title: '线程', author: '乙', tags: ['Java 并发'] });
    const other = await stage.add({ title: '线程', author: '乙 丙', tags: ['并发'] });
    const text = await stage.add({ title: '别的', author: '乙', text: '线程', tags: ['Java 并发', 'C++'] });
    return { old, other, text };
  };

  test('filter by author, by tag or both, in any spelling', async () => {
    const { old, other, text } = await fill();
    expect(await found('线程', { author: '乙' })).toEqual([old, text]);
    expect(await found('线程', { author: '乙 丙' })).toEqual([other]);
    expect(await found('线程', { tag: 'java 并发' })).toEqual([old, text]);
    expect(await found('线程', { author: '乙', tag: 'c++' })).toEqual([text]);
    expect(await search('线程', { author: '乙', tag: '并发' })).toMatchObject({
      hits: [],
      total: 0,
      exact: 0,
    });
    expect(await found('线程', { author: '谁"OR' })).toEqual([]);
  });

  test('sort by newest on request, loose hits last', async () => {
    const { old, other, text } = await fill();
    expect(await found('线程', { order: 'time' })).toEqual([text, other, old]);
    const loose = await stage.add({ title: '线程的池子', text: '参数' });
    const exact = await stage.add({ title: '一', text: '线程参数', createTime: 0 });
    expect(await found('线程参数', { order: 'time' })).toEqual([exact, loose]);
  });

  test('reflect changes', async () => {
    const { old, text } = await fill();
    for (const round of [1, 2, 3]) {
      expect((await search('线程', { author: '乙', order: 'time' })).total, `${round}`).toBe(2);
      await stage.change(old, { title: '线程', author: '乙', tags: [`标签${round}`] });
      expect(await found('线程', { author: '乙', tag: `标签${round}` })).toEqual([old]);
    }
    await stage.hide(old);
    expect(await found('线程', { author: '乙' })).toEqual([text]);
  });

  test('suggest the most frequent tags and authors of the results', async () => {
    await fill();
    expect(await search('线程')).toMatchObject({
      authors: ['乙', '乙 丙'],
      tags: ['Java 并发', 'C++', '并发'],
    });
  });
});

describe('spelling suggestions', () => {
  test.each([
    ['hahsmap', 'hashmap'],
    ['hashmpa 扩容', 'hashmap 扩容'],
    ['献程池', '线程池'],
    ['布隆过虑器', '布隆过滤器'],
  ])('%s: %s', async (keywords, meant) => {
    await stage.add({ title: 'HashMap 的扩容与线程池', tags: ['布隆过滤器'] });
    const page = await search(keywords);
    expect(page.total).toBe(0);
    expect(page.similar[0]).toBe(meant);
  });

  test('is suggested only without hits, and only when it has results', async () => {
    await stage.add({ title: '线程池' });
    expect((await search('线程')).similar).toEqual([]);
    expect((await search('风马牛不相及')).similar).toEqual([]);
  });
});

describe('suggestions', () => {
  const suggest = (text: string) => stage.index.suggest(text);

  test('are titles, tags and authors, prefix matches first', async () => {
    const inside = await stage.add({ title: '深入线程', tags: ['多线程', '线程'] });
    const begins = await stage.add({ title: '线程池的一切', author: '线程大师', tags: ['线程'] });
    expect(await suggest('线程')).toEqual({
      titles: [
        { id: begins, title: '线程池的一切' },
        { id: inside, title: '深入线程' },
      ],
      tags: ['线程', '多线程'],
      authors: ['线程大师'],
    });
    expect((await suggest('线程 一切')).titles).toEqual([{ id: begins, title: '线程池的一切' }]);
    expect(await suggest('  ＨＡ ')).toEqual({ titles: [], tags: [], authors: [] });
  });

  test('are at most five titles and three names, and none for no input', async () => {
    await stage.addAll(
      Array.from({ length: 30 }, (_, index) => ({
        title: `锁 ${index}`,
        tags: [`锁${index}`],
        author: `锁匠${index}`,
      })),
    );
    const { titles, tags, authors } = await suggest('锁');
    expect([titles.length, tags.length, authors.length]).toEqual([5, 3, 3]);
    expect(await suggest(' \u3000')).toEqual({ titles: [], tags: [], authors: [] });
  });

  test('begin with the tag and the author of exactly this name, however many others contain it', async () => {
    await stage.add({ title: '旧文', tags: ['门'], author: '门' });
    for (const count of [5, 30]) {
      await stage.addAll(
        Array.from({ length: count }, (_, index) => ({
          title: `新文 ${index}`,
          tags: [`门${index}`],
          author: `门卫${index}`,
        })),
      );
      const { tags, authors } = await suggest('门');
      expect([tags[0], authors[0]]).toEqual(['门', '门']);
    }
  });

  test('exclude drafts, secret and hidden articles, and authors with only such', async () => {
    const nothing = { titles: [], tags: [], authors: [] };
    const hidden = { title: '暗号标题', tags: ['暗号标签'], author: '暗号作者' };
    await stage.add(hidden, 'draft');
    await stage.add(hidden, 'secret');
    expect(await suggest('暗号')).toEqual(nothing);
    const id = await stage.add(hidden);
    expect(await suggest('暗号')).toMatchObject({ tags: ['暗号标签'], authors: ['暗号作者'] });
    await stage.hide(id);
    expect(await suggest('暗号')).toEqual(nothing);
    expect((await search('暗好标题')).similar).toEqual([]);
  });
});
