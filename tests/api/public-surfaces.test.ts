import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  archiveUrl,
  articleUrl,
  feedUrl,
  seriesUrl,
  sitemapUrl,
  sourceUrl,
  tagsUrl,
  tagUrl,
  userActivityUrl,
  userArchiveUrl,
  userUrl,
  type FeedFormat,
  type FeedSubject,
} from '../../src/lib/shared/urls.ts';
import { ogPicturePath } from '../../src/lib/contract/rules/paths.ts';
import { openSite } from './discovery-stage.ts';
import { decide } from './decide.ts';
import { done, type Person, type TestServer, type Untyped } from './server.ts';

/** Occurs in the title, text and description of one article at a time. */
const WORD = '独坐幽篁';
const TAG = '诗';
const AUTHOR = '王维';
/** The hidden article and the public one have the same topic, so they are related. */
const ABOUT = '龙井茶的炒制要看火候：青锅、回潮、辉锅，茶叶在锅里压扁成形，香气全在炒锅里。';
const HIDDEN = { title: WORD, content: `${WORD}。${ABOUT}`, description: `${WORD}里`, tags: [TAG] };
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';

/** Ways to hide an article; those in `NEVER_SHOWN` hide it before it becomes public. */
const STATES = ['draft', 'secret', 'deleted', 'withdrawn', 'scheduled', 'held', 'taken down'] as const;
type State = (typeof STATES)[number];
const NEVER_SHOWN: readonly State[] = ['draft', 'scheduled', 'held'];

let server: TestServer;
let author: Person;
let series: string;
let editor: Person;
/** A public article whose page names related articles. */
let other: string;

beforeAll(async () => {
  server = await openSite({ BAIDU_PUSH_TOKEN: 'baidu-token', INDEXNOW_KEY: 'indexnow-key' });
  server.app.services.related.start();
  author = await server.join(AUTHOR);
  editor = await server.join('裴迪');
  await server.app.services.roles.set(editor.username, 'editor', null);
  series = done(await server.post('/api/series/create', { title: '辋川集' }, author.token))._id;
  await server.write(author, { title: '早的', tags: [TAG], series });
  other = await server.write(author, { title: '晚的', content: ABOUT, tags: [TAG], series });
});
afterAll(() => server?.close());

const page = (path: string) => async () => (await server.send(path)).text;
const call = (path: string, fields: Record<string, string | number>) => async () =>
  JSON.stringify((await server.post(path, fields)).data ?? null);
const feed = (subject: () => FeedSubject, format: FeedFormat) => () => page(feedUrl(subject(), format))();
const subjects: Record<FeedSubject['kind'], () => FeedSubject> = {
  site: () => ({ kind: 'site' }),
  user: () => ({ kind: 'user', name: AUTHOR }),
  tag: () => ({ kind: 'tag', name: TAG }),
  series: () => ({ kind: 'series', name: series }),
};
const feeds = Object.entries(subjects).flatMap(([kind, subject]) =>
  (['rss', 'atom', 'json'] as const).map(
    (format) => [`${format} feed of a ${kind}`, feed(subject, format)] as const,
  ),
);
/** Today in the site's time zone. */
const [year, month] = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' })
  .format(new Date())
  .split('-')
  .map(Number) as [number, number];
const worth = async () => done(await server.post('/api/page/worth'));
const ways = async () => done(await server.post('/api/page/ways', { id: other }));

/**
 * Every public surface that lists articles, as functions that return a visitor's response. A new surface
 * needs one line here; it must name a public article by its id or title, and no other.
 */
