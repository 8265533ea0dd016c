import { pickFields } from '../contract/authored-fields.ts';
import type { Article } from '../contract/entities.ts';
import type { FeedItem } from '../contract/discovery-calls.ts';
import { openingPicture } from '../contract/pictures.ts';
import type { ArticleCard, ArticlePage, FeedArticle } from './blog.ts';

/** An article as the wire has it, in lists with its opening; not every server tells when it was changed. */
export type WireArticle = Omit<Article, 'content' | 'update_time' | 'type'> & {
  content?: string | undefined;
  update_time?: string | undefined;
};

/** What lists show of an article; `opening`, plain text, stands for a description that is missing. */
export function toCard(article: WireArticle, opening: string): ArticleCard {
  const { content: _, secret, ...shown } = pickFields({ ...article, content: '' });
  return {
    ...shown,
    id: article._id,
    author: article.create_user,
    createTime: article.create_time,
    updateTime: article.update_time ?? article.create_time,
    summary: article.description || opening,
    picture: article.cover || openingPicture(article.content ?? ''),
    isSecret: secret,
    isDraft: article.status === 'draft',
  };
}

/** An article of a feed as the wire has it. */
export const toFeedArticle = ({ summary, html, cover_bytes, ...article }: FeedItem): FeedArticle => ({
  ...toCard(article, summary),
  html,
  coverBytes: cover_bytes,
});

/** An article to read, rendered; its neighbours and its place in a series are not known. */
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
    isPublic: !card.isDraft && !card.isSecret,
    isTooComplex: false,
    seriesPlace: null,
    writer: null,
    related: [],
    previous: null,
    next: null,
  };
}
