import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fold } from '../../src/lib/server/search/text/fold.ts';
import {
  naiveMatches,
  openSearchStage,
  randomFrom,
  type Sample,
  type SearchStage,
} from './search-fixture.ts';
import { hasCorpus, readCorpus } from './search-corpus.ts';
import { QUESTIONS } from './search-questions.ts';

describe.skipIf(!hasCorpus)('search in real articles', () => {
  let stage: SearchStage;
  let samples: Sample[];
  let ids: string[];

  beforeAll(async () => {
    samples = readCorpus();
    stage = await openSearchStage();
    ids = await stage.addAll(samples);
  });
  afterAll(() => stage.close());

  const check = async (keywords: string) => {
    const expected = naiveMatches(samples, keywords).map((index) => ids[index] as string);
    const found = await stage.findAll(keywords);
    const { exact } = await stage.index.search({ keywords, page: 1, pageSize: 10 });
    expect(exact, keywords).toBe(expected.length);
    expect(new Set(expected).isSubsetOf(new Set(found)), keywords).toBe(true);
    return expected.length;
  };

  test.each([
    '线程',
    '锁',
    'JVM 内存',
    'hashmap',
    'C++',
    '%',
    '"',
    '*',
    'ashma',
    'ＪＶＭ',
    '->',
    '<T>',
    'a',
    '的 java 1',
  ])('%j is found in every article that holds it and in no other', async (keywords) => {
    expect(await check(keywords)).toBeGreaterThan(0);
  });

  test('63 of 70 reader questions have an expected article in the top three', async () => {
    const missed: string[] = [];
    for (const [keywords, ...titles] of QUESTIONS) {
      const { hits } = await stage.index.search({ keywords, page: 1, pageSize: 3 });
      const shown = hits.map(({ articleId }) => samples[ids.indexOf(articleId)]?.title ?? '');
      if (!shown.some((title) => titles.some((start) => title.startsWith(start)))) missed.push(keywords);
    }
    expect(QUESTIONS).toHaveLength(70);
    expect(missed.length, missed.join('、')).toBeLessThanOrEqual(7);
    // Queries that readers once made without success.
    expect(missed).not.toContain('线程池参数怎么设置');
    expect(missed).not.toContain('HashMap扩容机制');
  });

  test('50 phrases of six characters from within sentences are found', async () => {
    const random = randomFrom(6);
    for (let round = 0; round < 50;) {
      const text = fold(samples[Math.floor(random() * samples.length)]?.text ?? '');
      const characters = Array.from(text.slice(Math.floor(random() * text.length)).slice(0, 12));
      const phrase = characters.slice(0, 6).join('');
      if (!/^[\p{L}\p{N}]{6}$/u.test(phrase)) continue;
      round += 1;
      expect(await check(phrase), phrase).toBeGreaterThan(0);
    }
  });
});
