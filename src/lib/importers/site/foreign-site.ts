/**
 * A site of another product, in the form in which its reader passes it to the import. Readers know their
 * format and nothing of storage; `import-site.ts` knows storage and no format. Keys are the source's ids as
 * text, unique per kind; `author`, `creator`, `article` and `replyTo` are such keys.
 */
export interface ForeignSite {
  readonly product: string;
  /** Identifies the source: equal for two runs over the same site, so nothing is imported twice. */
  readonly identity: string;
  /** Origins that served the site, `https://old.example`: links and pictures there belong to it. */
  readonly origins: readonly string[];
  /**
   * Whether its pages have the same paths as ours. If so, links to pages other than articles keep their path.
   */
  readonly hasOurPaths?: boolean;
  /** Each stream may be read several times, and yields the same items in the same order. */
  users(): Items<ForeignUser>;
  tags(): Items<ForeignTag>;
  series(): Items<ForeignSeries>;
  articles(): Items<ForeignArticle>;
  comments(): Items<ForeignComment>;
  /** Entries of its menus, in order, the header's first. */
  navigation?(): readonly ForeignEntry[];
  friends?(): readonly ForeignFriend[];
  /**
   * Returns the bytes of a picture; null if the source does not contain it.
   * @param address as in an article, an avatar or a cover
   */
  picture(address: string): Promise<Uint8Array | null>;
  /** Data that is not imported; complete once all of the above was read. */
  losses(): readonly Loss[];
  close(): Promise<void>;
}

/** Options of the command that a reader gets. */
export interface SourceOptions {
  /** Origins that served the site, in addition to those that the source names. */
  origins: readonly string[];
  uploads: string | undefined;
  /** Whether pages are imported. */
  pages: boolean;
  /** Whether hidden parts are left out, so that their articles can be public (`hideParts`). */
  omitsHidden?: boolean | undefined;
  /** Prefix of the tables, for sources with several sites. */
  prefix?: string | undefined;
}

export type Items<T> = Iterable<T> | AsyncIterable<T>;

export interface Loss {
  /** Name or location, in Chinese or in the source's own words: `文章《…》`, `插件数据`. */
  what: string;
  /** The reason, or the replacement: a Chinese sentence without a full stop. */
  why: string;
  count?: number;
}

export interface ForeignUser {
  key: string;
  /** 24 hex digits; the import keeps the id. */
  id?: string | undefined;
  username: string;
  /** In the stored form: argon2id as PHC string, or `sha1$<hex>`. Without it, the user cannot sign in. */
  passwordHash?: string | undefined;
  email?: string | undefined;
  gender?: 'm' | 'f' | 'x' | undefined;
  bio?: string | undefined;
  avatar?: string | undefined;
  /** Milliseconds since the epoch, like all times here. */
  created?: number | undefined;
  /** Whether the user has only commented: the account is created with the first imported comment. */
  isGuest?: boolean | undefined;
}

export interface ForeignTag {
  name: string;
  description: string;
  id?: string | undefined;
  creator?: string | undefined;
  created?: number | undefined;
  updated?: number | undefined;
}

interface ForeignSeries {
  key: string;
  author: string;
  title: string;
  description: string;
  cover?: string | undefined;
}

export interface ForeignArticle {
  key: string;
  id?: string | undefined;
  author: string;
  title: string;
  /** Markdown; readers convert HTML with `lib/markdown/from-html`. */
  content: string;
  tags: string[];
  status: 'normal' | 'draft';
  /** Whether only the author may read it: private, protected by a password, or deleted but kept. */
  isSecret: boolean;
  type?: string | undefined;
  created?: number | undefined;
  updated?: number | undefined;
  description?: string | undefined;
  cover?: string | undefined;
  series?: { key: string; no: number } | undefined;
  areCommentsClosed?: boolean | undefined;
  isPinned?: boolean | undefined;
  /** Set for a page of the site, such as 关于; `parent` is the key of the page above. */
  page?: ForeignPlace | undefined;
  /** Last segment of its address; by default the last segment of the first path with words. */
  slug?: string | undefined;
  /** Paths from the site's root, with a leading slash, which redirect to the article. */
  formerPaths: string[];
  warnings: string[];
}

/** Place of a page; pages with equal `order` keep the order of the source. */
interface ForeignPlace {
  parent?: string | undefined;
  order?: number | undefined;
}

/** An entry of a menu: a key of an article or page, or an address, absolute or from the site's root. */
export interface ForeignEntry {
  text: string;
  place?: 'header' | 'footer' | undefined;
  target: { article: string } | { tag: string } | { address: string };
}

/** A link to another site (友链). */
export interface ForeignFriend {
  name: string;
  address: string;
  description?: string | undefined;
  logo?: string | undefined;
  group?: string | undefined;
  feed?: string | undefined;
}

export interface ForeignComment {
  key: string;
  id?: string | undefined;
  article: string;
  author: string;
  content: string;
  created: number;
  replyTo?: string | undefined;
  /** Key of the quoted user and text of the quoted comment, for sources that have no `replyTo`. */
  quoted?: { author: string; content: string } | undefined;
  /** Whether its addressees have read it; defaults to true, to avoid years of unread marks. */
  isRead?: boolean | undefined;
  /** Whether it was still pending on the old site. */
  isHeld?: boolean | undefined;
}
