import { describe, expect, test } from 'vitest';
import {
  canBeBoth,
  compareVersions,
  mergedFields,
  mergedText,
  type Choice,
  type Comparison,
} from '../../../../src/islands/editor/conflict/pieces.ts';
import { randomFrom } from '../../../trial.ts';

const FIELDS = { title: '题', content: '', tags: ['甲'], secret: false };
const compare = (mine: string, theirs: string) =>
  compareVersions({ ...FIELDS, content: mine }, { ...FIELDS, content: theirs });
const lines = (count: number, change: (line: number) => string) =>
  Array.from({ length: count }, (_, line) => change(line)).join('\n');

const both = (comparison: Comparison) =>
  mergedText(
    comparison,
    comparison.pieces.map(() => 'both'),
    () => '',
  );
const written = (text: string) => text.split('\n').filter((line) => line.trim() !== '');

/** A text of up to 200 paragraphs, each line unique, that two authors have changed and added to. */
function editedTwice(random: () => number): [string, string] {
  const count = 1 + Math.floor(random() ** 3 * 200);
  const gap = random() < 0.7 ? '\n\n' : '\n';
  const base = Array.from(
    { length: count },
    (_, index) => `第 ${index} 段，${'原来的话。'.repeat(index % 4)}`,
  );
  let added = 0;
  const edit = (name: string) => {
    const fresh = () => `${name}加的第 ${added++} 段。`;
    const changed = base.flatMap((line) => {
      const chance = random();
      if (chance < 0.15) return [fresh(), line];
      if (chance < 0.3) return [`${line}${name}改过。`];
      return chance < 0.4 ? [line, fresh()] : [line];
    });
    return (random() < 0.5 ? [...changed, fresh()] : [fresh(), ...changed]).join(gap);
  };
  return [edit('甲'), edit('乙')];
}

