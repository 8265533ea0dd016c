import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Blog } from '../../../src/lib/blog/blog.ts';
import { createRemoteBlog } from '../../../src/lib/blog/remote.ts';
import { calls, type CallName } from '../../../src/lib/contract/calls/calls.ts';
import { openOrigin, unavailable } from '../../../src/lib/edge/origin.ts';
import { createEdgeRenderer } from '../../../src/lib/edge/rendering.ts';
import { article, idOf, openFakeApi, type FakeApi } from './fake-api.ts';

let api: FakeApi;
beforeEach(async () => {
  api = await openFakeApi();
  api.articles = [article(1, { series: idOf(5) })];
});
afterEach(() => api[Symbol.asyncDispose]());

function open(patience = 10_000): Blog {
  const ask = openOrigin(api.origin, { token: undefined, address: '' }, { patience });
  return createRemoteBlog({ ask, unavailable, ...createEdgeRenderer() });
}

/** What a page reads, the call of it that a server may lack, and the result without this call. */
const EXTRAS: [what: string, lacked: CallName, read: (blog: Blog) => Promise<unknown>, without: unknown][] = [
  ['the archive', 'archive', (blog) => blog.readArchive({}, 1), null],
  ['a year', 'archive', (blog) => blog.readArchive({ year: 2024 }, 1), null],
  ['the archive of an author', 'archive', (blog) => blog.readAuthorArchive('林间', 1), null],
  ['a series', 'seriesDetail', (blog) => blog.readSeries(idOf(5)), null],
  ['the place in a series', 'seriesDetail', placeOf, null],
  ['the neighbours of an article', 'articleWays', neighbourOf, null],
  ['the articles worth reading', 'worthReading', pinned, []],
  ['the series of an author', 'seriesList', seriesOf, []],
  ['the sitemaps', 'sitemap', (blog) => blog.listSitemaps(), []],
  ['a part of a sitemap', 'sitemapPart', (blog) => blog.readSitemap('articles', 0), []],
  ['the title of a feed', 'feed', titleOfFeed, ''],
  ['the source of an article', 'articleFile', titleOfSource, '第 1 篇'],
  ['a former address', 'formerPath', (blog) => blog.findFormerPath('/2020/a'), null],
  ['the role of the viewer', 'getUserInfo', (blog) => blog.readRole(), null],
  ['the activity of a user', 'activityList', (blog) => blog.readActivities('没有', 1), null],
];

async function placeOf(blog: Blog) {
  return (await blog.readArticle(idOf(1)))?.seriesPlace;
}
async function neighbourOf(blog: Blog) {
  return (await blog.readArticle(idOf(1)))?.next;
}
async function pinned(blog: Blog) {
  return (await blog.readWorthReading()).pinned;
}
async function seriesOf(blog: Blog) {
  return (await blog.readProfile('林间', 1))?.series;
}
async function titleOfFeed(blog: Blog) {
  return (await blog.readFeed('site', ''))?.title;
}
async function titleOfSource(blog: Blog) {
  return (await blog.readSource(idOf(1)))?.title;
}

describe.each(EXTRAS)('%s (%s)', (_what, lacked, read, without) => {
  test('is left out of the pages of a server without the call', async () => {
    expect(await read(open())).toEqual(without);
  });

  test.each<[string, NonNullable<FakeApi['answer']>]>([
    ['breaks off', (request) => void request.socket.destroy()],
    ['is not answered', () => undefined],
    ['is limited', (_request, response) => void response.writeHead(429, { 'Retry-After': '7' }).end()],
    ['has a fault', (_request, response) => void response.writeHead(500).end('{}')],
    ['is refused by a proxy', (_request, response) => void response.writeHead(403).end('{"code":"ERROR"}')],
    [
      'is refused with an envelope',
      (_request, response) => void response.writeHead(403).end('{"code":"ERROR","data":"不行"}'),
    ],
    [
      'reaches a proxy without servers',
      (_request, response) => void response.writeHead(404).end('not found'),
    ],
    ['is answered with a page', (_request, response) => void response.end('<!doctype html>')],
    ['is answered outside the contract', (_request, response) => void response.end('{"code":"OK","data":7}')],
  ])('is unavailable while the call %s', async (_how, answer) => {
    api.failing = { path: calls[lacked].path, answer };
    await expect(read(open(100))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

test.each<[string, CallName, (blog: Blog) => Promise<unknown>]>([
  ['articles', 'articleList', (blog) => blog.listArticles(1)],
  ['newest articles', 'articleList', (blog) => blog.listNewest()],
  ['articles of a tag', 'articleList', (blog) => blog.readTag('随笔', 1)],
  ['articles of an author', 'articleList', (blog) => blog.readProfile('林间', 1)],
  ['tags', 'tagList', (blog) => blog.listTags(1)],
  ['comments', 'articleComments', (blog) => blog.listComments(idOf(1), 1, 'newest')],
])('%s that every server has are unavailable, not empty, while they are refused', async (_, name, read) => {
  api.failing = {
    path: calls[name].path,
    answer: (_request, response) => void response.end('{"code":"ERROR","data":"不行"}'),
  };
  await expect(read(open())).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
