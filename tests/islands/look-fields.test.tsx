import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { LookFields, type LookValue } from '../../src/islands/admin/look/LookFields.tsx';
import { loadLookRules } from '../../src/lib/client/look-rules.ts';
import {
  COLOUR_NAMES,
  DEFAULT_LOOK,
  FONT_NAMES,
  LOOK_RANGES,
  lookFaults,
  type Look,
} from '../../src/lib/contract/rules/looks.ts';

const { parts, read } = await loadLookRules();
const { name: _, ...shown } = parts;

const draw = (look: Look) =>
  renderToStaticMarkup(
    <LookFields
      parts={shown}
      values={look as unknown as Record<string, LookValue>}
      faults={lookFaults(look)}
      onChange={() => {}}
    />,
  );
const count = (html: string, pattern: RegExp) => html.match(pattern)?.length ?? 0;
const fileOf = (value: unknown) => new Blob([typeof value === 'string' ? value : JSON.stringify(value)]);

describe('the form of looks', () => {
  const html = draw(DEFAULT_LOOK);

  test('has a field for each value of the schema', () => {
    const colours = Object.keys(COLOUR_NAMES).length * 2;
    expect(count(html, /type="color"/g)).toBe(colours);
    expect(count(html, /type="range"/g)).toBe(Object.keys(LOOK_RANGES).length);
    for (const { least, most, unit } of Object.values(LOOK_RANGES))
      expect(html).toContain(`（${least}–${most} ${unit}）`);
    for (const legend of ['文字', '形状', '颜色', '浅色', '深色', '文章列表', '文章开头', '段落'])
      expect(html).toMatch(new RegExp(`<legend[^>]*>${legend}</legend>`));
    for (const text of Object.values(FONT_NAMES)) expect(html).toContain(`/>${text}</label>`);
    expect(count(html, /checked=""/g)).toBe(7);
  });

  test('says at a colour that it cannot be read, and that there are more places', () => {
    expect(html).not.toContain('看不清');
    const faint = structuredClone(DEFAULT_LOOK);
    faint.colours.dark.soft = faint.colours.dark.paper;
    const marked = draw(faint);
    expect(marked).toMatch(/aria-invalid="true"/);
    expect(marked).toMatch(/次要文字在\S+上看不清：对比度 1\.\d，至少要 4\.5（共 4 处）/);
    expect(count(marked, /aria-invalid="true"/g)).toBe(1);
  });
});

describe('a file with a look', () => {
  test('is read as it was exported', async () => {
    expect(await read(fileOf(JSON.stringify(DEFAULT_LOOK, null, 2)))).toEqual(DEFAULT_LOOK);
  });

  test.for([
    ['', '这个文件不是 JSON'],
    ['<html>', '这个文件不是 JSON'],
    [null, '外观应为一组值'],
    [[], '外观应为一组值'],
    [{ ...DEFAULT_LOOK, colours: undefined }, '颜色应为一组值'],
    [{ ...DEFAULT_LOOK, list: 'masonry' }, '文章列表应为'],
    [{ ...DEFAULT_LOOK, script: 'x' }, '外观里没有 script'],
    [{ ...DEFAULT_LOOK, shape: { radius: 1e9, rhythm: 1 } }, '圆角应为 0 到 16 的数'],
    [{ ...DEFAULT_LOOK, shape: { radius: 1.5, rhythm: 1 } }, '圆角应为 0 到 16 的数'],
    [{ ...DEFAULT_LOOK, name: '字'.repeat(21) }, '外观的名字'],
    ['x'.repeat(70_000), '太大'],
  ] as const)('%j is refused in Chinese', async ([value, reason]) => {
    await expect(read(fileOf(value))).rejects.toThrow(reason);
  });
});
