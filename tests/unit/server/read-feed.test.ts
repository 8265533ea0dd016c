import { describe, expect, test } from 'vitest';
import { readFeed } from '../../../src/lib/server/friends/read-feed.ts';

const URL_OF_FEED = 'https://blog.example/feed.xml';
const read = (text: string | Uint8Array, type = '') =>
  readFeed({ bytes: typeof text === 'string' ? Buffer.from(text) : text, type, url: URL_OF_FEED });
const rss = (...items: string[]) =>
  `<rss version="2.0"><channel><title>王维</title>${items.join('')}</channel></rss>`;
const item = (title: string, link: string, date = 'Mon, 06 Jul 2026 08:00:00 GMT') =>
  `<item><title>${title}</title><link>${link}</link>${date && `<pubDate>${date}</pubDate>`}</item>`;
const NO_FEED = 'could not be parsed as a feed';
const titles = (text: string | Uint8Array, type?: string) => read(text, type).map(({ title }) => title);

describe('an entry', () => {
  test('of RSS and Atom has title, absolute address and time, the newest first', () => {
    expect(
      read(
        rss(
          item('鹿柴 &amp; 竹里馆', '/lu-zhai', 'Sun, 05 Jul 2026 08:00:00 GMT'),
          item('<![CDATA[辛夷坞]]>', 'https://blog.example/xin'),
        ),
      ),
    ).toEqual([
      { title: '辛夷坞', url: 'https://blog.example/xin', time: Date.UTC(2026, 6, 6, 8) },
      { title: '鹿柴 & 竹里馆', url: 'https://blog.example/lu-zhai', time: Date.UTC(2026, 6, 5, 8) },
    ]);
    const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>王维</title>
      <entry><title type="text">使至塞上</title><link rel="alternate" href="https://blog.example/?a=1&#x26;b=2&amp;c=3"/>
      <updated>2026-07-06T16:00:00+08:00</updated></entry></feed>`;
    expect(read(atom)).toEqual([
      { title: '使至塞上', url: 'https://blog.example/?a=1&b=2&c=3', time: Date.UTC(2026, 6, 6, 8) },
    ]);
  });

  test('without a web address or a title is left out', () => {
    const found = rss(
      ...['javascript:alert(1)', 'data:text/html,x', 'ftp://blog.example/', 'https://a:b@blog.example/'].map(
        (link) => item('坏的', link),
      ),
      item('', 'https://blog.example/untitled'),
      item('好的', 'https://blog.example/good'),
      item('太长', `https://blog.example/${'a'.repeat(1_000)}`),
    );
    expect(titles(found)).toEqual(['好的']);
  });

  test('without a readable time has none', () => {
    const found = rss(item('没有日期', '/1', ''), item('日期不对', '/2', '昨天'));
    expect(read(found).map(({ time }) => time)).toEqual([null, null]);
  });

  test('has a bounded title without controls and marks of direction', () => {
    const title = titles(rss(item(`\u202e反\u0007着${'长'.repeat(300)}`, '/1')))[0] ?? '';
    expect(title.startsWith('反 着长')).toBe(true);
    expect(Array.from(title)).toHaveLength(200);
  });

  test('is one of the newest thirty', () => {
    const many = Array.from({ length: 100 }, (_, index) =>
      item(`第 ${index}`, `/${index}`, new Date(Date.UTC(2026, 0, 1 + index)).toUTCString()),
    );
    const found = titles(rss(...many));
    expect(found).toHaveLength(30);
    expect(found[0]).toBe('第 99');
  });
});

describe('the encoding', () => {
  // 诗词 in GB18030.
  const gbk = Buffer.concat([
    Buffer.from('<rss version="2.0"><channel><item><title>'),
    Buffer.from([0xca, 0xab, 0xb4, 0xca]),
    Buffer.from('</title><link>https://blog.example/1</link></item></channel></rss>'),
  ]);
  const declared = (name: string) =>
    Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${name}"?>`), gbk]);

  test.each([
    ['the header', gbk, 'text/xml; charset=GBK'],
    ['the declaration', declared('gb2312'), ''],
    ['neither', gbk, ''],
    ['a wrong declaration', declared('utf-8'), ''],
    ['an unknown declaration', declared('x-none'), ''],
  ])('is found by %s', (_, bytes, type) => {
    expect(titles(bytes, type)).toEqual(['诗词']);
  });

  test('that cannot be decoded spoils the text, not the feed', () => {
    const bytes = Buffer.from(rss(item('诗', '/1')));
    bytes[bytes.indexOf('诗')] = 0xff;
    expect(read(bytes).map(({ url }) => url)).toEqual(['https://blog.example/1']);
  });
});

describe('a document is refused', () => {
  const laughs = `<!DOCTYPE a [<!ENTITY a "哈哈哈哈哈哈">${Array.from(
    { length: 20 },
    (_, index) => `<!ENTITY a${index + 1} "${`&a${index || ''};`.repeat(10)}">`,
  ).join('')}]>`;
  test.each([
    ['that declares entities', laughs + rss(item('&a20;', '/1')), 'the feed declares entities'],
    ['that is a page', '<!doctype html><html><body>没有</body></html>', NO_FEED],
    ['that is empty', '', NO_FEED],
    ['that is JSON', '{"version": "https://jsonfeed.org/version/1.1", "items": []}', NO_FEED],
    ['that is compressed', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff]), NO_FEED],
  ])('%s', (_, text, problem) => {
    expect(() => read(text)).toThrow(problem);
  });
});
