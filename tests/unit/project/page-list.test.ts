import { expect, test } from 'vitest';
import { CONSOLE_PAGES, sections, sitePages } from '../../../src/lib/contract/rules/page-list.ts';
import { isForSignedIn, keyOf } from '../../../src/lib/shared/pages/page-key.ts';
import { listFiles, readText } from './source-files.ts';

/** Files that are shown under other URLs: error page, sign-in gate, not-found page. */
const WITHOUT_ADDRESS = ['500', 'session-gate', '[...path]'];
const FOLDER = 'src/pages/';
/** Astro pages, and documents for programs, which a function writes. */
const ENDING = /\.(?:astro|ts)$/;

/** URL pattern of a file in the notation of the list: `[id]` becomes `:id`, `[...tag]` becomes `:tag*`. */
const addressOf = (file: string) =>
  `/${file.replace(ENDING, '').replaceAll(/\[(\.{3})?(\w+)\]/g, (_, rest, name: string) => `:${name}${rest ? '*' : ''}`)}`.replace(
    /(?<=.)\/index$|index$/,
    '',
  );
const files = listFiles(FOLDER)
  .map((path) => path.slice(FOLDER.length))
  .filter((file) => !WITHOUT_ADDRESS.includes(file.replace(ENDING, '')));
const setsTags = (file: string) => /\bsetCacheTags\(|answerFeed\(/.test(readText(FOLDER + file));

/** `/a/:b*` matches `/a` and `/a/:b+`, which may be separate rows of the list. */
const split = (address: string) => [address.replace(/\/:\w+\*$/, ''), address.replace(/\*$/, '+')];
const rowsOf = (file: string) => {
  const address = addressOf(file);
  const whole = sitePages.filter(({ path }) => path === address);
  return whole.length > 0 ? whole : sitePages.filter(({ path }) => split(address).includes(path));
};

test('every page has its URLs in the list, each once, and every URL has its page', () => {
  expect(files.filter((file) => rowsOf(file).length === 0)).toEqual([]);
  const listed = files.flatMap(rowsOf).map(({ path }) => path);
  expect(listed.toSorted()).toEqual(sitePages.map(({ path }) => path).toSorted());
});

test('the pages with tags are those that are cached', () => {
  const kept = files.filter((file) => rowsOf(file).some(({ isCached }) => isCached));
  expect(kept).toEqual(files.filter(setsTags));
});

test('no page for signed-in users is cached or prefetched', () => {
  const own = sitePages.filter(({ isForSignedIn }) => isForSignedIn);
  expect(own.length).toBeGreaterThan(0);
  expect(own.filter(({ isCached, isPrefetched }) => isCached || isPrefetched)).toEqual([]);
});

test('every page of the console opens under its own path, which gives its permission and title', () => {
  const opened = files
    .filter((file) => file.startsWith('admin/'))
    .map((file) => [
      addressOf(file),
      /openConsolePage\(Astro, '([^']+)'\)/.exec(readText(FOLDER + file))?.[1],
    ]);
  expect(opened.filter(([path, named]) => path !== named)).toEqual([]);
  expect(opened.map(([path = '']) => path).toSorted()).toEqual(Object.keys(CONSOLE_PAGES).toSorted());
});

test('signing out leaves every page for signed-in users', () => {
  const paths = sitePages.map(({ path }) => path.replace(/:\w+[+*]?/g, 'x'));
  const own = [
    '/comment/list',
    '/user/list',
    '/user/draft',
    '/user/series',
    '/user/trash',
    '/write',
    '/edit/x',
  ];
  expect(paths.filter(isForSignedIn)).toEqual(expect.arrayContaining(own));
  expect(isForSignedIn('/edit/x/')).toBe(true);
  for (const path of ['/', '/home', '/user/info/x', '/series/x', '/detail/x', '/edit/x/y'])
    expect(isForSignedIn(path)).toBe(false);
});

test('the navigation links to pages without parameters', () => {
  expect(sections.map(({ text, href }) => [text, href])).toEqual([
    ['首页', '/home'],
    ['标签', '/tag/list'],
    ['留言', '/comment/list'],
    ['实验室', '/lab/list'],
    ['更新日志', '/changelog'],
  ]);
  for (const { href, under } of sections) expect(href.startsWith(under)).toBe(true);
  expect(sections.filter(({ href }) => keyOf(href) === null).map(({ text }) => text)).toEqual(['留言']);
});
