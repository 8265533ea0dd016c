import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sitePages } from '../../src/lib/contract/rules/page-list.ts';
import { calls, type CallName } from '../../src/lib/contract/calls/calls.ts';
import type { Call } from '../../src/lib/contract/calls/call.ts';
import { may, type Role } from '../../src/lib/contract/rules/permissions.ts';
import { done, openServer, PASSWORD, type Answer, type TestServer } from './server.ts';

/**
 * Permissions of every role, generated from the contract, the list of pages and the permission table. A new
 * call or page is tested for every role without a change here.
 */
const PEOPLE = ['visitor', 'author', 'banned', 'withheld', 'editor', 'operator'] as const;
type Who = (typeof PEOPLE)[number];
/** A banned user has the permissions of a visitor; an author whose content is held keeps theirs. */
const ROLES: Record<Who, Role | null> = {
  visitor: null,
  author: 'author',
  banned: null,
  withheld: 'author',
  editor: 'editor',
  operator: 'operator',
};

let server: TestServer;
const tokens = new Map<Who, string>();
let article: string;
let comment: string;
let series: string;

beforeAll(async () => {
  server = await openServer({ INDEXNOW_KEY: 'indexnow-key' });
  const { roles, options, bans } = server.app.services;
  for (const who of PEOPLE) {
    if (who === 'visitor') continue;
    const { token } = await server.join(`人物${who}`);
    tokens.set(who, token);
    const role = ROLES[who];
    if (role && role !== 'author') await roles.set(`人物${who}`, role, null);
  }
  const author = { username: '人物author', token: tokens.get('author') ?? '', refresh_token: '' };
  const withheld = { username: '人物withheld', token: tokens.get('withheld') ?? '', refresh_token: '' };
  series = done(await server.post('/api/series/create', { title: '辋川集' }, author.token))._id;
  article = await server.write(author, { series });
  comment = (await server.comment(withheld, article))._id;
  const operator = tokens.get('operator');
  const page = { title: '关于', slug: 'about' };
  const { id } = done(await server.post('/api/staff/page/create', page, operator));
  const text = { id, title: '关于', content: '介绍', type: 'page', status: 'normal' };
  done(await server.post('/api/page/edit', text, operator));
  await options.change({ holdComments: 'all', holdArticles: 'all' }, null);
  const { state } = await server.comment(withheld, article, { content: '等着' });
  if (state !== 'held') throw new Error('nothing waits');
  await server.write(withheld, { title: '等着的' });
  const order = { username: '人物banned', until: null, reason: '广告', hides: false };
  await bans.ban(order, null);
});
afterAll(() => server?.close());

/** Calls that sign the caller out, need a refresh token, or return a file; other tests cover them. */
const APART: readonly CallName[] = ['signout', 'refreshToken', 'avatar'];

const send = (call: Call, token?: string): Promise<Answer> =>
  call.method === 'GET' ? server.get(call.path, token) : server.post(call.path, {}, token);

/**
 * Reduces a response to whether the caller was admitted; complaints about the empty fields count as admitted.
 */
function verdictOf({ status, error }: Answer): string {
  if (status === 402 || error === 'NOT_ALLOWED') return error ?? String(status);
  return status < 500 ? 'asked' : `${status} ${error}`;
}

function expectedOf(call: Call, who: Who): string {
  const role = ROLES[who];
  if (call.auth === 'required' && role === null) return 'SIGNIN_REQUIRED';
  return call.permission && !may(role, call.permission) ? 'NOT_ALLOWED' : 'asked';
}

const all = (Object.entries(calls) as [CallName, Call][]).filter(([name]) => !APART.includes(name));

describe.each(PEOPLE)('%s', (who) => {
  test.each(all)('calls %s', async (_, call) => {
    expect(verdictOf(await send(call, tokens.get(who)))).toBe(expectedOf(call, who));
  });

  test.each(sitePages.map((page) => [page.path, page] as const))('opens %s', async (path, page) => {
    const token = tokens.get(who);
    const headers = token === undefined ? undefined : { Cookie: `token=${token}` };
    const { status, headers: answered } = await server.send(addressOf(path), headers && { headers });
    const seen = `${status} ${(answered.get('location') ?? '').split('?')[0]}`.trim();
    expect(seen).toBe(expectedPage(page, who));
  });
});

function expectedPage(page: (typeof sitePages)[number], who: Who): string {
  const role = ROLES[who];
  if (page.isForSignedIn && role === null) return '302 /signin';
  if (page.permission && !may(role, page.permission)) return '302 /404';
  if (page.path.endsWith('/comment/:comment')) return `302 /detail/${article}#UI-comment-${comment}`;
  return ELSEWHERE[page.path] ?? '200';
}

/** Example URL for each page; a new page without an example fails its test. */
function addressOf(path: string): string {
  const examples: Record<string, string> = {
    '/home/:keywords*': '/home',
    '/tag/detail/:tag*': `/tag/detail/${encodeURIComponent('诗')}`,
    '/detail/:id': `/detail/${article}`,
    '/detail/:id/comment/:comment': `/detail/${article}/comment/${comment}`,
    '/detail/:id/:refresh+': `/detail/${article}/now`,
    '/user/info/:name*': `/user/info/${encodeURIComponent('人物author')}`,
    '/user/activity/:name*': `/user/activity/${encodeURIComponent('人物author')}`,
    '/a/:slug': '/a/shan-ju',
    '/p/:slug': '/p/about',
    '/friends/circle/:before*': '/friends/circle',
    '/series/:id': `/series/${series}`,
    '/archive/:year/:month*': `/archive/${new Date().getFullYear()}`,
    '/archive/user/:name*': `/archive/user/${encodeURIComponent('人物author')}`,
    '/edit/:id': `/edit/${article}`,
    '/detail/:id.md': `/detail/${article}.md`,
    '/feed/:kind/:name/:file': `/feed/tag/${encodeURIComponent('诗')}/feed.xml`,
    '/sitemap/:name.xml': '/sitemap/tags-0.xml',
    '/:key.txt': '/indexnow-key.txt',
    '/report': `/report?kind=article&id=${article}`,
  };
  const address = examples[path] ?? path;
  if (/[:*+]/.test(address)) throw new Error(`${path} has no example`);
  return address;
}

/** Pages that redirect or are not found for every viewer. */
const ELSEWHERE: Record<string, string> = {
  '/': '302 /home',
  '/detail': '302 /tag/list',
  '/404': '404',
};

test('anyone may sign out, which ends no other sign-in', async () => {
  expect((await server.post('/api/signout', {})).code).toBe('OK');
  const one = await server.join('走的人');
  expect((await server.post('/api/signout', {}, one.token)).code).toBe('OK');
  expect((await server.post('/api/page/counts', {}, tokens.get('author'))).status).not.toBe(402);
});

test('a banned user gets the reason, only with the right password', async () => {
  const signIn = (password: string) => server.post('/api/signin', { username: '人物banned', password });
  const told = await signIn(PASSWORD);
  expect([told.error, String(told.data).includes('广告')]).toEqual(['ACCOUNT_BANNED', true]);
  expect((await signIn('another password')).error).toBe('SIGNIN_FAILED');
});
