import type { Feed, Site } from '../../lib/blog/blog.ts';
import { feedTags } from '../../lib/blog/page-tags.ts';
import { noSuchDocument } from '../documents.ts';
import type { FeedFormat, FeedSubject } from '../urls.ts';
import { toAtom } from './atom.ts';
import { toJsonFeed } from './json-feed.ts';
import { toRss } from './rss.ts';

/** A page of its own (src/pages/feed.css.ts). */
const STYLE = '/feed.css';

/**
 * By the types of their own, RSS and Atom are text to Chromium and a download to Firefox; as XML both show
 * them by the sheet. Readers of feeds go by the root element.
 */
const XML = 'application/xml';

const formats: Record<
  FeedFormat,
  { type: string; write(subject: FeedSubject, feed: Feed, site: Site): string }
> = {
  rss: { type: XML, write: (...parts) => toRss(...parts, STYLE) },
  atom: { type: XML, write: (...parts) => toAtom(...parts, STYLE) },
  json: { type: 'application/feed+json', write: toJsonFeed },
};

/** What a browser may show a feed with: its sheet, and no more. */
const POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

/** Answers with the feed of `subject`, 404 where there is none such. */
export async function answerFeed(
  { blog, site, keep }: Pick<App.Locals, 'blog' | 'site' | 'keep'>,
  subject: FeedSubject,
  format: FeedFormat,
): Promise<Response> {
  const feed = await blog.readFeed(subject.kind, subject.kind === 'site' ? '' : subject.name);
  if (!feed) return noSuchDocument();
  const named =
    subject.kind === 'user' || subject.kind === 'tag' ? { ...subject, name: feed.title } : subject;
  keep(
    feedTags(
      { name: '', ...named },
      feed.items.map(({ id }) => id),
    ),
  );
  const { type, write } = formats[format];
  const updated = feed.items
    .map(({ updateTime }) => updateTime)
    .toSorted()
    .at(-1);
  return new Response(write(named, feed, site), {
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': POLICY,
      ...(updated === undefined ? {} : { 'Last-Modified': new Date(updated).toUTCString() }),
    },
  });
}
