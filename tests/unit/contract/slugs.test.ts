import { expect, it } from 'vitest';
import { foldSlug, slugRule } from '../../../src/lib/contract/rules/slugs.ts';

it.each(['', 'hello-world', '你好', 'node.js', 'a__b', 'a--b', '2026', 'é'])('accepts %j', (slug) => {
  expect(slugRule.accepts(slug)).toBe(true);
});

it.each([
  '..',
  'a..b',
  '-a',
  'a-',
  '.a',
  '😀',
  'a/b',
  'a b',
  'a?b',
  'a%41',
  'a\u200db',
  'A',
  'Ａ',
  `${'a'.repeat(500)}/`,
])('refuses %j', (slug) => {
  expect(slugRule.accepts(slug)).toBe(false);
});

it('folds width, case and outer spaces', () => {
  expect(foldSlug(' Ｈello-WORLD ')).toBe('hello-world');
  expect(slugRule.accepts(foldSlug('Straße'))).toBe(true);
});