const surfaces: Record<string, (id: string) => Promise<string>> = {
  'front page': page('/home'),
  search: page(`/home/${encodeURIComponent(WORD)}`),
  'list of tags': page(tagsUrl()),
  'tag page': page(tagUrl(TAG)),
  profile: page(userUrl(AUTHOR)),
  'series page': () => page(seriesUrl(series))(),
  'archive of a year': page(archiveUrl({ year })),
  'archive of a month': page(archiveUrl({ year, month })),
  "author's archive": page(userArchiveUrl(AUTHOR)),
  'page of a neighbour': () => page(articleUrl(other))(),
  'its own page': (id) => page(articleUrl(id))(),
  'its markdown': (id) => page(sourceUrl(id))(),
  'its picture': async (id) => ((await server.send(ogPicturePath(id))).status === 200 ? id : ''),
  ...Object.fromEntries(feeds),
  'sitemap of articles': page(sitemapUrl('articles', 0)),
  'llms.txt': page('/llms.txt'),
  'list of articles': call('/api/page/pagelist', { pageSize: 100 }),
  'found by the API': call('/api/page/searchpage', { keywords: WORD }),
  'suggested while typing': call('/api/page/suggest', { q: WORD.slice(0, 2) }),
  'article by the API': (id) => call('/api/page/detail', { id })(),
  'file by the API': (id) => call('/api/page/file', { id })(),
  'series by the API': () => call('/api/series/detail', { id: series })(),
  'feed by the API': call('/api/page/feed', { kind: 'tag', name: TAG }),
  'sitemap by the API': call('/api/page/sitemap/part', { kind: 'articles', part: 0 }),
  'archive by the API': call('/api/page/archive', { year, month }),
  "author's archive by the API": call('/api/page/archive', { username: AUTHOR }),
  'page of activities': page(userActivityUrl(AUTHOR)),
  'activities by the API': call('/api/activity/getlist', { create_user: AUTHOR }),
  'activities of all': call('/api/activity/getlist', { type: 'page' }),
  'latest of a tag': call('/api/tag/taglist', {}),
  'next of a neighbour': async () => JSON.stringify((await ways()).next),
  'related to another': async () => JSON.stringify((await ways()).related),
  pinned: async () => JSON.stringify((await worth()).pinned),
  'read most': async () => JSON.stringify((await worth()).read),
  'waiting for search engines': async () => JSON.stringify(await server.rows('SELECT * FROM pushes')),
};

/** Public surfaces that list a tag as soon as it has a public article. */
const tagSurfaces: Record<string, (tag: string) => Promise<string>> = {
  'list of tags': page(tagsUrl()),
  'its page': (tag) => page(tagUrl(tag))(),
  'its feed': (tag) => page(feedUrl({ kind: 'tag', name: tag }, 'rss'))(),
  'sitemap of tags': page(sitemapUrl('tags', 0)),
  'tag by the API': (tag) => call('/api/tag/tagdetail', { name: tag })(),
  'with another tag': call('/api/tag/tagdetail', { name: TAG }),
  'to choose from': call('/api/tag/alltags', {}),
  'suggested while typing': (tag) => call('/api/page/suggest', { q: tag.slice(0, 3) })(),
};

/** Public counts: of articles, and of search results. */
async function counts(): Promise<Untyped> {
  const ask = async (path: string, fields = {}) => done(await server.post(path, fields));
  const user = await ask('/api/signin/getUserInfo', { username: AUTHOR });
  const found = await ask('/api/page/searchpage', { keywords: WORD, details: 'true' });
  const { months } = await ask('/api/page/archive', {});
  return {
    list: (await ask('/api/page/pagelist')).total,
    tag: (await ask('/api/tag/tagdetail', { name: TAG })).page_num,
    tagInList: (await ask('/api/tag/taglist')).result.find(({ name }: Untyped) => name === TAG).page_num,
    user: user.page_num,
    found: found.total,
    exact: found.exact,
    series: (await ask('/api/series/detail', { id: series })).page_num,
    month: months[0].page_num,
    archive: (await ask('/api/page/archive', { year })).total,
    ownArchive: (await ask('/api/page/archive', { username: AUTHOR })).total,
  };
}
const oneMore = (numbers: Record<string, number>) =>
  Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, number + 1]));

