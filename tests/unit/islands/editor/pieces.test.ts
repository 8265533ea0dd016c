import { describe, expect, test } from 'vitest';
import {
  canBeBoth,
  compareVersions,
  mergedFields,
  mergedText,
  type Choice,
} from '../../../../src/islands/editor/conflict/pieces.ts';

const FIELDS = { title: '题', content: '', tags: ['甲'], secret: false };
const compare = (mine: string, theirs: string) =>
  compareVersions({ ...FIELDS, content: mine }, { ...FIELDS, content: theirs });
const lines = (count: number, change: (line: number) => string) =>
  Array.from({ length: count }, (_, line) => change(line)).join('\n');

describe('two versions in pieces', () => {
  test('have one piece per difference, with its words', () => {
    const { pieces, text } = compare(
      '开头\n今天天气很好。\n中间\n结尾',
      '开头\n今天天气不错。\n中间\n结尾\n又一段',
    );
    expect(pieces.map(({ mine, theirs }) => [mine, theirs])).toEqual([
      ['今天天气很好。\n', '今天天气不错。\n'],
      ['结尾', '结尾\n又一段'],
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
});
