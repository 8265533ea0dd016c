import { describe, expect, test } from 'vitest';
import {
  cleanKeywords,
  homeUrl,
  readPage,
  readSegment,
  tagUrl,
  userUrl,
} from '../../../src/components/urls.ts';

const origin = 'https://blog.example';

describe('a search has an address of its own', () => {
  const searches = [
    '线程',
    'C++',
    'a/b',
    '100%',
    '%2B',
    '?',
    '#',
    '.',
    '..',
    '...',
    '\\',
    '"',
    '*',
    'a b',
    '👨‍👩‍👧',
    '+',
    '&page=2',
    '/',
  ];

  test.each(searches)('%s comes back as it was typed', (keywords) => {
    // As a browser would: a URL drops dot segments and escapes what it must.
    const { href, search, hash } = new URL(homeUrl(keywords), origin);
    expect(readSegment(href, '/home/')).toBe(keywords);
    expect(search + hash).toBe('');
  });

  test('pages keep the keywords, the first page needs no number', () => {
    expect(homeUrl('线程', 2)).toBe('/home/%E7%BA%BF%E7%A8%8B?page=2');
    expect(homeUrl('线程', 1)).toBe('/home/%E7%BA%BF%E7%A8%8B');
    expect(homeUrl('', 3)).toBe('/home?page=3');
  });
});

test.each(['C/C++', '.NET', '..', '100%'])('the tag %s has an address', (name) => {
  expect(readSegment(new URL(tagUrl(name), origin).href, '/tag/detail/')).toBe(name);
});

test('a user has an address', () => {
  expect(readSegment(new URL(userUrl('雪山飞狐', 2), origin).href, '/user/info/')).toBe('雪山飞狐');
});

test('an address that is not UTF-8 names nothing', () => {
  expect(readSegment(`${origin}/home/%E7%BA`, '/home/')).toBeNull();
});

test('a trailing slash is no part of a name', () => {
  expect(readSegment(`${origin}/home/`, '/home/')).toBe('');
  expect(readSegment(`${origin}/home`, '/home/')).toBe('');
  expect(readSegment(`${origin}/tag/detail/java/`, '/tag/detail/')).toBe('java');
});

test.each([
  ['2', 2],
  ['2.7', 2],
  ['0', 1],
  ['-3', 1],
  ['abc', 1],
  ['', 1],
  ['Infinity', 1],
  ['1e30', 1_000_000],
])('?page=%s is page %i', (page, expected) => {
  expect(readPage(new URL(`${origin}/home?page=${page}`))).toBe(expected);
});

test('keywords lose spare white space and controls, and are cut between characters', () => {
  expect(cleanKeywords('  JVM \n\t 内存\0 ')).toBe('JVM 内存');
  expect(cleanKeywords('👍'.repeat(150))).toBe('👍'.repeat(100));
});
