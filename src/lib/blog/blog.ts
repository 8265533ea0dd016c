import type { Narrowing } from '../shared/urls.ts';
import type { ApiDocument } from '../contract/openapi/document.ts';
import type { Authored } from '../contract/rules/authored-fields.ts';
import type { CommentOrder } from '../contract/rules/bounds.ts';
import type { FeedKind, SitemapEntry, SitemapKind, SitemapPart } from '../contract/calls/discovery-calls.ts';
import type { ArchiveItem, Archive as ArchiveList } from '../contract/calls/navigation-calls.ts';
import type { FriendCircle } from '../contract/calls/friend-calls.ts';
import type { PublishedPage } from '../contract/calls/page-calls.ts';
import type { Article, Comment, Friend, Highlight, Series, Tag, User } from '../contract/entities.ts';
import type { Role } from '../contract/rules/permissions.ts';
import type { SiteFacts } from '../contract/site.ts';
import type { TocItem } from '../markdown/syntax/headings.ts';

export type { TocItem };

/**
 * Data of the blog for pages. `local.ts` reads it from the services of this process, `remote.ts` (edge
 * builds) from the API. Times are ISO 8601 UTC strings; page numbers count from 1 and are clamped to existing
 * pages.
 */
export interface Blog {
  listArticles(page: number): Promise<Paged<ArticleCard>>;
  searchArticles(keywords: string, page: number, narrowing: Narrowing): Promise<SearchResults>;
  /** The article as `viewer` sees it, or null if it does not exist or `viewer` may not see it. */
  readArticle(id: string): Promise<ArticlePage | null>;
  /** Published pages of the site in the order of their tree; none if a remote server has no pages. */
  listPages(): Promise<PublishedPage[]>;
  /** Friends in the order of their groups; null if a remote server has none. */
  listFriends(): Promise<Friend[] | null>;
  /** Newest articles of friends, or those before a cursor; null if a remote server has none. */
  readCircle(before?: string): Promise<FriendCircle | null>;
  listComments(articleId: string, page: number, order: CommentOrder): Promise<CommentPage>;
  /**
   * Page of a comment in newest-first order, and the `address` of its article; null if there is no such
   * comment, or if a remote server does not tell.
   */
  findCommentPlace(articleId: string, id: string): Promise<{ page: number; address: string } | null>;
  /**
   * The article that has or had a slug, in any spelling, and its present slug; null if `viewer` sees none, or
   * if a remote server has no slugs.
   */
  findBySlug(slug: string): Promise<{ id: string; slug: string } | null>;
  readWorthReading(): Promise<WorthReading>;
  /**
   * Months of the whole site, and the public articles of the given year or month, or of all time. Null if a
   * remote server has no archive.
   */
  readArchive(of: { year?: number; month?: number }, page: number): Promise<Archive | null>;
  /** Public articles of a user; null if there is no such user, or if a remote server has no archive. */
  readAuthorArchive(username: string, page: number): Promise<AuthorArchive | null>;
  /** Tags by number of public articles, most first. */
  listTags(page: number): Promise<Paged<Tag>>;
  /** A tag and its public articles, newest first; null if there is no such tag. */
  readTag(name: string, page: number): Promise<{ tag: Tag; articles: Paged<ArticleCard> } | null>;
  /** Null if there is no such user. */
  readProfile(username: string, page: number): Promise<Profile | null>;
  /**
   * A user's public articles and comments as one list, newest first; null if there is no such user, or if a
   * remote server does not tell.
   */
  readActivities(username: string, page: number): Promise<Activities | null>;
  /** A series and its articles that `viewer` may see, in its order; null if there is nothing to see. */
  readSeries(id: string): Promise<{ series: Series; articles: ArticleCard[] } | null>;
  /** Newest articles of the site, or of a user, tag or series (by id); null if there is no such subject. */
  readFeed(kind: FeedKind, name: string): Promise<Feed | null>;
  /** Sitemap files; empty if a remote server has no sitemap. */
  listSitemaps(): Promise<SitemapPart[]>;
  readSitemap(kind: SitemapKind, part: number): Promise<SitemapEntry[]>;
  /**
   * A public article in markdown; null if there is no such article or it is not public, even for its author.
   */
  readSource(id: string): Promise<Article | null>;
  /**
   * The public article that had `address` on the old site; `address` may be percent-encoded. Null if no such
   * article exists, if it is not public (even for its author), or if a remote server does not tell.
   */
  findFormerPath(address: string): Promise<{ id: string; address?: string | undefined } | null>;
  /** The viewer's role; null for a visitor. */
  readRole(): Promise<Role | null>;
  /** The newest public articles (at most 100). */
  listNewest(): Promise<ArticleCard[]>;
  describeApi(): ApiDocument;
}

/** Newest articles of a subject; `title` and `description` are empty for the site. */
export interface Feed {
  title: string;
  /** Display name of the user; absent without one. */
  author_name?: string | undefined;
  description: string;
  items: FeedArticle[];
}

