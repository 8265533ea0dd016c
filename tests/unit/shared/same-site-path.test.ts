import { describe, expect, test } from 'vitest';
import { sameSitePath, signInUrl } from '../../../src/lib/shared/same-site-path.ts';

/** Host that a browser on this site reaches when it follows `path`. */
const hostOf = (path: string) => new URL(path, 'https://moye.example/signin').host;

describe('a redirect target is a path of this site', () => {
  test.each([
    '/home',
    '/home?page=2',
    '/detail/0123456789abcdef01234567#h2-3',
    '/detail/0123456789abcdef01234567/true?from=a%2Fb#%E5%B0%8F%E7%BB%93',
    '/write?next=https://evil.com/',
    '/home/a%2Fb',
    '/home/100%25',
    '/user/info/@evil.com',
    '/home/javascript:alert(1)',
    '/signing',
  ])('%s is followed as it is', (path) => {
    expect(sameSitePath(path)).toBe(path);
  });

  test('text of any script is kept, as a browser writes it', () => {
    expect(sameSitePath('/home/线程?词=池#小结')).toBe(
      '/home/%E7%BA%BF%E7%A8%8B?%E8%AF%8D=%E6%B1%A0#%E5%B0%8F%E7%BB%93',
    );
    expect(sameSitePath('/a/../home')).toBe('/home');
  });
});

/** Threat 11 of SECURITY.md, and other known ways to leave a site. */
const LEAVING = [
  '//e',
  '///e',
  '////e.com/%2e%2e',
  '/\\e',
  '\\/e',
  '\\\\e',
  '/\t/e',
  '/\n/e',
  '/\r\n/e',
  '\t//e',
  ' //e',
  '/\0/e',
  '/\u{7f}/e',
  '/\u{85}/e',
  '/.//e',
  '/..//e',
  '/%2e//e',
  '/%2E%2e//e',
  '/a/..//e',
  '/a/%2e%2e//e',
  '/.\\e',
  '/%2Fe',
  '/%2fe',
  '/%5Ce',
  '/%5ce',
  '/./%2Fe',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'https://e',
  'https:e',
  'http:/e',
  'e.com',
  '@e.com',
  '.e.com',
  '?redirect=//e',
  '#/home',
  '',
];

describe('a redirect target never leaves the site', () => {
  test.each(LEAVING)('%j is not followed', (path) => {
    expect(sameSitePath(path)).toBe('/home');
    expect(sameSitePath(path, '/tag/list')).toBe('/tag/list');
  });

  test.each([
    '/／e.com',
    '/＼e.com',
    '/⁄e.com',
    '/。e.com',
    '/%E3%80%82e.com',
    '/%252Fe.com',
    '/%09/e.com',
    '/\u{2028}/e.com',
    '/\u{feff}/e.com',
    '/\u{d800}/e.com',
    '/:80',
    '/;@e.com',
  ])('%j, if followed at all, is a path here', (path) => {
    expect(hostOf(sameSitePath(path))).toBe('moye.example');
    expect(sameSitePath(path)).toMatch(/^\/(?![/\\])/);
  });

  test.each([null, undefined])('%s leads to the front page', (none) => {
    expect(sameSitePath(none)).toBe('/home');
  });

  test('random mixtures of odd URL syntax stay on this site', () => {
    const parts = [
      '/',
      '\\',
      '.',
      '..',
      '%2f',
      '%2F',
      '%5c',
      '%2e',
      '\t',
      '\n',
      '@',
      ':',
      'e',
      '?',
      '#',
      '／',
      ' ',
    ];
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647);
    for (let round = 0; round < 20_000; round++) {
      const path = `/${Array.from({ length: 1 + (random() % 7) }, () => parts[random() % parts.length]).join('')}`;
      const followed = sameSitePath(path);
      expect(hostOf(followed), JSON.stringify(path)).toBe('moye.example');
      // Applying the function again gives the same path.
      expect(sameSitePath(followed), JSON.stringify(path)).toBe(followed);
    }
  });

  test('the target is never a sign-in page, or a path longer than the server accepts', () => {
    for (const path of ['/signin', '/signin/', '/signup?redirect=/home', '/a/../signin#x'])
      expect(sameSitePath(path)).toBe('/home');
    expect(sameSitePath(`/home/${'a'.repeat(10_000)}`)).toBe('/home');
  });
});

describe('the sign-in page', () => {
  test.each(['/detail/0123456789abcdef01234567?a=1&b=2#h2-1', '/home/a+b%20c', '/home/线程'])(
    'leads back to %s',
    (path) => {
      const url = new URL(signInUrl(path), 'https://moye.example');
      expect(url.pathname).toBe('/signin');
      expect([...url.searchParams.keys()]).toEqual(['redirect']);
      expect(url.searchParams.get('redirect')).toBe(path);
    },
  );

  test('is reachable from a URL of any length', () => {
    expect(signInUrl(`/home?${'%E4'.repeat(2500)}`)).toBe('/signin');
    expect(signInUrl(`/${'%E4'.repeat(650)}`).length).toBeLessThan(8192);
    expect(signInUrl('/\u{d800}')).toMatch(/^\/signin/);
  });
});
