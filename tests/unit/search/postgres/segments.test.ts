import { describe, expect, test } from 'vitest';
import type { Block } from '../../../../src/lib/server/search/postgres/blocks.ts';
import { ByteReader, ByteWriter } from '../../../../src/lib/server/search/postgres/bytes.ts';
import { combine } from '../../../../src/lib/server/search/postgres/combine.ts';
import { keysOf, matchesOf, postingsOf } from '../../../../src/lib/server/search/postgres/match.ts';
import { mergeSegments } from '../../../../src/lib/server/search/postgres/merge.ts';
import { SegmentBuilder } from '../../../../src/lib/server/search/postgres/segment-builder.ts';
import { dueForMerge, SIZES } from '../../../../src/lib/server/search/postgres/tidy.ts';
import { TokenIds } from '../../../../src/lib/server/search/postgres/token-ids.ts';
import { fold } from '../../../../src/lib/server/search/text/fold.ts';
import { foldDocument } from '../../../../src/lib/server/search/text/folded-document.ts';
import { randomFrom, type Sample } from '../../../engines/search-fixture.ts';
import { writerFrom } from '../../../engines/search-texts.ts';

const { pick, sample, wordOf } = writerFrom(randomFrom(5));

const foldSample = ({ title, tags = [], text = '' }: Sample) =>
  foldDocument({
    id: '',
    title,
    tags: JSON.stringify(tags),
    username: '甲',
    display_name: '',
    toc: '[]',
    text,
    create_time: 0,
  });

async function blocksOf(samples: ReadonlyMap<number, Sample>): Promise<Block[]> {
  const builder = new SegmentBuilder();
  for (const [document, each] of samples) builder.add(document, foldSample(each));
  return builder.blocks();
}

function find(blocks: readonly Block[], base: number, word: string): Map<number, number> {
  const keys = keysOf(word);
  const data = blocks.map((block) => block.data);
  const { documents, masks } = matchesOf(
    keys,
    keys.map((key) => postingsOf(key, data)),
  );
  return new Map(Array.from(documents, (document, index) => [base + document, masks[index] ?? 0]));
}

function expected(samples: ReadonlyMap<number, Sample>, word: string): Map<number, number> {
  const found = new Map<number, number>();
  for (const [document, each] of samples) {
    const { title, tags, author, headings, text } = foldSample(each);
    const fields = [title, `${tags}\n${author}`, headings, text];
    const mask = fields.reduce((sum, field, index) => sum + (field.includes(word) ? 2 ** index : 0), 0);
    if (mask > 0) found.set(document, mask);
  }
  return found;
}

const words = (samples: readonly Sample[]) =>
  Array.from({ length: 150 }, () => fold(wordOf(samples, 12))).flatMap((text) =>
    text.split(/\s+/u).filter((word) => word !== ''),
  );

describe('a segment', () => {
  test('finds exactly the fields that contain a word, before and after a merge', async () => {
    const samples = new Map(Array.from({ length: 120 }, (_, index) => [1_000_000 + index * 61, sample()]));
    // Documents of the parts alternate, and each part has dead ones.
    const parts = [0, 1, 2].map((part) => new Map([...samples].filter((_, index) => index % 3 === part)));
    const dead = new Set([...samples.keys()].filter((_, index) => index % 7 === 0));
    const built = await Promise.all(
      parts.map(async (part) => ({ base: Math.min(...part.keys()), blocks: await blocksOf(part) })),
    );
    const merged: Block[] = [];
    const base = Math.min(...samples.keys());
    const count = await mergeSegments(
      built.map((part) => ({ base: part.base, dead, blocks: inSteps(part.blocks) })),
      base,
      (block) => void merged.push(block),
    );
    const living = new Map([...samples].filter(([document]) => !dead.has(document)));
    expect(count).toBe(living.size);
    let found = 0;
    for (const word of words([...samples.values()])) {
      for (const [index, part] of parts.entries()) {
        const { blocks, base: start } = built[index] ?? { blocks: [], base: 0 };
        expect(find(blocks, start, word), word).toEqual(expected(part, word));
      }
      const hits = find(merged, base, word);
      expect(hits, word).toEqual(expected(living, word));
      found += hits.size;
    }
    expect(found).toBeGreaterThan(200);
  });

  test('has its blocks in the order of their first tokens', async () => {
    const blocks = await blocksOf(
      new Map([[1, { title: '👍🏽￥｟a', text: Array.from({ length: 900 }, () => sample().text).join(' ') }]]),
    );
    const firsts = blocks.map(({ first }) => first);
    expect(blocks.length).toBeGreaterThan(3);
    expect(firsts).toEqual([...new Set(firsts)].sort());
  });
});

