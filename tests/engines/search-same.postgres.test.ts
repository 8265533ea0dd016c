import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, openSqliteDatabase } from './open.ts';
import { hasCorpus, readCorpus } from './search-corpus.ts';
import { openSearchStage, randomFrom, type Sample, type SearchStage } from './search-fixture.ts';
import { writerFrom } from './search-texts.ts';

/** Each question becomes a dozen queries on PostgreSQL. */

let stages: SearchStage[];
const open = async () => {
  stages = [await openSearchStage(openSqliteDatabase), await openSearchStage(openDatabase)];
  expect(stages.map(({ db }) => db.engine)).toEqual(['sqlite', 'postgres']);
};
const close = () => Promise.all(stages.map((stage) => stage.close()));
const onBoth = async (write: (stage: SearchStage) => Promise<unknown>) => {
  for (const stage of stages) await write(stage);
};

/** Requests a page from both engines and returns the total on which they agree. */
async function askBoth(keywords: string, page = 1, pageSize = 10): Promise<number> {
  const [sqlite, postgres] = await Promise.all(
    stages.map(({ index }) => index.search({ keywords, page, pageSize })),
  );
  expect(postgres, JSON.stringify(keywords)).toEqual(sqlite);
  return sqlite?.total ?? 0;
}

describe('random texts', () => {
  const random = randomFrom(20_261_122);
  const { pick, write, sample, wordOf } = writerFrom(random);
  const samples = Array.from({ length: 250 }, sample);
  const SIGNS = [
    '%',
    '_',
    '"',
    '*',
    "'",
    '\\',
    'C++',
    'c++',
    '->',
    '\0',
    '\ud83d',
    '👩‍👩‍👧',
    '𠮷',
    '%_%',
    '{}',
    '!',
    '#',
  ];
  const question = () =>
    Array.from({ length: pick([1, 1, 1, 2, 2, 3]) }, () =>
      random() < 0.1 ? pick(SIGNS) : wordOf(samples, 8),
    ).join(pick([' ', ' ', '\u3000', '']));

  beforeAll(async () => {
    samples.push({ title: 'C++ 与 𠮷野家', tags: ['C++', '%_%'], text: '100% 的_下划线_ "引号" * # ! 👩‍👩‍👧𠮷' });
    await open();
    await onBoth((stage) => stage.addAll(samples));
  });
  afterAll(close);

  test('300 random queries get the same hits, totals and highlights', async () => {
    let found = 0;
    for (let round = 0; round < 300; round += 1) {
      const total = await askBoth(question(), pick([1, 1, 1, 2, 5]), pick([10, 10, 3, 100]));
      if (total > 0) found += 1;
    }
    expect(found).toBeGreaterThan(150);
  });

  test('so do repeated queries while articles are added, changed and removed', async () => {
    const questions = Array.from({ length: 30 }, question);
    let found = 0;
    const ids = Array.from(samples, (_, index) => (index + 1).toString(16).padStart(24, '0'));
    for (let round = 0; round < 30; round += 1) {
      const action = random();
      const [id, changed] = [pick(ids), sample()];
      const createTime = Date.UTC(2024, 0, 1) + Math.floor(random() * 20) * 1000;
      if (action < 0.3) {
        await onBoth((stage) => stage.add({ ...changed, createTime }));
        ids.push((samples.length + round + 1).toString(16).padStart(24, '0'));
      } else if (action < 0.6) await onBoth((stage) => stage.change(id, changed));
      else if (action < 0.8) await onBoth((stage) => stage.change(id, { ...changed, createTime }));
      else {
        await onBoth((stage) => stage.hide(id));
        ids.splice(ids.indexOf(id), 1);
      }
      for (const asked of questions.slice(0, 10 + round)) found += await askBoth(asked, 1, 100);
      found += await askBoth(write(2));
    }
    expect(found).toBeGreaterThan(1_000);
  });
});

describe.skipIf(!hasCorpus)('real articles', () => {
  let samples: Sample[];
  beforeAll(async () => {
    samples = readCorpus();
    await open();
    await onBoth((stage) => stage.addAll(samples));
  });
  afterAll(close);

  test('100 queries taken from them get the same hits, totals and highlights', async () => {
    const random = randomFrom(7);
    const { pick } = writerFrom(random);
    const cut = () => {
      const { title, text = '' } = pick(samples);
      const source = random() < 0.2 ? title : text;
      const start = Math.floor(random() * source.length);
      return source.slice(start, start + 1 + Math.floor(random() * 10));
    };
    let found = 0;
    for (let round = 0; round < 100; round += 1) {
      const keywords = random() < 0.3 ? `${cut()} ${cut()}` : cut();
      const total = await askBoth(keywords);
      if (total > 0) found += 1;
      if (total > 10) await askBoth(keywords, Math.ceil(total / 10));
    }
    expect(found).toBeGreaterThan(80);
  });
});
