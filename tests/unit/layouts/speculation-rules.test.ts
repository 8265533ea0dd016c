import { expect, test } from 'vitest';
import { SPECULATION_RULES } from '../../../src/layouts/speculation-rules.ts';

test('nothing is run beforehand', () => {
  expect(Object.keys(JSON.parse(SPECULATION_RULES) as object)).toEqual(['prefetch']);
});
