import { afterAll, beforeAll, expect, test } from 'vitest';
import { asText, installPageEncoder } from '../../../src/lib/server/page-encoder.ts';

const original = globalThis.TextEncoder;
const bytesOf = (text: string) => new original().encode(text);
const beforeInstalled = asText(bytesOf('山居秋暝'));
beforeAll(installPageEncoder);
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

test.each([
  ['alone', ['', '']],
  ['in a short page', ['<p>', '</p>']],
  ['in a long page', ['前言。'.repeat(2000), '后记。'.repeat(2000)]],
  ['between halves of surrogate pairs', ['\ud83d', '\udc00']],
])('bytes stand where their text was printed: %s', (_, [before = '', after = '']) => {
  const article = '<p>空山新雨后，天气晚来秋。</p>'.repeat(50);
  const page = before + asText(bytesOf(article)) + after;
  expect(Buffer.from(new TextEncoder().encode(page)).toString()).toBe(
    Buffer.from(bytesOf(before)).toString() + article + Buffer.from(bytesOf(after)).toString(),
  );
});

test('several pieces of bytes in one page, and pages that are rendered at the same time, keep apart', () => {
  const [first, second, third] = ['甲', '乙', '丙'].map((text) => asText(bytesOf(text)));
  expect(new TextEncoder().encode(`1${third}2${first}`)).toEqual(Buffer.from('1丙2甲'));
  expect(new TextEncoder().encode(`3${second}`)).toEqual(Buffer.from('3乙'));
});

test('bytes that were printed twice are an error, not a page without them', () => {
  const text = asText(bytesOf('甲'));
  asText(bytesOf('乙'));
  expect(() => new TextEncoder().encode(text + text)).toThrow('printed twice');
});

test('where pages have another encoder, they are text at once', () => {
  expect(beforeInstalled).toBe('山居秋暝');
});
