import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  archiveUrl,
  articleUrl,
  feedUrl,
  seriesUrl,
  sitemapUrl,
  sourceUrl,
  tagsUrl,
  userArchiveUrl,
  type FeedFormat,
  type FeedSubject,
} from '../src/lib/shared/urls.ts';
import { createApp } from '../src/lib/server/app.ts';
import { readConfig } from '../src/lib/server/config/config.ts';
import { articleIds, timed } from './client.ts';
import { measureGrowth } from './growth.ts';
import { serveProduct, stopAll, type Served } from './processes.ts';
import { author, AUTHORS, seeded } from './seed.ts';
import type { Row } from './stats.ts';

const REQUESTS = 240;
/** Each picture is drawn for the first time, which takes a tenth of a second. */
const PICTURES = 40;
const GOAL = { atMost: 2 };
const SERIES = { title: '样张专栏', articles: 50 };
/**
 * Documents that are also measured with the page cache. One of each kind is enough, because a cached response
 * does not depend on how it was made.
 */
const CACHED = /^(?:feed of a (?:site|tag), rss|index of sitemaps|sitemap of articles|article|archive)$/;
const FORMATS: readonly FeedFormat[] = ['rss', 'atom', 'json'];

type Size = 'few' | 'many';
type Both<T> = Record<Size, T>;
type Kinds = Record<string, (index: number, size: Size) => string>;

/**
 * Section `discovery`: feeds, sitemaps, archives and other documents with 100,000 articles compared with
 * 1,000, uncached and cached.
 */
export async function benchDiscovery(data: string, corpus: string): Promise<Row[]> {
  const folders = { few: await seeded('few', data, corpus), many: await seeded('many', data, corpus) };
  const series = { few: await seriesIn(folders.few), many: await seriesIn(folders.many) };
  const rows: Row[] = [];
  for (const [how, settings] of [
    ['uncached', { PAGE_CACHE_MB: '0' }],
    ['cached', {}],
  ] as const) {
    const servers: Served[] = [];
    const open = async (size: Size): Promise<Served> => {
      const server = await serveProduct(folders[size], settings);
      servers.push(server);
      return server;
    };
    try {
      const both = { few: await open('few'), many: await open('many') };
      const ids = { few: await articleIds(both.few), many: await articleIds(both.many) };
      const kinds = Object.entries(kindsOf(ids, series));
      const asked = kinds.filter(([name]) => how === 'uncached' || CACHED.test(name));
      rows.push(...(await growthsOf(Object.fromEntries(asked), how, both, REQUESTS)));
      if (how === 'uncached') {
        for (const folder of Object.values(folders))
          rmSync(join(folder, 'og'), { recursive: true, force: true });
        const picture: Kinds = { 'Open Graph image': (index, size) => `/og/${at(ids[size], index * 3)}.png` };
        rows.push(...(await growthsOf(picture, 'uncached', both, PICTURES)));
      }
    } finally {
      await stopAll(servers);
    }
  }
  return rows;
}

async function growthsOf(
  kinds: Kinds,
  how: string,
  { few, many }: Both<Served>,
  requests: number,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, path] of Object.entries(kinds)) {
    const growth = {
      what: `${name}, ${how}: % at 100,000 articles / at 1,000`,
      few: (index: number) => timed(few.url + path(index, 'few')),
      many: (index: number) => timed(many.url + path(index, 'many')),
      goal: GOAL,
    };
    const [median] = await measureGrowth(growth, requests);
    if (median) rows.push(median);
  }
  return rows;
}

const at = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

function kindsOf(ids: Both<string[]>, series: Both<string>): Kinds {
  const user = (index: number) => author(index % AUTHORS).username;
  const subjects: Record<FeedSubject['kind'], (index: number, size: Size) => FeedSubject> = {
    site: () => ({ kind: 'site' }),
    user: (index) => ({ kind: 'user', name: user(index) }),
    tag: (index) => ({ kind: 'tag', name: `标签${index % 40}` }),
    series: (_, size) => ({ kind: 'series', name: series[size] }),
  };
  const feeds: Kinds = Object.fromEntries(
    Object.entries(subjects).flatMap(([kind, subject]) =>
      FORMATS.map((format) => [
        `feed of a ${kind}, ${format}`,
        (index: number, size: Size) => feedUrl(subject(index, size), format),
      ]),
    ),
  );
  return {
    ...feeds,
    'index of sitemaps': () => '/sitemap.xml',
    'sitemap of articles': () => sitemapUrl('articles', 0),
    'sitemap of tags': () => sitemapUrl('tags', 0),
    'llms.txt': () => '/llms.txt',
    'robots.txt': () => '/robots.txt',
    markdown: (index, size) => sourceUrl(at(ids[size], index * 7)),
    article: (index, size) => articleUrl(at(ids[size], index * 7)),
    archive: () => archiveUrl(),
    'archive of a year': (index) => archiveUrl({ year: 2020 }, 1 + (index % 5)),
    'archive of a month': (index) => archiveUrl({ year: 2020, month: 1 }, 1 + (index % 5)),
    "author's archive": (index) => userArchiveUrl(user(index)),
    'list of tags': () => tagsUrl(),
    series: (_, size) => seriesUrl(series[size]),
  };
}

/** Returns the id of a series with articles of one author; creates it when it does not exist. */
async function seriesIn(folder: string): Promise<string> {
  const app = await createApp(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'error' }));
  try {
    const { username } = author(0);
    const { _id: id } = await app.services.users.detail(username);
    const known = (await app.services.series.list(id, null)).result.find(
      ({ title }) => title === SERIES.title,
    );
    if (known) return known._id;
    const viewer = { id, username, signinId: '', origin: '' };
    const fields = { title: SERIES.title, description: '', cover: '' };
    const { _id: series } = await app.services.series.create(fields, viewer);
    await app.db.write(async (trx) => {
      const rows = await trx
        .selectFrom('articles')
        .select('id')
        .where('author_id', '=', id)
        .orderBy('id')
        .limit(SERIES.articles)
        .execute();
      for (const row of rows)
        await trx.updateTable('articles').set({ series }).where('id', '=', row.id).execute();
    });
    return series;
  } finally {
    await app.close();
  }
}
