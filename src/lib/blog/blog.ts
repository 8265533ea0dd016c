import type { Narrowing } from '../../components/urls.ts';
import type { Authored } from '../contract/authored-fields.ts';
import type { CommentOrder } from '../contract/bounds.ts';
import type { FeedKind, SitemapEntry, SitemapKind, SitemapPart } from '../contract/discovery-calls.ts';
import type { Article, Comment, Highlight, Series, Tag, User } from '../contract/entities.ts';
import type { Role } from '../contract/permissions.ts';
import type { SiteFacts } from '../contract/site.ts';
import type { TocItem } from '../markdown/headings.ts';

export type { TocItem };

/**
 * What pages ask of the blog. `local.ts` answers from the services in the same process, `remote.ts` (edge
 * builds) through the contract client. Times are ISO 8601 UTC strings; pages count from 1 and are clamped to
 * those that exist.
 */
export interface Blog {
  /** Newest public articles. */
  listArticles(page: number): Promise<Paged<ArticleCard>>;
  /** Public articles that a search for `keywords` finds, those that are exactly it and looser ones. */
  searchArticles(keywords: string, page: number, narrowing: Narrowing): Promise<SearchResults>;
  /** The article as a reader sees it, or null where `viewer` may not see it or there is none. */
  readArticle(id: string): Promise<ArticlePage | null>;
  /** Comments of an article the viewer may see. */
  listComments(articleId: string, page: number, order: CommentOrder): Promise<CommentPage>;
  /**
   * The page of those, newest first, that a comment is on; null where there is none such, or a server cannot
   * say.
   */
  findCommentPage(articleId: string, id: string): Promise<number | null>;
  /** What is worth reading on the front page. */
  readWorthReading(): Promise<WorthReading>;
  /** The site's months, and, with a year, its public articles; null where a server cannot say. */
  readArchive(of: { year?: number; month?: number }, page: number): Promise<Archive | null>;
  /** All public articles of a user; null when there is no such user, or a server cannot say. */
  readAuthorArchive(username: string, page: number): Promise<AuthorArchive | null>;
  /** Tags by number of public articles, most first. */
  listTags(page: number): Promise<Paged<Tag>>;
  /** A tag and its public articles, newest first; null when there is no such tag. */
  readTag(name: string, page: number): Promise<{ tag: Tag; articles: Paged<ArticleCard> } | null>;
  /** A profile, null when there is no such user. */
  readProfile(username: string, page: number): Promise<Profile | null>;
  /** A series and what `viewer` may see of it, in its order; null where there is nothing to see. */
  readSeries(id: string): Promise<{ series: Series; articles: ArticleCard[] } | null>;
  /** What is newest of the site, or of the user, tag or series (by id) `name`; null where there is none. */
  readFeed(kind: FeedKind, name: string): Promise<Feed | null>;
  /** The files of the sitemap; none where a server has no sitemap. */
  listSitemaps(): Promise<SitemapPart[]>;
  /** What a file of the sitemap names. */
  readSitemap(kind: SitemapKind, part: number): Promise<SitemapEntry[]>;
  /** A public article as its author wrote it, null where there is none, whoever asks. */
  readSource(id: string): Promise<Article | null>;
  /**
   * The public article that stood at an address, percent-encoded or not, on its old site; null where there is
   * none, whoever asks, or a server cannot say.
   */
  findFormerPath(address: string): Promise<string | null>;
  /** What the viewer may do besides writing; null for a visitor. */
  readRole(): Promise<Role | null>;
  /** The newest public articles, as many as a server gives at once: at most 100. */
  listNewest(): Promise<ArticleCard[]>;
}

/** What is newest of something; `title` and `description` are empty for the site. */
export interface Feed {
  title: string;
  description: string;
  items: FeedArticle[];
}

/** A public article in a feed. */
export interface FeedArticle extends ArticleCard {
  /** The whole text, safe and with absolute addresses; empty where it is left out. */
  html: string;
  /** Bytes of the cover's file, 0 where that is not known. */
  coverBytes: number;
}

/** What is worth reading: pinned by the operator, and read most in the month that began at `month`. */
export interface WorthReading {
  pinned: ArticleCard[];
  mostRead: ArticleCard[];
  month: string | null;
}