async function* inSteps(blocks: readonly Block[]): AsyncGenerator<Uint8Array[], undefined> {
  for (let from = 0; from < blocks.length; from += 2)
    yield blocks.slice(from, from + 2).map(({ data }) => data);
}

describe('keys of a word', () => {
  test.each([
    ['线程池', ['线程', '程池']],
    ['数据库事务', ['数据', '库事', '事务']],
    ['concurrenthashmap', ['conc', 'urre', 'ntha', 'shma', 'hmap']],
    ['锁', ['｟锁']],
    ['用go', ['｟用go']],
  ])('%s has %j', (word, tokens) => {
    expect(keysOf(word).map(({ token }) => token)).toEqual(tokens);
  });
});

test('numbers of any size survive their encoding', () => {
  const numbers = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 2 ** 53 - 1];
  const writer = new ByteWriter();
  for (const number of numbers) writer.number(number);
  const reader = new ByteReader(writer.take());
  expect(numbers.map(() => reader.number())).toEqual(numbers);
});

test('ids of tokens follow the order of the tokens, short and long ones', () => {
  const ids = new TokenIds();
  const tokens = new Set(Array.from({ length: 20_000 }, () => fold(wordOf([sample()], pick([1, 2, 4, 9])))));
  tokens.delete('');
  for (const token of [...tokens, ...tokens]) ids.idOf(token, 0, token.length);
  expect(ids.tokens).toHaveLength(tokens.size);
  expect(ids.sorted().map((id) => ids.tokens[id])).toEqual([...tokens].sort());
});

test('some of the words suffice, but all labels are needed', () => {
  const matches = (...documents: number[]) => ({
    documents: Float64Array.from(documents),
    masks: Uint8Array.from(documents, (document) => (document < 3 ? 1 : 8)),
  });
  const lists = [matches(1, 2, 5), matches(2, 5, 6), matches(2, 6)];
  expect([...combine(lists, [], 15, 2)]).toEqual([2, 5, 6]);
  expect([...combine(lists, [], 15, 3)]).toEqual([2]);
  expect([...combine(lists, [matches(5, 6)], 15, 2)]).toEqual([5, 6]);
  expect([...combine(lists, [], 1, 1)]).toEqual([1, 2]);
  expect([...combine([], [matches(4)], 15, 0)]).toEqual([4]);
});

describe('merges', () => {
  const segment = (documents: number, changes = 0) => ({ segment: 1, base: 0, last: 0, documents, changes });

  test('join segments of about the same size', () => {
    const small = Array.from({ length: 10 }, () => segment(200));
    expect(dueForMerge(small.slice(1), SIZES)).toEqual([]);
    expect(dueForMerge([segment(5_000), ...small], SIZES)).toEqual(small);
    expect(
      dueForMerge(
        Array.from({ length: 20 }, () => segment(150_000)),
        SIZES,
      ),
    ).toEqual([]);
  });

  test('rewrite a segment of which many documents are dead', () => {
    expect(dueForMerge([segment(1_000, 200), segment(1_000, 300)], SIZES)).toEqual([segment(1_000, 300)]);
  });
});
