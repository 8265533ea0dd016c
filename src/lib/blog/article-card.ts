import { pickFields } from '../contract/rules/authored-fields.ts';
import type { Article } from '../contract/entities.ts';
import type { FeedItem } from '../contract/calls/discovery-calls.ts';
import { pageUrl } from '../shared/urls.ts';
import { openingPicture } from '../contract/rules/pictures.ts';
import type { ArticleCard, ArticlePage, FeedArticle } from './blog.ts';

/** Article as in API responses; lists include its opening. Some servers omit `update_time`. */
export type WireArticle = Omit<Article, 'content' | 'update_time' | 'type'> & {
  content?: string | undefined;
  update_time?: string | undefined;
};

/**
 * Returns the card of an article in lists. `opening`, in plain text, is used if the description is missing.
 */
export function toCard(article: WireArticle, opening: string): ArticleCard {
  const { content: _, secret, ...shown } = pickFields({ ...article, content: '' });
  return {
    ...shown,
    id: article._id,
    ...(article.page === undefined
      ? { address: article.address }
      : { address: pageUrl(article.page), tags: [] }),
    author: article.create_user,
    authorName: article.author_name ?? article.create_user,
    createTime: article.create_time,
    updateTime: article.update_time ?? article.create_time,
    summary: article.description || opening,
    picture: article.cover || openingPicture(article.content ?? ''),
    isSecret: secret,
    isDraft: article.status === 'draft',
  };
}

export const toFeedArticle = ({ summary, html, cover_bytes, ...article }: FeedItem): FeedArticle => ({
  ...toCard(article, summary),
  html,
  coverBytes: cover_bytes,
});

/** Returns the page of a rendered article, without neighbours, related articles and series. */
export function toPage(
  article: WireArticle,
  { html, toc, summary, words }: Pick<ArticlePage, 'html' | 'toc' | 'summary' | 'words'>,
): ArticlePage {
  const card = toCard(article, summary);
  return {
    ...card,
    html,
    toc,
    words,
    isPublic: !card.isDraft && !card.isSecret && article.moderation === undefined,
    ...(article.moderation ? { moderation: article.moderation } : {}),
    isPage: article.is_page === true,
    isTooComplex: false,
    seriesPlace: null,
    writer: null,
    related: [],
    previous: null,
    next: null,
  };
}
