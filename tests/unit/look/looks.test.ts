import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Look } from '../../../src/lib/contract/look.ts';
import {
  contrastOf,
  DEFAULT_LOOK,
  lookFaults,
  SHIPPED_LOOKS,
  WEAKEST_CODE,
} from '../../../src/lib/contract/rules/looks.ts';
import { FONT_STACKS } from '../../../src/lib/shared/look-sheet.ts';

type Path = (string | number)[];

/** The default look with one value changed; undefined removes it. */
function withValue([...path]: Path, value: unknown): unknown {
  const look = structuredClone(DEFAULT_LOOK) as unknown as Record<string, unknown>;
  const last = String(path.pop());
  let at = look;
  for (const name of path) at = at[name] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return look;
}

describe.each(SHIPPED_LOOKS.map((look) => [look.name, look] as const))('the shipped look %s', (_, look) => {
  test('is a look, and reads back unchanged', () => {
    expect(Look.parse(look)).toEqual(look);
  });

  test('has the contrast of AA in both themes', () => {
    expect(lookFaults(look)).toEqual([]);
  });

  test('has no pure black or white page', () => {
    for (const theme of ['light', 'dark'] as const)
      expect(['#000000', '#ffffff']).not.toContain(look.colours[theme].paper);
  });
});

test('shipped looks have different names', () => {
  expect(new Set(SHIPPED_LOOKS.map(({ name }) => name)).size).toBe(SHIPPED_LOOKS.length);
});

const REFUSED: [what: string, path: Path, value: unknown, problem: RegExp][] = [
  ['without a name', ['name'], undefined, /请填写外观的名字/],
  ['with a blank name', ['name'], '  ', /请填写外观的名字/],
  ['with a name of 21 characters', ['name'], '墨'.repeat(21), /不能超过 20 个字符/],
  ['with a line break in its name', ['name'], '墨\n页', /只能写一行/],
  ['with a half character in its name', ['name'], '墨\ud800', /无法保存/],
  ['of another typeface', ['type', 'text'], 'Comic Sans', /正文字体应为 hei/],
  ['with CSS as a typeface', ['type', 'title'], 'serif;}*{display:none', /标题字体应为/],
  ['too small', ['type', 'size'], 14.5, /字号应为 15 到 20/],
  ['too large', ['type', 'size'], 20.5, /字号应为 15 到 20/],
  ['between two steps of size', ['type', 'size'], 16.25, /间隔 0.5/],
  ['with a size as text', ['type', 'size'], '17', /字号应为/],
  ['with no number as size', ['type', 'size'], Number.NaN, /字号应为/],
  ['with lines too close', ['type', 'leading'], 1.45, /行距应为 1.5 到 2.2/],
  ['with lines too far apart', ['type', 'leading'], 3, /行距应为/],
  ['with lines too short', ['type', 'measure'], 29, /每行字数应为 30 到 48/],
  ['with lines too long', ['type', 'measure'], 49, /每行字数应为/],
  ['with a fraction of a character', ['type', 'measure'], 38.5, /间隔 1/],
  ['with unknown paragraphs', ['type', 'paragraphs'], 'both', /段落应为 spaced、indented/],
  ['with a negative radius', ['shape', 'radius'], -1, /圆角应为 0 到 16/],
  ['with infinite space', ['shape', 'rhythm'], Infinity, /疏密应为/],
  ['with a named colour', ['colours', 'light', 'ink'], 'black', /文字应为颜色/],
  ['with a translucent colour', ['colours', 'light', 'ink'], '#22201c80', /文字应为颜色/],
  ['with CSS as a colour', ['colours', 'dark', 'paper'], '#14171e;}', /页面底色应为颜色/],
  ['without one colour', ['colours', 'dark', 'wash'], undefined, /选中处的底色应为颜色/],
  ['without the dark theme', ['colours', 'dark'], undefined, /深色应为一组值/],
  ['with an unknown colour', ['colours', 'light', 'pink'], '#ff00ff', /浅色里没有 pink/],
  ['with an unknown list', ['list'], 'grid', /文章列表应为 text、cards、dense 之一/],
  ['with an unknown head', ['head'], '', /文章开头应为/],
  ['with unknown notes', ['notes'], null, /日期和标签应为/],
  ['with an unknown front page', ['front'], 'both', /宽屏首页应为/],
  ['with a style sheet', ['css'], '*{display:none}', /外观里没有 css/],
];