describe('two versions in pieces', () => {
  test('have one piece per difference, with its words', () => {
    const { pieces, text } = compare(
      '开头\n今天天气很好。\n中间\n结尾',
      '开头\n今天天气不错。\n中间\n结尾\n又一段',
    );
    expect(pieces.map(({ mine, theirs }) => [mine, theirs])).toEqual([
      ['今天天气很好。', '今天天气不错。'],
      ['', '又一段'],
    ]);
    expect(pieces[0]?.words.filter(({ kind }) => kind === 'removed')).toEqual([
      { kind: 'removed', text: '很好' },
    ]);
    expect(text.map(({ kind }) => kind)).toEqual(['same', 'text', 'same', 'text']);
  });

  test.each(['mine', 'theirs'] as const)(
    '%s everywhere is that version, character for character',
    (choice) => {
      for (const [mine, theirs] of [
        ['', '新的\n'],
        ['一\n二\n三', '一\n三\n'],
        ['甲\r\n乙', '甲\n乙\n\n'],
        [
          lines(400, (line) => `行${line}`),
          lines(400, (line) => (line % 3 === 0 ? `改${line}` : `行${line}`)),
        ],
      ] as const) {
        const comparison = compare(mine, theirs);
        const all = comparison.pieces.map(() => choice);
        expect(mergedText(comparison, all, () => '')).toBe(choice === 'mine' ? mine : theirs);
      }
    },
  );

  test('taking both puts one after the other, on separate lines', () => {
    const comparison = compare('一\n我的', '一\n对方的');
    expect(mergedText(comparison, ['both'], () => '')).toBe('一\n我的\n对方的');
    expect(mergedText(comparison, [], (piece) => `(${piece})`)).toBe('一\n(0)');
  });

  test.each([
    ['原来的。\n\n我加的。', '对方加的。\n\n原来的。', '对方加的。\n\n原来的。\n\n我加的。'],
    ['我加的。\n\n原来的。', '原来的。\n\n对方加的。', '我加的。\n\n原来的。\n\n对方加的。'],
    ['一\n\n二\n\n尾', '头\n\n一\n\n二', '头\n\n一\n\n二\n\n尾'],
    ['一\n二\n尾\n', '头\n一\n二\n', '头\n一\n二\n尾\n'],
    ['一段话\n\n---\n\n尾', '头\n\n---\n\n一段话', '头\n\n---\n\n一段话\n\n---\n\n尾'],
    // Lines that code blocks have in common are no reason to mix them.
    [
      '一\n\n```js\nopen();\na();\nclose();\n```',
      '```js\nopen();\nb();\nclose();\n```\n\n一',
      '```js\nopen();\nb();\nclose();\n```\n\n一\n\n```js\nopen();\na();\nclose();\n```',
    ],
    ['一\n\n改成甲\n\n三', '一\n\n改成乙\n\n三', '一\n\n改成甲\n\n改成乙\n\n三'],
    ['- 一\n- 二甲\n- 三', '- 一\n- 二乙\n- 三', '- 一\n- 二甲\n- 二乙\n- 三'],
    // Two paragraphs added by both stay together.
    ['一\n\n甲\n\n乙', '一\n\n丙\n\n丁', '一\n\n甲\n\n乙\n\n丙\n\n丁'],
    ['甲', '乙', '甲\n\n乙'],
  ])('taking both of %j and %j inserts', (mine, theirs, merged) => {
    expect(both(compare(mine, theirs))).toBe(merged);
  });

  test('two changed paragraphs are two pieces', () => {
    const { pieces } = compare('今天天气很好。\n\n明天也好。', '今天天气不错。\n\n明天也行。');
    expect(pieces.map(({ mine }) => mine)).toEqual(['今天天气很好。', '明天也好。']);
  });

  test('taking both everywhere keeps every line of each in order, and repeats none, also in joined pieces', () => {
    const random = randomFrom(32);
    for (let round = 0; round < 300; round++) {
      const [mine, theirs] = editedTwice(random);
      const comparison = compare(mine, theirs);
      const merged = written(both(comparison));
      expect(merged).toEqual([...new Set(merged)]);
      for (const side of [mine, theirs])
        expect(merged.filter((line) => written(side).includes(line))).toEqual(written(side));
      for (const [choice, side] of [
        ['mine', mine],
        ['theirs', theirs],
      ] as const)
        expect(
          mergedText(
            comparison,
            comparison.pieces.map(() => choice),
            () => '',
          ),
        ).toBe(side);
    }
  });

  test('settings come first, each chosen separately; tags of both can be taken', () => {
    const mine = { ...FIELDS, content: '同', description: '我写的' };
    const theirs = { ...FIELDS, content: '同', tags: ['乙'], secret: true };
    const comparison = compareVersions(mine, theirs);
    expect(
      comparison.pieces.map((piece) => [piece.kind === 'setting' && piece.name, canBeBoth(piece)]),
    ).toEqual([
      ['tags', true],
      ['secret', false],
      ['description', false],
    ]);
    const choices: Choice[] = ['both', 'theirs', 'mine'];
    expect(mergedFields(mine, comparison, choices)).toEqual({
      ...FIELDS,
      content: '同',
      tags: ['甲', '乙'],
      secret: true,
      description: '我写的',
    });
  });

  test('long texts that differ everywhere have few pieces, and lose nothing', () => {
    const mine = lines(
      5_000,
      (line) => `第 ${line} 行是我写的，一共有三十多个字，凑成二十万字的一篇长文章。`,
    );
    const theirs = lines(5_000, (line) =>
      line % 2 === 0
        ? `第 ${line} 行是对方改的，完全是另一句话，也有三十多个字那么长。`
        : (mine.split('\n', line + 1)[line] ?? ''),
    );
    const comparison = compare(mine, theirs);
    expect(comparison.pieces.length).toBeLessThanOrEqual(60);
    expect(comparison.pieces.length).toBeGreaterThan(0);
    const all = comparison.pieces.map((): Choice => 'theirs');
    expect(mergedText(comparison, all, () => '')).toBe(theirs);
  });

  test('very many short lines can be compared', () => {
    const mine = lines(66_000, (line) => (line % 2 === 0 ? '1' : '2'));
    const theirs = lines(66_000, (line) => (line % 3 === 0 ? '1' : '2'));
    const comparison = compare(mine, theirs);
    const all = comparison.pieces.map((): Choice => 'theirs');
    expect(mergedText(comparison, all, () => '')).toBe(theirs);
  });
});
