import { expect, test } from 'vitest';
import { SPECULATION_RULES } from '../../../src/layouts/speculation-rules.ts';

test('no page is prerendered', () => {
  expect(Object.keys(JSON.parse(SPECULATION_RULES) as object)).toEqual(['prefetch']);
});