test.each(REFUSED)('a look %s is refused', (_, path, value, problem) => {
  const { error } = Look.safeParse(withValue(path, value));
  expect(error?.issues.map(({ message }) => message).join()).toMatch(problem);
});

test.each([null, [], 'look', 1, undefined])('%j is no look', (value) => {
  expect(Look.safeParse(value).error?.issues[0]?.message).toBe('外观应为一组值');
});

test('a colour may be written in capitals', () => {
  const look = Look.parse(withValue(['colours', 'light', 'ink'], '#22201C'));
  expect(look.colours.light.ink).toBe('#22201c');
});

// Each makes one pair unreadable.
test.each([
  ['light', 'soft', '#9a9488', /浅色的次要文字在页面底色上看不清：对比度 2\.\d，至少要 4.5/],
  ['light', 'edge', '#c9c2b4', /浅色的输入框的边在页面底色上看不清：对比度 1\.\d，至少要 3/],
  ['light', 'reverse', '#2c4a84', /浅色的按钮上的文字在链接和按钮上看不清/],
  ['light', 'sunk', '#c8c2b6', /浅色的代码和引用的底色上的代码看不清/],
  ['dark', 'indigo', '#2c4a84', /深色的链接和按钮在页面底色上看不清/],
  ['dark', 'wash', '#93b1e6', /深色的文字在选中处的底色上看不清/],
  ['dark', 'paper', '#faf7f1', /深色的页面底色上的代码看不清/],
  ['dark', 'vermilion', '#5a2015', /深色的印章和提醒在页面底色上看不清/],
] as const)('in the %s theme, %s as %s is refused', (theme, role, value, problem) => {
  const { error } = Look.safeParse(withValue(['colours', theme, role], value));
  expect(error?.issues.map(({ message }) => message).join('\n')).toMatch(problem);
  expect(error?.issues.map(({ path }) => path.slice(0, 2))).toContainEqual(['colours', theme]);
});

test('a form can be made from the schema', () => {
  const size = { title: '字号', minimum: 15, maximum: 20, 'x-step': 0.5, 'x-unit': 'px' };
  const text = { title: '正文字体', 'x-names': { hei: '黑体', song: '宋体' } };
  expect(z.toJSONSchema(Look, { io: 'input' })).toMatchObject({
    properties: { type: { title: '文字', properties: { size, text } } },
  });
});

test('the first two typefaces are those of pages without a look', () => {
  const sheet = readFileSync('src/styles/fonts.css', 'utf8');
  const squeeze = (text: string) => text.replace(/\s*,\s*/g, ',').trim();
  const stackOf = (name: string) => squeeze(new RegExp(`--${name}:([^;]*);`).exec(sheet)?.[1] ?? '');
  expect(FONT_STACKS.hei).toBe(stackOf('font-text'));
  expect(FONT_STACKS.song).toBe(stackOf('font-title'));
});

test('every colour of code has at least the contrast of the weakest', () => {
  const sheet = readFileSync('src/lib/markdown/code/code-tokens.css', 'utf8');
  const pairs = [...sheet.matchAll(/--tk-(?!bg)\w+: light-dark\((#\w{6}), (#\w{6})\)/g)];
  expect(pairs.length).toBeGreaterThan(10);
  for (const [, light = '', dark = ''] of pairs) {
    expect(contrastOf(light, '#ffffff')).toBeGreaterThanOrEqual(contrastOf(WEAKEST_CODE.light, '#ffffff'));
    expect(contrastOf(dark, '#000000')).toBeGreaterThanOrEqual(contrastOf(WEAKEST_CODE.dark, '#000000'));
  }
});
