import { readFileSync } from 'node:fs';
import { parseFeed } from '@rowanmanning/feed-parser';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feedUrl, type FeedFormat, type FeedSubject } from '../../src/lib/shared/urls.ts';
import { openSite, ORIGIN, problemsOf, uploadPicture } from './discovery-stage.ts';
import { done, type Person, type TestServer, type Untyped } from './server.ts';

const AUTHOR = '王维_.js';
const TAG = 'C/C++ & <诗>';
const ODD = '🍵 ]]> <b>&amp; مرحبا';
const FORMATS = ['rss', 'atom', 'json'] as const;

/** Faults of an XML feed, validated against the schema of its format. */
const faultsOf = (format: 'rss' | 'atom', document: string) =>
  problemsOf(document, readFileSync(`tests/fixtures/schemas/${format}.rng`, 'utf8'), 'relaxng');

/** JSON Feed 1.1, as specified at https://www.jsonfeed.org/version/1.1/. */
const text = { type: 'string' };
const url = { type: 'string', pattern: '^https://' };
const instant = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' };
const object = (required: string[], properties: Record<string, object>) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});
const person = object(['name'], { name: text, url, avatar: url });
const item = {
  ...object(['id'], {
    id: text,
    url,
    external_url: url,
    title: text,
    content_html: text,
    content_text: text,
    summary: text,
    image: url,
    banner_image: url,
    date_published: instant,
    date_modified: instant,
    authors: { type: 'array', items: person },
    tags: { type: 'array', items: text },
    language: text,
  }),
  anyOf: [{ required: ['content_html'] }, { required: ['content_text'] }],
};
const isJsonFeed = new Ajv().compile(
  object(['version', 'title', 'items'], {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    home_page_url: url,
    feed_url: url,
    description: text,
    language: text,
    items: { type: 'array', items: item },
  }),
);

let server: TestServer;
let author: Person;
let cover: string;
let series: string;
let ids: { plain: string; odd: string; long: string };

const long = '这是很长的一段话，读起来没有尽头。'.repeat(11_700);

beforeAll(async () => {
  server = await openSite();
  author = await server.join(AUTHOR.replace('.js', ''));
  cover = await uploadPicture(server, author);
  series = done(await server.post('/api/series/create', { title: '山水' }, author.token))._id;
  const write = async (fields: Record<string, string | string[]>) => {
    server.pass(60);
    return server.write(author, { tags: [TAG], series, ...fields });
  };
  ids = {
    long: await write({ title: '长文', content: long }),
    odd: await write({ title: ODD, content: `控制\u0001字符\u000b与半个\ud83c字，${ODD}` }),
    plain: await write({
      title: '山居秋暝',
      content: `# 开篇\n\n[站内](/tag/list)、[注](#开篇)、脚注[^1]\n\n![图](${cover})\n\n\`\`\`js\nlet a = 1;\n\`\`\`\n\n- [x] 做完\n\n[^1]: 注脚`,
      cover,
      description: '空山新雨后',
    }),
  };
});
afterAll(() => server?.close());

const read = async (subject: FeedSubject, format: FeedFormat) => server.send(feedUrl(subject, format));
const subjects = (): FeedSubject[] => [
  { kind: 'site' },
  { kind: 'user', name: author.username },
  { kind: 'tag', name: TAG },
  { kind: 'series', name: series },
];

