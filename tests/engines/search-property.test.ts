import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  naiveMatches,
  openSearchStage,
  randomFrom,
  type Sample,
  type SearchStage,
} from './search-fixture.ts';
import { amount } from '../trial.ts';
import { writerFrom } from './search-texts.ts';

/** Each round searches for dozens of queries, on PostgreSQL with several statements each. */
const QUERIES = amount('TEST_QUERIES', 100, 600);

let stage: SearchStage;
let samples: Sample[];
let ids: string[];

const random = randomFrom(20_240_501);
const { pick, write, sample, wordOf } = writerFrom(random);
const word = () => wordOf(samples);

/** Faults of a search whose exact hits are `expected`: wrong counts, hits shown twice or missing. */
async function faultsOf(keywords: string, expected: readonly string[]): Promise<string[]> {
  const found = await stage.findAll(keywords);
  const { exact, total } = await stage.index.search({ keywords, page: 1, pageSize: 10 });
  return [
    ...(exact === expected.length ? [] : [`${keywords}: ${exact} exact instead of ${expected.length}`]),
    ...(found.length === total && new Set(found).size === total ? [] : [`${keywords}: not ${total} hits`]),
    ...expected.filter((id) => !found.includes(id)).map((id) => `${keywords}: no ${id}`),
  ];
}

beforeAll(async () => {
  stage = await openSearchStage();
  samples = Array.from({ length: 300 }, sample);
  ids = await stage.addAll(samples);
});
afterAll(() => stage.close());

test('exact hits are the articles that contain every word, for random queries', async () => {
  for (let round = 0; round < QUERIES; round += 1) {
    const keywords = Array.from({ length: pick([1, 1, 1, 2, 2, 3]) }, word).join(' ');
    if (keywords.trim() === '') continue;
    const expected = naiveMatches(samples, keywords).map((index) => ids[index] as string);
    expect(await faultsOf(keywords, expected)).toEqual([]);
  }
});

test(
  'cached results stay correct while articles are added, changed and removed',
  { tags: ['once'] },
  async () => {
    const queries = Array.from({ length: 40 }, word).filter((keywords) => keywords.trim() !== '');
    const alive = samples.slice();
    for (let round = 0; round < 25; round += 1) {
      const index = Math.floor(random() * alive.length);
      const action = random();
      if (action < 0.3) {
        const sample = { title: write(6), tags: [write(3)], text: write(60) };
        ids.push(await stage.add(sample));
        alive.push(sample);
      } else if (action < 0.6) {
        alive[index] = { title: write(6), tags: [write(3)], text: write(60) };
        await stage.change(ids[index] as string, alive[index]);
      } else {
        await stage.hide(ids[index] as string);
        alive.splice(index, 1);
        ids.splice(index, 1);
      }
      for (const keywords of queries.slice(0, 15 + round)) {
        const expected = naiveMatches(alive, keywords).map((at) => ids[at] as string);
        expect(await faultsOf(keywords, expected)).toEqual([]);
      }
    }
  },
);
