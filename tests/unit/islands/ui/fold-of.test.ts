import { expect, test } from 'vitest';
import { foldOf } from '../../../../src/islands/ui/fold-of.ts';

test.each([
  ['a sentence', '好文章。', ''],
  ['a paragraph that a phone shows in 14 lines', '字'.repeat(300), ''],
  ['one that is long for a phone alone', '字'.repeat(400), 'narrow'],
  ['one that is long everywhere', '字'.repeat(600), 'wide'],
  ['twice as many Latin letters', 'a'.repeat(800), 'narrow'],
  ['short lines', '行\n'.repeat(12), ''],
  ['many short lines', '行\n'.repeat(15), 'wide'],
  ['nothing', '', ''],
])('%s', (_name, text, fold) => {
  expect(foldOf(text)).toBe(fold);
});
