import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  cleanKeywords,
  findablePath,
  homeUrl,
  readPage,
  readSegment,
  tagUrl,
  userUrl,
} from '../../../src/lib/shared/urls.ts';

const origin = 'https://blog.example';

describe('a search has a URL', () => {
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
    // Like a browser: a URL drops dot segments and escapes characters.
    const { href, search, hash } = new URL(homeUrl(keywords), origin);
    expect(readSegment(href, '/home/')).toBe(keywords);
    expect(search + hash).toBe('');
  });

  test('page URLs keep the keywords, and the first page has no number', () => {
    expect(homeUrl('线程', 2)).toBe('/home/%E7%BA%BF%E7%A8%8B?page=2');
    expect(homeUrl('线程', 1)).toBe('/home/%E7%BA%BF%E7%A8%8B');
    expect(homeUrl('', 3)).toBe('/home?page=3');
  });
});

test.each(['C/C++', '.NET', '..', '100%'])('the tag %s has an address', (name) => {
  expect(readSegment(new URL(tagUrl(name), origin).href, '/tag/detail/')).toBe(name);
});

describe('a URL carries any text', () => {
  const NASTY = [
    '%',
    '%0a',
    '%2F',
    '%2e',
    '~',
    '~2F',
    '~~',
    '.',
    '..',
    '/',
    '\\',
    '?',
    '#',
    '\n',
    '\u2028',
    ' ',
    'a',
    'F',
    '2',
    '线',
    '🍵',
  ];
  /** Deterministic texts from a seeded generator (mulberry32). */
  function texts(count: number): string[] {
    let seed = 11;
    const below = (most: number) => {
      seed = (seed + 0x6d2b79f5) | 0;
      let value = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
      return ((value ^ (value >>> 14)) >>> 0) % most;
    };
    const make = () =>
      Array.from({ length: 1 + below(6) }, () => NASTY[below(NASTY.length)])
        .join('')
        .trim();
    return [...NASTY.map((text) => text.trim()), ...Array.from({ length: count }, make)].filter(
      (text) => text !== '',
    );
  }

  /** Intermediaries between a reader and the server. Each may rewrite a path into an equivalent one. */
  const between: [who: string, rewrite: (path: string) => string][] = [
    ['a URL parser', (path) => new URL(path, origin).pathname],
    ['who decodes what need not be encoded', (path) => path.replaceAll('~', '%7E').replaceAll('%7E', '~')],
    ['who encodes what could be', (path) => path.replaceAll('~', '%7e').replaceAll('.', '%2E')],
    ['who decodes and encodes again', (path) => encodeURI(decodeURI(path))],
    ['who decodes until nothing changes', (path) => encodeURI(decodeURI(decodeURI(decodeURI(path))))],
    [
      'who resolves dots and slashes once it has decoded',
      (path) => encodeURI(posix.normalize(decodeURIComponent(path))),
    ],
  ];
  test.each(between)('past %s', (_, rewrite) => {
    for (const text of texts(2000)) {
      const path = rewrite(tagUrl(text));
      expect([text, readSegment(new URL(path, origin).href, '/tag/detail/')]).toEqual([text, text]);
    }
  });

  test('has one canonical path, to which other spellings redirect in one step', () => {
    for (const text of texts(2000)) {
      const path = tagUrl(text);
      expect([text, findablePath(path)]).toEqual([text, path]);
      // The former form of the URL. A text that looks like the current form would mean another tag.
      const former = `/tag/detail/${encodeURIComponent(text)}`;
      if (text !== '.' && text !== '..' && !/^~.*~[0-9A-F]{2}/su.test(text))
        expect([text, findablePath(former)]).toEqual([text, path]);
    }
    expect(findablePath('/tag/detail/..%20')).toBe(tagUrl('..'));
    expect(findablePath('/home/a%250ab')).toBe(homeUrl('a%0ab'));
  });

  test('is as before when it has no special characters', () => {
    expect(tagUrl('线程 池')).toBe('/tag/detail/%E7%BA%BF%E7%A8%8B%20%E6%B1%A0');
    expect(tagUrl('C++')).toBe('/tag/detail/C%2B%2B');
    expect(tagUrl('~')).toBe('/tag/detail/~');
    expect(tagUrl('18~25岁')).toBe('/tag/detail/18~25%E5%B2%81');
    expect(tagUrl('a/b')).toBe('/tag/detail/~a~2Fb');
  });

  test('a long text of escape signs is read completely', () => {
    const long = '~'.repeat(8000);
    expect(readSegment(`${origin}/home/${long}`, '/home/')).toBe(long);
  });

  test.each(['/home/%', '/home/%ff', '/x/%E7%BA', '/tag/detail/a%2', '/%'])('%s is no address', (path) => {
    expect(findablePath(path)).toBeNull();
  });
});

test('a user has a URL', () => {
  expect(readSegment(new URL(userUrl('雪山飞狐', 2), origin).href, '/user/info/')).toBe('雪山飞狐');
});

test('a URL that is not UTF-8 matches nothing', () => {
  expect(readSegment(`${origin}/home/%E7%BA`, '/home/')).toBeNull();
});

test('a trailing slash is not part of a name', () => {
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

test('keywords lose extra white space and control characters, and are cut between characters', () => {
  expect(cleanKeywords('  JVM \n\t 内存\0 ')).toBe('JVM 内存');
  expect(cleanKeywords('👍'.repeat(150))).toBe('👍'.repeat(100));
});