/** An article in an archive. */
export interface ArchiveEntry {
  id: string;
  title: string;
  author: string;
  createTime: string;
}

/** The months that have public articles, newest first, and those of the year or month that was asked for. */
export interface Archive {
  months: { year: number; month: number; count: number }[];
  articles: Paged<ArchiveEntry>;
}

/** A user, and the titles of their public articles, newest first. */
export interface AuthorArchive {
  user: User;
  articles: Paged<ArchiveEntry>;
}

/** A user, and what everybody may read of them. */
export interface Profile {
  user: User;
  /** Newest first. */
  articles: Paged<ArticleCard>;
  /** On the first page: articles that the user has put first, which may be among `articles` too. */
  pinned: ArticleCard[];
  /** On the first page. */
  series: Series[];
}

/** An article's place among the public ones of its series, from 1; `number` is 0 where it is not public. */
export interface SeriesPlace {
  id: string;
  title: string;
  number: number;
  articles: { id: string; title: string }[];
}

/** One page of a list. `page` is the page answered, after clamping; `pageCount` is at least 1. */
export interface Paged<T> {
  items: T[];
  total: number;
  page: number;
  pageCount: number;
}

/** Hits of a search, and what is known of all of them. */
export interface SearchResults extends Paged<ArticleCard> {
  /** Hits that hold every word as it was written; null where a server does not say. */
  exact: number | null;
  /** Authors and tags that the result can be narrowed to. */
  authors: readonly string[];
  tags: readonly string[];
  /** The author, and the tag, of whose name the keywords are. */
  named: { author?: string | undefined; tag?: string | undefined };
  /** Where nothing was found: what could have been meant. */
  similar: readonly string[];
}

/** An article in a list: `summary` is plain; `highlight` is safe HTML, in search results only. */
export interface ArticleCard extends Omit<Authored, 'content' | 'secret'> {
  id: string;
  author: string;
  createTime: string;
  updateTime: string;
  summary: string;
  /** Address of its cover, or of an uploaded picture that its opening shows; '' for none. */
  picture: string;
  isSecret: boolean;
  isDraft: boolean;
  highlight?: Highlight;
}

/** A comment under an article. `authorAvatar` is a file name, '' for none, absent when unknown. */
export interface PageComment extends Comment {
  authorAvatar?: string;
}

/** A page of comments in `order`, which is the newest first where a server knows no other. */
export interface CommentPage extends Paged<PageComment> {
  order: CommentOrder;
}

/** An article to read: `html` is sanitised; `isPublic` is false for its author's drafts and secret ones. */
export interface ArticlePage extends Omit<ArticleCard, 'highlight' | 'picture'> {
  /** File name of the author's avatar, empty when there is none, left out where it is not known. */
  authorAvatar?: string;
  html: string;
  toc: TocItem[];
  /** How long it is, as 字数 counts (markdown/word-count.ts); 0 where that is not known. */
  words: number;
  isPublic: boolean;
  /** There is no `html`: the article, a draft mostly, cannot be laid out. */
  isTooComplex: boolean;
  /** Null where it is in no series. */
  seriesPlace: SeriesPlace | null;
  /** What its author says of themselves; null where a server does not know. */
  writer: { bio: string } | null;
  /** Public articles that are related to it, best first. */
  related: ArticleCard[];
  /** Public neighbours in time, for a reader who wants to go on. */
  previous: { id: string; title: string } | null;
  next: { id: string; title: string } | null;
}

/** Facts about the site that pages print. */
export interface Site extends SiteFacts {
  /** IANA name of the zone that dates are shown in. */
  timeZone: string;
  /** Public origin without a trailing slash, from SITE_URL; empty where it is not known. */
  origin: string;
  /** Origin of the live socket, where it is not the page's own. */
  liveOrigin?: string;
  /** Extra calls (client/offered.ts) that the server behind the pages does not know, with spaces between. */
  missingCalls?: string;
  /** Shown to search engines at `/{key}.txt`, so that they believe what they are told of the site. */
  indexNowKey?: string | undefined;
  /** Hosts whose pictures the editor brings in when they are pasted, from PICTURE_HOSTS; `*` is all. */
  pictureHosts?: readonly string[];
}
