import { describe, expect, test } from 'vitest';
import { addressOf, canonicalPath, formerPathOf } from '../../../src/lib/server/redirects/canonical-path.ts';

describe('a former address', () => {
  test.each([
    ['/2020/01/02/a/'],
    ['/2020/01/02/a'],
    ['/2020/01/02/a.html'],
    ['/2020/01/02/a.htm'],
    ['/2020/01/02/a/index.html'],
    ['//2020/01/02/a/'.slice(1)],
    ['/2020//01/02/a/'],
    ['/2020/01/02/x/../a/'],
    ['/2020/01/02/%61/'],
    ['https://old.example/2020/01/02/a/#more'],
    ['http://old.example:8080/2020/01/02/a/?utm_source=feed'],
    ['  /2020/01/02/a/  '],
  ])('has one spelling: %s', (address) => {
    expect(canonicalPath(address)).toBe('/2020/01/02/a');
  });

  test('is decoded once, and in NFC', () => {
    expect(canonicalPath('/%E4%BD%A0%E5%A5%BD/')).toBe('/你好');
    expect(canonicalPath('/你好/')).toBe('/你好');
    expect(canonicalPath('/cafe\u0301')).toBe('/caf\u00e9');
    expect(canonicalPath('/cafe%CC%81')).toBe('/caf\u00e9');
    expect(canonicalPath('/100%2525')).toBe('/100%25');
  });

  test('keeps its case, since old servers were case-sensitive', () => {
    expect(canonicalPath('/About/A')).toBe('/About/A');
    expect(canonicalPath('/a/INDEX.HTML')).toBe('/a');
  });

  test('keeps the post number of WordPress', () => {
    expect(canonicalPath('/?p=123')).toBe('/?p=123');
    expect(canonicalPath('https://old.example/?p=123&preview=true')).toBe('/?p=123');
    expect(canonicalPath('/index.html?page_id=7')).toBe('/?p=7');
    expect(canonicalPath('/?p=0')).toBeNull();
    expect(canonicalPath('/?p=1x')).toBeNull();
    expect(canonicalPath('/')).toBeNull();
  });

  test.each([
    [''],
    ['a/b'],
    ['javascript:alert(1)'],
    ['mailto:a@b.example'],
    ['/%'],
    ['/%ff'],
    ['/a%0d%0aSet-Cookie:x'],
    ['/a%00'],
    ['https://'],
    [`/${'字'.repeat(700)}`],
  ])('is none: %s', (address) => {
    expect(canonicalPath(address)).toBeNull();
    expect(formerPathOf(address)).toEqual({ problem: 'malformed' });
  });

  test.each([
    ['/'],
    ['/index.html'],
    ['/home'],
    ['/home.html'],
    ['/home/keywords'],
    ['/detail/abc'],
    ['/archive/2020/01/'],
    ['/feed.xml'],
    ['/api/x'],
    ['/_assets/a.js'],
    ['/og/x.png'],
    ['/favicon.ico'],
    ['/healthz'],
    ['/metrics/'],
    ['/purge'],
    ['/404.html'],
    ['/key.txt'],
  ])('cannot be where this site answers itself: %s', (address) => {
    expect(formerPathOf(address)).toEqual({ problem: 'own' });
  });

  test.each([['/show.php?id=3'], ['/?cat=4'], ['/a/?page=2']])(
    'would lose a query that is more than a post number: %s',
    (address) => {
      expect(formerPathOf(address)).toEqual({ problem: 'query' });
    },
  );

  test.each([
    ['/a b'],
    ['/100%25'],
    ['/100%2525'],
    ['/what%3F/x'],
    ['/c%23'],
    ['/a%5Cb'],
    ['/?p=12'],
    ['/a.html.html'],
    ['/a/index.html/index.html'],
    ['/标签/甲'],
  ])('round-trips: %s', (address) => {
    const path = canonicalPath(address);
    expect(path).not.toBeNull();
    expect(canonicalPath(addressOf(path ?? ''))).toBe(path);
  });

  test('a very long path is refused at once', () => {
    expect(canonicalPath('/.html'.repeat(50_000))).toBeNull();
    expect(canonicalPath(`/x${'/.html'.repeat(50_000)}x`)).toBeNull();
  });
});
