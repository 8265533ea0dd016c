import { feedTags, pageTags } from '../../../shared/pages/page-tags.ts';
import { refuse, type RefusalCode } from '../../../contract/rules/errors.ts';
import type { FeedKind } from '../../../contract/calls/discovery-calls.ts';
import type { Services } from '../../services.ts';
import type { Handlers } from '../handler.ts';

const NOT_FOUND: Record<FeedKind, RefusalCode> = {
  site: 'FAULT',
  user: 'USER_NOT_FOUND',
  tag: 'TAG_NOT_FOUND',
  series: 'SERIES_NOT_FOUND',
};

const SITEMAP_TAGS = [pageTags.search, pageTags.tags];

/** Feeds, sitemaps and Markdown files for programs: public content, identical for every viewer. */
export const discoveryHandlers = ({ articles, feeds, formerPaths, sitemaps }: Services) =>
  ({
    feed: {
      shared: async ({ kind, name }) => (await feeds.find(kind, name)) ?? refuse(NOT_FOUND[kind]),
      tagsOf: ({ kind, name }, { title, items }) =>
        feedTags(
          { kind, name: kind === 'series' ? name : title },
          items.map(({ _id }) => _id),
        ),
    },
    sitemap: { shared: async () => ({ parts: await sitemaps.list() }), tagsOf: () => SITEMAP_TAGS },
    sitemapPart: {
      shared: async ({ kind, part }) => ({ entries: await sitemaps.entriesOf(kind, part) }),
      // There are infinitely many page numbers beyond the last part.
      tagsOf: (_, { entries }) => (entries.length > 0 ? SITEMAP_TAGS : null),
    },
    articleFile: {
      shared: async ({ id }) => (await articles.findPublic(id)) ?? refuse('ARTICLE_NOT_FOUND'),
      tagsOf: ({ id }) => [pageTags.article(id)],
    },
    formerPath: async ({ input }) => (await formerPaths.find(input.address)) ?? refuse('ARTICLE_NOT_FOUND'),
  }) satisfies Partial<Handlers>;
