import { afterAll, beforeAll, expect, test } from 'vitest';
import { installFastEncoder } from '../../../src/lib/server/fast-encoder.ts';

const original = globalThis.TextEncoder;
beforeAll(installFastEncoder);
afterAll(() => {
  globalThis.TextEncoder = original;
});

test.each([
  ['nothing', ''],
  ['a short text', '墨页'],
  ['a long Chinese text', '想清楚的事，写下来。'.repeat(500)],
  ['a long Latin text', 'plain ascii '.repeat(500)],
  ['emoji and rare characters', '👨‍👩‍👧‍👦𠮷é'.repeat(300)],
  ['halves of surrogate pairs', `${'字'.repeat(2000)}\ud83d${'字'.repeat(10)}\udc00`],
])('%s becomes the same bytes as ever', (_, text) => {
  const bytes = new TextEncoder().encode(text);
  expect(bytes).toBeInstanceOf(Uint8Array);
  expect(Buffer.from(bytes)).toEqual(Buffer.from(new original().encode(text)));
});

test('without a text there are no bytes', () => {
  expect(new TextEncoder().encode()).toHaveLength(0);
});
