import { parseFeed } from '@rowanmanning/feed-parser';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { toCard } from '../../../../src/lib/blog/article-card.ts';
import { toRss } from '../../../../src/components/feeds/rss.ts';
import { SITE_DEFAULTS } from '../../../../src/lib/shared/site-settings.ts';

const site = { ...SITE_DEFAULTS, origin: 'https://blog.example' };
const AT = '2024-01-02T03:04:05.000Z';

test.each(['泛型 List<String> 和 <img src=x onerror=alert(1)>', 'a && b <!-- c', '&lt;b&gt; 与 ]]> "引号"'])(
  'a reader that takes the description %s as HTML shows the text and no element',
  (summary) => {
    const fields = { _id: '1'.repeat(24), title: '题', tags: [], create_user: '林间', create_time: AT };
    const card = toCard({ ...fields, status: 'normal', secret: false, content: '' }, summary);
    const feed = { title: '', description: summary, items: [{ ...card, html: '', coverBytes: 0 }] };
    const read = parseFeed(toRss({ kind: 'site' }, feed, site));
    for (const description of [read.description, read.items[0]?.description]) {
      const { children } = unified()
        .use(rehypeParse, { fragment: true })
        .parse(description ?? '');
      expect(children).toMatchObject([{ type: 'text', value: summary }]);
    }
  },
);
