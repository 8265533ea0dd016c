import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { SPECULATION_RULES, SPECULATION_RULES_HASH } from '../../../src/layouts/speculation-rules.ts';

test('the security policy allows these rules', () => {
  const digest = createHash('sha256').update(SPECULATION_RULES).digest('base64');
  expect(SPECULATION_RULES_HASH).toBe(`sha256-${digest}`);
});

test('nothing is run beforehand', () => {
  expect(Object.keys(JSON.parse(SPECULATION_RULES) as object)).toEqual(['prefetch']);
});
