import type { Feed, FeedArticle, Site } from '../../lib/blog/blog.ts';
import { legalText } from '../../lib/shared/xml/legal-text.ts';
import { articleUrl, feedUrl, userUrl, type FeedFormat, type FeedSubject } from '../../lib/shared/urls.ts';
import { feedTags } from '../../lib/shared/pages/page-tags.ts';
import { movedTo, noSuchDocument } from '../documents/documents.ts';
import { isSameName } from '../../lib/contract/rules/names.ts';
import { describeFeed, entryId } from './describe-feed.ts';
import { toAtom } from './atom.ts';
import { toRss } from './rss.ts';

function toJsonFeed(subject: FeedSubject, feed: Feed, site: Site): string {
  const { title, description, page, icons } = describeFeed(subject, feed, site);
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    home_page_url: page,
    feed_url: site.origin + feedUrl(subject, 'json'),
    ...(icons ? { icon: icons.large, favicon: icons.icon } : {}),
    language: 'zh-CN',
    items: feed.items.map((item) => toItem(item, site)),
  };
  return JSON.stringify(document, (_, value: unknown) =>
    typeof value === 'string' ? legalText(value) : value,
  );
}

function toItem(item: FeedArticle, site: Site) {
  const address = site.origin + articleUrl(item.id, item.address);
  return {
    id: entryId(item, site),
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

/**
 * With their specific media types, Chromium shows RSS and Atom as text and Firefox downloads them. With this
 * one both apply the style sheet. Feed readers look at the root element.
 */
const XML = 'application/xml';

const formats: Record<
  FeedFormat,
  { type: string; write(subject: FeedSubject, feed: Feed, site: Site): string }
> = {
  rss: { type: XML, write: toRss },
  atom: { type: XML, write: toAtom },
  json: { type: 'application/feed+json', write: toJsonFeed },
};

/** Only allows the feed's own style sheet. */
export const POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

/** Responds with the feed of `subject`, or with 404 if it does not exist. */
export async function answerFeed(
  { blog, site, setCacheTags }: Pick<App.Locals, 'blog' | 'site' | 'setCacheTags'>,
  subject: FeedSubject,
  format: FeedFormat,
): Promise<Response> {
  const found = await blog.readFeed(subject.kind, subject.kind === 'site' ? '' : subject.name);
  if (!found) return noSuchDocument();
  if (subject.kind === 'user' && !isSameName(subject.name, found.title))
    return movedTo(feedUrl({ kind: 'user', name: found.title }, format));
  const named =
    subject.kind === 'user' || subject.kind === 'tag' ? { ...subject, name: found.title } : subject;
  const feed = { ...found, title: found.author_name ?? found.title };
  setCacheTags(
    feedTags(
      { name: '', ...named },
      feed.items.map(({ id }) => id),
    ),
  );
  const { type, write } = formats[format];
  const { updated } = describeFeed(named, feed, site);
  return new Response(write(named, feed, site), {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': POLICY,
      ...(updated === null ? {} : { 'Last-Modified': new Date(updated).toUTCString() }),
    },
  });
}
