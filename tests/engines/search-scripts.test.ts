import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSearchStage, type Sample, type SearchStage } from './search-fixture.ts';

let stage: SearchStage;
let ids: string[];

const open = (samples: readonly Sample[]) => async (): Promise<void> => {
  stage = await openSearchStage();
  ids = await stage.addAll(samples);
};
const ask = async (keywords: string) => {
  const page = await stage.index.search({ keywords, page: 1, pageSize: 100 });
  return { ...page, found: page.hits.map(({ articleId }) => ids.indexOf(articleId)) };
};

describe('traditional and simplified characters', () => {
  const samples: Sample[] = [
    { title: '软件工程', text: '讨论数据库。' },
    { title: '軟件工程', text: '討論數據庫。' },
    { title: '软件工程', tags: ['线程'], text: '讨论数据库，引用「軟件」。' },
    { title: '杂记', author: '張三', text: '头发，还有皇后。' },
    { title: '雜記', author: '张三', text: '頭髮、發現、後來、皇后。' },
    { title: '深处', text: `${'长'.repeat(25_000)}里程碑` },
    { title: '深處', text: `${'長'.repeat(25_000)}里程碑` },
  ];
  beforeAll(open(samples));
  afterAll(() => stage.close());

  // Newest first within a form.
  test.each([
    ['软件工程', [2, 0, 1]],
    ['軟件工程', [1, 2, 0]],
    ['软件', [2, 0, 1]],
    ['軟件', [2, 1, 0]],
    ['数据库', [2, 0, 1]],
    ['數據庫', [1, 2, 0]],
    ['软件 數據庫', [2, 1, 0]],
    ['头发', [3, 4]],
    ['頭髮', [4, 3]],
    ['后', [4, 3]],
    ['後', [4, 3]],
    ['杂记', [3, 4]],
    ['线程', [2]],
    ['線程', [2]],
    ['里程碑', [6, 5]],
    ['張三', [3, 4]],
    ['张三', [4, 3]],
  ])('%s finds both, its own form first: %j', async (keywords, expected) => {
    const { found, total, exact, similar } = await ask(keywords);
    expect(found).toEqual(expected);
    expect([total, exact, similar]).toEqual([expected.length, expected.length, []]);
  });

  test('are marked in either form', async () => {
    const { hits } = await ask('軟件 数据库');
    const marked = hits.map(({ highlight }) => highlight.title + highlight.content);
    expect(marked.filter((html) => html.includes('<mark>軟件</mark>'))).toHaveLength(2);
    expect(marked.filter((html) => html.includes('<mark>數據庫</mark>'))).toHaveLength(1);
  });

  test('remain apart in names that filter', async () => {
    const filtered = await stage.index.search({ keywords: '皇后', author: '張三', page: 1, pageSize: 10 });
    expect(filtered.hits.map(({ articleId }) => ids.indexOf(articleId))).toEqual([3]);
    expect((await ask('張三')).named).toEqual({ author: '張三' });
    expect((await ask('線程')).named).toEqual({});
  });

  test('complete each other, the typed form first', async () => {
    const titles = async (text: string) => (await stage.index.suggest(text)).titles.map(({ title }) => title);
    expect(await titles('軟')).toEqual(['軟件工程', '软件工程']);
    expect(await titles('软')).toEqual(['软件工程', '軟件工程']);
    expect((await stage.index.suggest('张')).authors).toEqual(['张三', '張三']);
    expect((await stage.index.suggest('張')).authors).toEqual(['張三', '张三']);
  });

  test('find each other after a change', async () => {
    await ask('鎖升級');
    await ask('鎖升級');
    await stage.change(ids[3] as string, { title: '锁升级', author: '張三' });
    expect((await ask('鎖升級')).found).toEqual([3]);
    expect((await ask('锁升级')).found).toEqual([3]);
  });
});

describe('more hits than are ranked', () => {
  const samples = Array.from({ length: 130 }, (_, index): Sample => ({
    title: `${index % 2 ? '線程' : '线程'} ${index}`,
    text: '池',
  }));
  beforeAll(open(samples));
  afterAll(() => stage.close());

  test.each(['线程', '線程'])(
    'of %s are listed once each, its own form first among the ranked ones',
    async (word) => {
      const { found, total } = await ask(word);
      const rest = await stage.index.search({ keywords: word, page: 2, pageSize: 100 });
      expect(total).toBe(130);
      const all = [...found, ...rest.hits.map(({ articleId }) => ids.indexOf(articleId))];
      expect(new Set(all).size).toBe(130);
      const isOwn = all.map((index) => samples[index]?.title.startsWith(word));
      expect(isOwn.slice(0, 100)).toEqual([
        ...Array<boolean>(50).fill(true),
        ...Array<boolean>(50).fill(false),
      ]);
    },
  );
});
