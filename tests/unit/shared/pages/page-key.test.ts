import { expect, test } from 'vitest';
import { keyOf } from '../../../../src/lib/shared/pages/page-key.ts';

test.each([
  ['/home', '/home'],
  ['/home?page=1', '/home'],
  ['/home?page=2', '/home?page=2'],
  ['/home?page=2&utm_source=x&page=9', '/home?page=2'],
  ['/home?page=%32', '/home?page=2'],
  ['/home?page=0x10', '/home?page=16'],
  ['/home?page=-1', '/home'],
  ['/home?page=abc', '/home'],
  ['/home?page=1e99', '/home?page=1000000'],
  ['/home?x=1', '/home'],
  ['/home/%E7%BA%BF%E7%A8%8B?page=3', '/home/%E7%BA%BF%E7%A8%8B?page=3'],
  ['/detail/65a000000000000000000001', '/detail/65a000000000000000000001'],
  ['/detail/65a000000000000000000001?sort=oldest', '/detail/65a000000000000000000001?sort=oldest'],
  [
    '/detail/65a000000000000000000001/?page=2&sort=oldest',
    '/detail/65a000000000000000000001/?sort=oldest&page=2',
  ],
  ['/detail/65a000000000000000000001?sort=newest', '/detail/65a000000000000000000001'],
  ['/detail/65a000000000000000000001?sort=x&page=2', '/detail/65a000000000000000000001?page=2'],
  [
    '/detail/65a000000000000000000001?sort=conversation',
    '/detail/65a000000000000000000001?sort=conversation',
  ],
  ['/home?sort=oldest', '/home'],
  ['/home?sort=time&author=x&tag=y', '/home'],
  ['/home/a?sort=time', '/home/a?sort=time'],
  ['/home/a?sort=x&author=&tag=%20', '/home/a'],
  [`/home/a?author=${'x'.repeat(31)}&page=2`, '/home/a?page=2'],
  ['/tag/detail/a?author=x', '/tag/detail/a'],
  ['/tag/list', '/tag/list'],
  ['/tag/detail/C%2B%2B', '/tag/detail/C%2B%2B'],
  ['/user/info/a', '/user/info/a'],
  ['/changelog', '/changelog'],
  ['/lab/cup', '/lab/cup'],
])('%s is kept under %s', (url, key) => {
  expect(keyOf(url)).toBe(key);
});

test.each([
  ['a search that has still to be redirected', '/home?keywords=x'],
  ["a search among an author's articles", '/home/a?author=x'],
  ['a search under a tag', '/home/a?page=2&tag=x'],
  ['the way around the cache', '/detail/65a000000000000000000001/true'],
  ['the API', '/api/page/detail'],
  ['a page of the signed-in', '/user/list'],
  ['a page of the signed-in', '/write'],
  ['the start', '/'],
  ['a file', '/favicon.svg'],
  ['a name that only begins like a page', '/homepage'],
  ['dots in a path', '/home/../user/list'],
  ['dots that lead back to the beginning', '/tag/../tag/list'],
  ['encoded dots', '/home/%2e%2e/write'],
  ['a backslash', '/home\\x'],
  ['two slashes', '//home'],
  ['another site', '//evil.example/home'],
  ['a whole URL', 'http://evil.example/home'],
  ['characters that a URL encodes', '/home/<x>'],
  ['a path that is too long', `/home/${'x'.repeat(2000)}`],
])('%s is not kept: %s', (_, url) => {
  expect(keyOf(url)).toBeNull();
});
