import type { Feed, FeedArticle, Site } from '../../lib/blog/blog.ts';
import { legalText } from '../../lib/shared/xml/legal-text.ts';
import { articleUrl, feedUrl, userUrl, type FeedSubject } from '../../lib/shared/urls.ts';
import { describeFeed } from './describe-feed.ts';

export function toJsonFeed(subject: FeedSubject, feed: Feed, site: Site): string {
  const { title, description, page } = describeFeed(subject, feed, site);
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    home_page_url: page,
    feed_url: site.origin + feedUrl(subject, 'json'),
    language: 'zh-CN',
    items: feed.items.map((item) => toItem(item, site)),
  };
  return JSON.stringify(document, (_, value: unknown) =>
    typeof value === 'string' ? legalText(value) : value,
  );
}

function toItem(item: FeedArticle, site: Site) {
  const address = site.origin + articleUrl(item.id);
  return {
    id: address,
    url: address,
    title: item.title,
    summary: item.summary,
    ...(item.html === '' ? { content_text: item.summary } : { content_html: item.html }),
    ...(item.cover ? { image: site.origin + item.cover } : {}),
    date_published: item.createTime,
    date_modified: item.updateTime,
    authors: [{ name: item.authorName, url: site.origin + userUrl(item.author) }],
    tags: item.tags,
    language: 'zh-CN',
  };
}