describe.each(FORMATS)('%s', (format) => {
  test.each([0, 1, 2, 3])(
    'feed %i: another library reads it, newest first, with what there is',
    async (index) => {
      const subject = subjects()[index] ?? { kind: 'site' };
      const { status, headers, text: document } = await read(subject, format);
      expect(status).toBe(200);
      const type = format === 'json' ? 'application/feed+json' : 'application/xml';
      expect(headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      // Without this header, browsers would sniff for feeds and not display the document.
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      if (format === 'json') {
        const feed: Untyped = JSON.parse(document);
        expect(isJsonFeed(feed), JSON.stringify(isJsonFeed.errors)).toBe(true);
        expect(feed.feed_url).toBe(ORIGIN + feedUrl(subject, format));
        expect(feed.items.map((each: Untyped) => each.id)).toEqual(
          [ids.plain, ids.odd, ids.long].map((id) => `${ORIGIN}/detail/${id}`),
        );
        const [first] = feed.items;
        expect(first).toMatchObject({
          title: '山居秋暝',
          image: ORIGIN + cover,
          tags: [TAG],
          summary: '空山新雨后',
        });
        expect(first.authors).toMatchObject([{ name: author.username }]);
        expect(first.content_html).toContain(`src="${ORIGIN}${cover}"`);
        return;
      }
      expect(await faultsOf(format, document)).toEqual([]);
      const feed = parseFeed(document).toJSON();
      expect(feed.meta.type).toBe(format);
      expect(feed.self ?? ORIGIN).toContain(ORIGIN);
      expect(feed.language).toBe('zh-CN');
      expect(feed.items.map(({ id }) => id)).toEqual(
        [ids.plain, ids.odd, ids.long].map((id) => `${ORIGIN}/detail/${id}`),
      );
      const [first, odd, last] = feed.items;
      const stored = done(await server.post('/api/page/detail', { id: ids.plain }));
      expect(first).toMatchObject({
        title: '山居秋暝',
        url: `${ORIGIN}/detail/${ids.plain}`,
        description: '空山新雨后',
        authors: [{ name: author.username }],
        media: [{ url: ORIGIN + cover, mimeType: 'image/png' }],
      });
      // This library does not decode references in attributes.
      const named = first?.categories.map(({ term }) => term.replace('&#x26;', '&').replace('&#x3C;', '<'));
      expect(named).toEqual([TAG]);
      const whole = new Date(stored.create_time);
      if (format === 'rss') whole.setMilliseconds(0);
      expect(first?.published).toBe(whole.toISOString());
      expect(first?.content).toContain(`src="${ORIGIN}${cover}"`);
      expect(odd?.title).toBe(ODD);
      expect(last?.content).toContain(long);
    },
  );
});

test.each([
  ['atom', /<id>[^<]*<\/id>/, ''],
  ['atom', /<updated>[^<]*/, '<updated>2026-11-23'],
  ['atom', /<\/author>/, '<name>二</name></author>'],
  ['atom', / term="[^"]*"/, ''],
  ['atom', /<entry>/, '<entry><pubDate>x</pubDate>'],
  ['rss', /<channel><title>[^<]*<\/title>/, '<channel>'],
  ['rss', /<pubDate>[^<]*/, '<pubDate>2026-11-23T00:00:00Z'],
  ['rss', / length="[^"]*"/, ''],
  ['rss', /<guid isPermaLink="true">[^<]*/, '<guid isPermaLink="true">1'],
  ['rss', /<item>/, '<item><summary>x</summary>'],
] as const)('the schema of %s refuses a feed with %s as %s', async (format, what, instead) => {
  const { text: document } = await read({ kind: 'site' }, format);
  const broken = document.replace(what, instead);
  expect(broken).not.toBe(document);
  expect(await faultsOf(format, broken)).not.toEqual([]);
});

test('texts are complete, with absolute URLs and without site-specific markup', async () => {
  const feed: Untyped = JSON.parse((await read({ kind: 'site' }, 'json')).text);
  const html: string = feed.items[0].content_html;
  expect(html).toContain(`<a href="${ORIGIN}/tag/list"`);
  expect(html).toContain(`<a href="${ORIGIN}/detail/${ids.plain}#`);
  expect(html).toContain('<code>let a = 1;\n</code>');
  expect(html).toContain('☑ 做完');
  expect(html).not.toMatch(/(?:href|src)="[/#]|class=|data-|aria-|tabindex|<script|<input/);
});

test('a feed is byte-identical until its content changes, and revalidates with 304', async () => {
  for (const format of FORMATS) {
    const path = feedUrl({ kind: 'user', name: author.username }, format);
    const first = await server.send(path);
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    expect(Date.parse(modified)).toBeGreaterThan(0);
    expect((await server.send(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await server.send(path, { headers: { 'If-Modified-Since': modified } })).status).toBe(304);
    const earlier = new Date(Date.parse(modified) - 1000).toUTCString();
    expect((await server.send(path, { headers: { 'If-Modified-Since': earlier } })).status).toBe(200);
    const other = { 'If-None-Match': '"other"', 'If-Modified-Since': modified };
    expect((await server.send(path, { headers: other })).status).toBe(200);
    expect((await server.send(`${path}?page=7`)).headers.get('etag')).toBe(etag);
  }
});

test('unknown subjects have no feed, and no page instead', async () => {
  const paths = [
    feedUrl({ kind: 'user', name: '无此人' }, 'rss'),
    feedUrl({ kind: 'tag', name: '无此标签' }, 'atom'),
    feedUrl({ kind: 'series', name: 'f'.repeat(24) }, 'json'),
    '/feed/site/x/feed.xml',
    '/feed/user/x/other.xml',
  ];
  for (const path of paths) expect((await server.send(path)).status).toBe(404);
});

test('browsers show a feed with a stylesheet, and run no script', async () => {
  const { headers, text: document } = await read({ kind: 'site' }, 'rss');
  expect(document).toContain('<?xml-stylesheet type="text/css" href="/feed.css"?>');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  );
  const sheet = await server.send('/feed.css');
  expect(sheet.headers.get('content-type')).toContain('text/css');
});

test('pages link to their feeds', async () => {
  const feedsIn = async (path: string) =>
    [
      ...(await server.send(path)).text.matchAll(
        /<link rel="alternate" href="([^"]+)" type="application\/[^>]*>/g,
      ),
    ]
      .map(([, href = '']) => href)
      .slice(3);
  const { text: home } = await server.send('/home');
  for (const format of FORMATS) expect(home).toContain(`href="${feedUrl({ kind: 'site' }, format)}"`);
  const paths: Record<'user' | 'tag' | 'series', string> = {
    user: `/user/info/${encodeURIComponent(author.username)}`,
    tag: `/tag/detail/${encodeURIComponent('~C~2FC++ & <诗>')}`,
    series: `/series/${series}`,
  };
  const names = { user: author.username, tag: TAG, series };
  for (const kind of ['user', 'tag', 'series'] as const) {
    const feed = feedUrl({ kind, name: names[kind] }, 'rss');
    expect(await feedsIn(paths[kind])).toEqual([feed]);
    // A visible link for readers as well.
    expect((await server.send(paths[kind])).text).toContain(`<a href="${feed}"`);
  }
});
