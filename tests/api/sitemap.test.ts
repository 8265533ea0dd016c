import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archiveUrl } from '../../src/lib/shared/urls.ts';
import { locationsIn, openSite, ORIGIN, problemsOf } from './discovery-stage.ts';
import { done, type Person, type TestServer } from './server.ts';

/** Schema of sitemaps, as specified at https://www.sitemaps.org/protocol.html. */
const schemaOf = (root: string, entry: string) => `
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified"
  targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9">
  <xs:element name="${root}"><xs:complexType><xs:sequence>
    <xs:element name="${entry}" minOccurs="1" maxOccurs="50000"><xs:complexType><xs:all>
      <xs:element name="loc"><xs:simpleType><xs:restriction base="xs:anyURI">
        <xs:minLength value="12"/><xs:maxLength value="2048"/>
      </xs:restriction></xs:simpleType></xs:element>
      <xs:element name="lastmod" type="xs:dateTime" minOccurs="0"/>
    </xs:all></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>`;
const INDEX = schemaOf('sitemapindex', 'sitemap');
const FILE = schemaOf('urlset', 'url');

/** This month in the site's time zone. */
const [year, month] = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' })
  .format(new Date())
  .split('-')
  .map(Number) as [number, number];

let server: TestServer;
let author: Person;
let id: string;
let series: string;

beforeAll(async () => {
  server = await openSite();
  author = await server.join('王维');
  await server.join('读者');
  series = done(await server.post('/api/series/create', { title: '山水' }, author.token))._id;
  id = await server.write(author, { tags: ['诗 & 画', 'C/C++'], series });
});
afterAll(() => server?.close());

/** Reads every sitemap and validates it; returns the last modification by URL. */
async function everything(): Promise<Map<string, string>> {
  const { text: index, headers } = await server.send('/sitemap.xml');
  expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
  expect(await problemsOf(index, INDEX)).toEqual([]);
  const found = new Map<string, string>();
  for (const address of locationsIn(index)) {
    expect(address.startsWith(`${ORIGIN}/sitemap/`)).toBe(true);
    const { status, text } = await server.send(address.slice(ORIGIN.length));
    expect(status).toBe(200);
    expect(await problemsOf(text, FILE)).toEqual([]);
    for (const [, loc = '', lastmod = ''] of text.matchAll(/<loc>([^<]*)<\/loc>(?:<lastmod>([^<]*))?/g)) {
      expect(found.has(loc)).toBe(false);
      found.set(loc.replaceAll(/&#x26;|&amp;/g, '&').slice(ORIGIN.length), lastmod);
    }
  }
  return found;
}

test('lists every public page once, with the time of its last change', async () => {
  const found = await everything();
  expect([...found.keys()].toSorted()).toEqual(
    [
      '/home',
      '/tag/list',
      '/changelog',
      '/lab/list',
      '/archive',
      archiveUrl({ year }),
      archiveUrl({ year, month }),
      `/detail/${id}`,
      `/user/info/${encodeURIComponent('王维')}`,
      `/series/${series}`,
      `/tag/detail/${encodeURIComponent('诗 & 画')}`,
      `/tag/detail/${encodeURIComponent('~C~2FC++')}`,
    ].toSorted(),
  );
  const { update_time } = done(await server.post('/api/page/detail', { id }));
  expect(found.get(`/detail/${id}`)).toBe(update_time);
  for (const path of found.keys()) expect((await server.send(path)).status, path).toBe(200);
});

test('edits, hiding and restoring show at once', async () => {
  const timeOf = async () => (await everything()).get(`/detail/${id}`);
  const first = await timeOf();
  server.pass(60);
  const edited = { id, title: '山居', content: '空山', tags: ['诗 & 画'], series };
  const { update_time } = done(await server.post('/api/page/edit', edited, author.token));
  expect(update_time > (first ?? '')).toBe(true);
  expect(await timeOf()).toBe(update_time);
  const { text } = await server.send('/sitemap.xml');
  expect(text).toContain(`<lastmod>${update_time}</lastmod>`);
  done(await server.post('/api/page/delete', { id }, author.token));
  expect([...(await everything()).keys()]).toEqual(['/home', '/tag/list', '/changelog', '/lab/list']);
  done(await server.post('/api/page/restore', { id }, author.token));
  expect(await timeOf()).toBe(update_time);
});

test('empty sitemaps are not found', async () => {
  for (const name of [
    'articles-7',
    'users-1',
    'tags-9',
    'pages-1',
    'articles-x',
    'other-0',
    'articles--1',
    'articles-01',
  ])
    expect((await server.send(`/sitemap/${name}.xml`)).status, name).toBe(404);
});

describe('/robots.txt', () => {
  test('names the sitemap, and excludes pages for signed-in users and searches', async () => {
    const { headers, text } = await server.send('/robots.txt');
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const lines = text.split('\n');
    expect(lines).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
    const wanted = ['/write', '/edit/', '/user/list', '/user/draft', '/home/', '/signin', '/api/'];
    expect(lines).toEqual(expect.arrayContaining(wanted.map((path) => `Disallow: ${path}`)));
    expect(lines).not.toContain('Disallow: /');
  });
});