/** Returns the surfaces that name the article. */
async function showing(id: string): Promise<string[]> {
  const answers = await askAll(surfaces, id);
  // The search page repeats the query.
  const names = ([name, text]: [string, string]) =>
    text.includes(id) || (name !== 'search' && text.includes(WORD));
  return answers.filter(names).map(([name]) => name);
}

/** Returns the surfaces that name the tag. */
async function showingTag(tag: string): Promise<string[]> {
  const answers = await askAll(tagSurfaces, tag);
  const names = ([, text]: [string, string]) => text.includes(tag) || text.includes(encodeURIComponent(tag));
  return answers.filter(names).map(([name]) => name);
}

async function askAll(asked: typeof surfaces, what: string): Promise<[string, string][]> {
  const answers: [string, string][] = [];
  for (const [name, ask] of Object.entries(asked)) answers.push([name, await ask(what)]);
  return answers;
}

/** Completes what normally happens later: related articles are computed, the article is read and pinned. */
async function settle(id: string): Promise<void> {
  const { related, picks } = server.app.services;
  await related.settled();
  await server.send(articleUrl(id), { headers: { 'User-Agent': BROWSER } });
  await server.app.reads.flush();
  await picks.refresh();
  await picks.pin(id);
}

const edit = async (id: string, fields: Record<string, string | string[]>) =>
  done(await server.post('/api/page/edit', { id, ...HIDDEN, series, ...fields }, author.token));
const moderate = async (id: string, action: string) =>
  done(await decide(server, 'article', { ids: [id], action, note: '广告' }, editor.token));
const hide: Record<State, (id: string, tags: string[]) => Promise<unknown>> = {
  draft: async () => undefined,
  secret: (id, tags) => edit(id, { tags, secret: 'true' }),
  deleted: async (id) => done(await server.post('/api/page/delete', { id }, author.token)),
  withdrawn: (id, tags) => edit(id, { tags, status: 'draft' }),
  held: async () => undefined,
  'taken down': (id) => moderate(id, 'hide'),
  scheduled: async (id) => {
    const publish_time = new Date(Date.now() + 86_400_000).toISOString();
    return done(await server.post('/api/page/schedule', { id, publish_time }, author.token));
  },
};

describe.each(STATES)('an article that is %s', (state) => {
  test('is neither shown nor counted anywhere', async () => {
    const before = await counts();
    const wasPublic = !NEVER_SHOWN.includes(state);
    /** Used by this article only, so it is shown and hidden with it. */
    const tag = `幽篁${state}`;
    const tags = [TAG, tag];
    const status = wasPublic || state === 'held' ? 'normal' : 'draft';
    const { options } = server.app.services;
    await options.change({ holdArticles: state === 'held' ? 'all' : 'none' }, null);
    const id = await server.write(author, { ...HIDDEN, tags, series, status });
    const isEverywhere = async () => {
      await settle(id);
      // Guards against surfaces that never show anything.
      expect(await showing(id)).toEqual(Object.keys(surfaces));
      expect(await counts()).toEqual(oneMore(before));
      expect(await showingTag(tag)).toEqual(Object.keys(tagSurfaces));
    };
    const isNowhere = async () => {
      expect(await showing(id)).toEqual([]);
      expect(await showingTag(tag)).toEqual([]);
      expect(await counts()).toEqual(before);
    };
    if (wasPublic) await isEverywhere();
    await hide[state](id, tags);
    await isNowhere();
    // Background jobs must not list the article again.
    await server.app.services.related.settled();
    await server.app.services.picks.refresh();
    await isNowhere();
    if (!wasPublic) {
      await (state === 'held' ? moderate(id, 'restore') : edit(id, { tags, status: 'normal' }));
      await isEverywhere();
    }
    // Only a few articles can be pinned.
    await server.app.services.picks.unpin(id);
    if (state !== 'deleted') done(await server.post('/api/page/delete', { id }, author.token));
  });
});
