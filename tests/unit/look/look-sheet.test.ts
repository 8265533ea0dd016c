import { expect, test } from 'vitest';
import { DEFAULT_LOOK, SHIPPED_LOOKS, type Look } from '../../../src/lib/contract/rules/looks.ts';
import { choicesOf, lookAttributes, lookSheet } from '../../../src/lib/shared/look-sheet.ts';

const lookWith = (change: (look: Look) => void): Look => {
  const look = structuredClone(DEFAULT_LOOK);
  change(look);
  return look;
};
const sheetWith = (change: (look: Look) => void) => lookSheet(lookWith(change));

test('the default look has no style sheet and no attributes', () => {
  expect(lookSheet(DEFAULT_LOOK)).toBe('');
  expect(Object.values(lookAttributes(choicesOf(DEFAULT_LOOK))).filter(Boolean)).toEqual([]);
});

test('another name changes nothing', () => {
  expect(sheetWith((look) => (look.name = '我的'))).toBe('');
});

test('only what differs is in the sheet', () => {
  expect(sheetWith((look) => (look.colours.light.ink = '#000000'))).toBe('html:root{--ink:#000000}');
  expect(sheetWith(({ shape }) => (shape.radius = 12))).toBe('html:root{--radius:12px}');
  expect(sheetWith(({ type }) => (type.leading = 2))).toBe('html:root{--leading:2}');
  expect(sheetWith(({ type }) => (type.text = 'song'))).toMatch(/^html:root\{--font-text:'Songti SC',.*\}$/);
  expect(sheetWith(({ type }) => (type.title = 'hei'))).toBe('html:root{--font-title:var(--font-text)}');
});

test('colours of the dark theme follow the reader’s choice and the system, and never print', () => {
  expect(sheetWith((look) => (look.colours.dark.ink = '#ffffff'))).toBe(
    '@media screen{html:root[data-theme=dark]{--ink:#ffffff}}' +
      '@media screen and (prefers-color-scheme:dark){html:root[data-theme=system]{--ink:#ffffff}}',
  );
});

test('small type is not smaller than 16 px on a phone', () => {
  const small = sheetWith(({ type }) => (type.size = 15));
  expect(small).toBe('html:root{font-size:16px}@media (min-width:640px){html:root{font-size:15px}}');
  expect(sheetWith(({ type }) => (type.size = 20))).toContain('html:root{font-size:19px}');
});

test('long lines make room for the table of contents, and move notes where the margins are too narrow', () => {
  const wide = sheetWith(({ type }) => (type.measure = 48));
  expect(wide).toContain('html:root{--column:50.5rem;--beside:15rem}');
  expect(wide).toContain('@media (min-width:1024px) and (max-width:1206.98px){.card-note');
  const short = sheetWith(({ type }) => (type.measure = 30));
  expect(short).toBe('html:root{--column:32.5rem}');
});

test('notes in line have no condition', () => {
  expect(sheetWith((look) => (look.notes = 'line'))).toMatch(/^\.card-note.*\.margin-note/);
});

test('cards and dense lists leave no margin for notes', () => {
  expect(sheetWith((look) => (look.list = 'cards'))).toMatch(/^\.card-note.*\.margin-note/);
  expect(sheetWith((look) => (look.list = 'dense'))).toMatch(/^\.card-note(?!.*\.margin-note)/);
});

test('choices become attributes', () => {
  const look = lookWith((changed) =>
    Object.assign(changed, { list: 'cards', head: 'cover', front: 'middle' }),
  );
  look.type.paragraphs = 'indented';
  expect(lookAttributes(choicesOf(look))).toEqual({
    'data-paragraphs': 'indented',
    'data-list': 'cards',
    'data-head': 'cover',
    'data-front': 'middle',
  });
});

test('a shipped look costs at most 2 KB', () => {
  for (const look of SHIPPED_LOOKS) expect(lookSheet(look).length).toBeLessThan(2_048);
});
