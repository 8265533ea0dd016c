import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feedUrl, sitemapUrl } from '../../src/components/urls.ts';
import { openSite } from './discovery-stage.ts';
import { done, type Person, type TestServer, type Untyped } from './server.ts';

/** A word that stands in one article at a time, in its title, text and description. */
const WORD = '独坐幽篁';
const TAG = '诗';
const AUTHOR = '王维';

const STATES = ['draft', 'secret', 'deleted', 'withdrawn', 'scheduled'] as const;
type State = (typeof STATES)[number];

let server: TestServer;
let author: Person;
let series: string;
/** A public article beside the hidden one, whose page names others. */
let other: string;

beforeAll(async () => {
  server = await openSite();
  author = await server.join(AUTHOR);
  series = done(await server.post('/api/series/create', { title: '辋川集' }, author.token))._id;
  await server.write(author, { title: '早的', tags: [TAG], series });
  other = await server.write(author, { title: '晚的', tags: [TAG], series });
});
afterAll(() => server?.close());

const segment = encodeURIComponent;
const page = (path: string) => async () => (await server.send(path)).text;
const call = (path: string, fields: Record<string, string | number>) => async () =>
  JSON.stringify((await server.post(path, fields)).data ?? null);
const feeds = () =>
  (['rss', 'atom', 'json'] as const).flatMap((format) => [
    feedUrl({ kind: 'site' }, format),
    feedUrl({ kind: 'user', name: AUTHOR }, format),
    feedUrl({ kind: 'tag', name: TAG }, format),
    feedUrl({ kind: 'series', name: series }, format),
  ]);

/**
 * Everything public that shows articles, by name: what answers a visitor. A new surface is one line; it must
 * name a public article by its id or title, and no other.
 */
const surfaces: Record<string, (id: string) => Promise<string>> = {
  'front page': () => page('/home')(),
  search: () => page(`/home/${segment(WORD)}`)(),
  'tag page': () => page(`/tag/detail/${segment(TAG)}`)(),
  profile: () => page(`/user/info/${segment(AUTHOR)}`)(),
  'series page': () => page(`/series/${series}`)(),
  'page of a neighbour': () => page(`/detail/${other}`)(),
  'its own page': (id) => page(`/detail/${id}`)(),
  'its markdown': (id) => page(`/detail/${id}.md`)(),
  feeds: async () => (await Promise.all(feeds().map((path) => page(path)()))).join('\n'),
  'sitemap of articles': () => page(sitemapUrl('articles', 0))(),
  'llms.txt': () => page('/llms.txt')(),
  'list of articles': () => call('/api/page/pagelist', { pageSize: 100 })(),
  'found by the API': () => call('/api/page/searchpage', { keywords: WORD })(),
  'article by the API': (id) => call('/api/page/detail', { id })(),
  'file by the API': (id) => call('/api/page/file', { id })(),
  'series by the API': () => call('/api/series/detail', { id: series })(),
  'feed by the API': () => call('/api/page/feed', { kind: 'tag', name: TAG })(),
  'sitemap by the API': () => call('/api/page/sitemap/part', { kind: 'articles', part: 0 })(),
};

/** Numbers of articles that anybody sees. */
async function counts(): Promise<Untyped> {
  const list = done(await server.post('/api/page/pagelist', {}));
  const tag = done(await server.post('/api/tag/tagdetail', { name: TAG }));
  const user = done(await server.post('/api/signin/getUserInfo', { username: AUTHOR }));
  const found = done(await server.post('/api/page/searchpage', { keywords: WORD }));
  const { page_num } = done(await server.post('/api/series/detail', { id: series }));
  return [list.total, tag.page_num, user.page_num, found.total, page_num];
}

async function everything(id: string): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const [name, ask] of Object.entries(surfaces)) answers.set(name, await ask(id));
  return answers;
}

/** Surfaces that name the article. */
async function showing(id: string): Promise<string[]> {
  const answers = await everything(id);
  // A search page repeats what was asked for.
  const names = (name: string, text: string) =>
    text.includes(id) || (name !== 'search' && text.includes(WORD));
  return [...answers].flatMap(([name, text]) => (names(name, text) ? [name] : []));
}

const publish = () =>
  server.write(author, { title: WORD, content: WORD, description: `${WORD}里`, tags: [TAG], series });

const fieldsOf = (id: string) => ({ id, title: WORD, content: WORD, tags: [TAG], series });
const hide: Record<State, (id: string) => Promise<unknown>> = {
  draft: async () => undefined,
  secret: async (id) =>
    done(await server.post('/api/page/edit', { ...fieldsOf(id), secret: 'true' }, author.token)),
  deleted: async (id) => done(await server.post('/api/page/delete', { id }, author.token)),
  withdrawn: async (id) =>
    done(await server.post('/api/page/edit', { ...fieldsOf(id), status: 'draft' }, author.token)),
  scheduled: async (id) => {
    const publish_time = new Date(Date.now() + 86_400_000).toISOString();
    return done(await server.post('/api/page/schedule', { id, publish_time }, author.token));
  },
};

describe.each(STATES)('an article that is %s', (state) => {
  test('shows nowhere, and is counted nowhere', async () => {
    const before = await counts();
    const wasPublic = state !== 'draft' && state !== 'scheduled';
    const id = wasPublic
      ? await publish()
      : await server.write(author, { title: WORD, content: WORD, tags: [TAG], series, status: 'draft' });
    if (wasPublic) {
      // What is published is everywhere at once: a surface that never shows anything proves nothing.
      expect(await showing(id)).toEqual(Object.keys(surfaces));
      expect(await counts()).toEqual(before.map((number: number) => number + 1));
    }
    await hide[state](id);
    expect(await showing(id)).toEqual([]);
    expect(await counts()).toEqual(before);
    if (state !== 'deleted') done(await server.post('/api/page/delete', { id }, author.token));
  });
});
