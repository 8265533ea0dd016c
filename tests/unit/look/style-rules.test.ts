import { transform } from 'lightningcss';
import { describe, expect, test } from 'vitest';
import { MAX_STYLE_BYTES } from '../../../src/lib/contract/rules/looks.ts';
import { boundedStyle, readStyle, styleFault } from '../../../src/lib/server/site/style-rules.ts';
import { ACCEPTED, REFUSED } from '../../style-sheets.ts';

const faultOf = (text: string): Promise<string | null> => readStyle(text).then(() => null, styleFault);

test('there are at least 200 style sheets', () => {
  expect(Object.values(REFUSED).flat().length + ACCEPTED.length).toBeGreaterThanOrEqual(200);
});

describe('refuses', () => {
  test.each(Object.entries(REFUSED))('what is reported as %s', async (reason, sheets) => {
    for (const sheet of sheets)
      expect([sheet.slice(0, 200), await faultOf(sheet)]).toEqual([
        sheet.slice(0, 200),
        expect.stringContaining(reason),
      ]);
  });
});

describe('of a style sheet it accepts', () => {
  test('every subject of a selector is in the content of the page', async () => {
    const subjects: string[] = [];
    for (const sheet of ACCEPTED) {
      const bounded = await boundedStyle(await readStyle(sheet));
      const own = bounded.slice(0, bounded.lastIndexOf('body>main{'));
      const Selector = (parts: object) => void subjects.push(JSON.stringify(parts));
      transform({ filename: 'bounded.css', code: Buffer.from(own), visitor: { Selector } });
    }
    const inMain = '"kind":"is","selectors":[[{"type":"type","name":"main"},';
    expect(subjects.length).toBeGreaterThan(ACCEPTED.length);
    expect(subjects.filter((subject) => !subject.includes(inMain))).toEqual([]);
  });

  test('what is stored is how lightningcss writes it, and stays the same when saved again', async () => {
    const stored = await readStyle('/* note */ .A{COLOR:#FF0000;margin:0 0 0 0}\r\n@media PRINT{.b{top:0}}');
    expect(stored).toBe(
      '.A {\n  color: red;\n  margin: 0;\n}\n\n@media print {\n  .b {\n    top: 0;\n  }\n}',
    );
    for (const sheet of [stored, ...ACCEPTED]) {
      const once = await readStyle(sheet);
      expect(await readStyle(once)).toBe(once);
    }
  });

  test('what indentation would make too long is stored without', async () => {
    const sheet = '.a{top:0}@media print{.a{top:1px}}'.repeat(MAX_STYLE_BYTES / 34);
    const stored = await readStyle(sheet);
    expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(MAX_STYLE_BYTES);
    expect(await faultOf(stored)).toBeNull();
  });

  test('an empty one has no sheet', async () => {
    expect(await boundedStyle(await readStyle(' /* nothing */ .a{}'))).toBe('');
  });
});

test('names the line and column of a fault', async () => {
  expect(await faultOf('.a {\n  color: red;\n}\n\n  .b { position: fixed }')).toMatch(/^第 5 行第 3 列：/);
  expect(await faultOf('.a {\n  color: red;\n}\n.b..c { top: 0 }')).toMatch(/^第 4 行第 \d+ 列：/);
  expect(await faultOf('.a {\n  c\\6flor: red;\n}')).toMatch(/^第 2 行第 4 列：/);
});
