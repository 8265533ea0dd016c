import { pageTags } from '../../blog/page-tags.ts';
import { refuse, type RefusalCode } from '../../contract/errors.ts';
import type { FeedKind } from '../../contract/discovery-calls.ts';
import type { Services } from '../services.ts';
import type { Handlers } from './handler.ts';

const NOT_FOUND: Record<FeedKind, RefusalCode> = {
  site: 'FAULT',
  user: 'USER_NOT_FOUND',
  tag: 'TAG_NOT_FOUND',
  series: 'SERIES_NOT_FOUND',
};

/** For feed readers, search engines and other programs: what everybody may see, whoever asks. */
export const discoveryHandlers = ({ articles, feeds, formerPaths, sitemaps }: Services) =>
  ({
    feed: async ({ input: { kind, name } }) => (await feeds.find(kind, name)) ?? refuse(NOT_FOUND[kind]),
    sitemap: { answer: async () => ({ parts: await sitemaps.list() }), tagsOf: () => [pageTags.search] },
    sitemapPart: async ({ input: { kind, part } }) => ({ entries: await sitemaps.entriesOf(kind, part) }),
    articleFile: async ({ input }) => (await articles.findPublic(input.id)) ?? refuse('ARTICLE_NOT_FOUND'),
    formerPath: async ({ input }) => ({
      id: (await formerPaths.find(input.address)) ?? refuse('ARTICLE_NOT_FOUND'),
    }),
  }) satisfies Partial<Handlers>;