export interface FeedArticle extends ArticleCard {
  /** The whole text as safe HTML with absolute addresses; may be empty. */
  html: string;
  /** Bytes of the cover's file; 0 if unknown. */
  coverBytes: number;
}

/** Articles pinned by the operator, and those most read in the month that began at `month`. */
export interface WorthReading {
  pinned: ArticleCard[];
  mostRead: ArticleCard[];
  month: string | null;
}

/** Months with public articles, newest first; `articles` are from the requested period. */
export interface Archive extends Pick<ArchiveList, 'months'> {
  articles: Paged<ArchiveItem>;
}

interface AuthorArchive {
  user: User;
  articles: Paged<ArchiveItem>;
}

interface Profile {
  user: User;
  articles: Paged<ArticleCard>;
  /** Pinned articles; `articles` may contain them too. Only on the first page, as is `series`. */
  pinned: ArticleCard[];
  series: Series[];
}

/** A public article, or a comment under one. */
export type ActivityItem = { type: 'page'; article: ArticleCard } | { type: 'comment'; comment: Comment };

interface Activities {
  user: User;
  /** Number of public articles. */
  articleCount: number;
  activities: Paged<ActivityItem>;
}

/** Position of an article among the public ones of its series, from 1; `number` is 0 if it is not public. */
export interface SeriesPlace {
  id: string;
  title: string;
  number: number;
  articles: ArticleTitle[];
}

/** Title of an article, and what `articleUrl` needs of it. */
export interface ArticleTitle {
  id: string;
  title: string;
  address?: string | undefined;
}

/** One page of a list. `page` is the number after clamping; `pageCount` is at least 1. */
export interface Paged<T> {
  items: T[];
  total: number;
  page: number;
  pageCount: number;
}

export interface SearchResults extends Paged<ArticleCard> {
  /** Number of results that contain every word exactly; null if a remote server does not tell. */
  exact: number | null;
  authors: readonly string[];
  /** Authors of the answer who have a display name. */
  authorNames?: readonly { username: string; display_name: string }[] | undefined;
  tags: readonly string[];
  /** Author and tag whose name equals the keywords. */
  named: { author?: string | undefined; tag?: string | undefined };
  similar: readonly string[];
}

/** An article in a list. `summary` is plain text; `highlight` is safe HTML, in search results only. */
export interface ArticleCard extends Omit<Authored, 'content' | 'secret'> {
  id: string;
  address?: string | undefined;
  /** Username of the author. */
  author: string;
  /** Name to show: the author's display name, or else the username. */
  authorName: string;
  createTime: string;
  updateTime: string;
  summary: string;
  /** Address of its cover, or of an uploaded picture in its opening; may be ''. */
  picture: string;
  isSecret: boolean;
  isDraft: boolean;
  highlight?: Highlight;
}

/** A comment under an article. `authorAvatar` is a file name, '' without an avatar, absent if unknown. */
interface PageComment extends Comment {
  authorAvatar?: string;
}

/** A page of comments in `order`; remote servers without that feature always return the newest first. */
export interface CommentPage extends Paged<PageComment> {
  order: CommentOrder;
}

/** A rendered article: `html` is sanitised; `isPublic` is false for drafts and secret articles. */
export interface ArticlePage extends Omit<ArticleCard, 'highlight' | 'picture'> {
  /** File name of the author's avatar, '' without an avatar, absent if unknown. */
  authorAvatar?: string;
  html: string;
  toc: TocItem[];
  /** Word count (shared/word-count.ts); 0 if unknown. */
  words: number;
  isPublic: boolean;
  /** Whether it is a page of the site, which is in no list. */
  isPage: boolean;
  /** State of an article that only its author and staff see. */
  moderation?: 'held' | 'hidden' | undefined;
  /** For staff who read an article that is not public: its state and listed words. */
  inspected?: { note: string; words: string[] } | undefined;
  /** Whether the article, usually a draft, exceeds the renderer's limits; `html` is then empty. */
  isTooComplex: boolean;
  seriesPlace: SeriesPlace | null;
  /** Null if unknown; `thanks` is the URL of the author's picture for thanks, or ''. */
  writer: { bio: string; thanks: string } | null;
  related: ArticleCard[];
  previous: ArticleTitle | null;
  next: ArticleTitle | null;
}

export interface Site extends SiteFacts {
  timeZone: string;
  /** Public origin from SITE_URL, without a trailing slash; empty if unknown. */
  origin: string;
  /** Origin of the live socket, if it is not the page's own. */
  liveOrigin?: string;
  /**
   * Optional calls (contract/calls/calls.ts) that the server behind the pages does not support,
   * separated by spaces.
   */
  missingCalls?: string;
  /** INDEXNOW_KEY of an edge front, in place of `indexnow_key`. */
  indexNowKey?: string | undefined;
  /** Hosts whose pictures the editor imports when pasted, from PICTURE_HOSTS; `*` means all. */
  pictureHosts?: readonly string[];
}
