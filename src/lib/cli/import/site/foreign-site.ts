/**
 * A site that another product made, as the reader of that product's files gives it: what is brought in, and
 * in which form. A reader knows its format and nothing of storage; `import-site.ts` knows storage and no
 * format. Keys are the source's own ids as text, unique among things of a kind.
 */
export interface ForeignSite {
  /** What the report calls the product, such as `WordPress`. */
  readonly product: string;
  /** Names the source among imports: two runs over the same site have the same, so that twice is once. */
  readonly identity: string;
  /** Origins the site was served from, `https://old.example`: links and pictures there are its own. */
  readonly origins: readonly string[];
  /** Its pages stand at the paths of ours: links to those that are no articles lead to ours. */
  readonly hasOurPaths?: boolean;
  /** Each may be asked for more than once, and yields the same in the same order. */
  users(): AsyncIterable<ForeignUser>;
  tags(): AsyncIterable<ForeignTag>;
  series(): AsyncIterable<ForeignSeries>;
  articles(): AsyncIterable<ForeignArticle>;
  comments(): AsyncIterable<ForeignComment>;
  /**
   * @param address of a picture as an article, an avatar or a cover names it
   * @returns its bytes; null where the source does not hold it
   */
  picture(address: string): Promise<Uint8Array | null>;
  /** What is not brought in, told once all of the above has been read. */
  losses(): readonly Loss[];
  close(): Promise<void>;
}

/** Something that is left behind. */
export interface Loss {
  /** What it is or where it stands, in Chinese or in the source's own words: `文章《…》`, `插件数据`. */
  what: string;
  /** Why, or what it became, a Chinese sentence without a full stop. */
  why: string;
  /** How many of them, where they are told in one line. */
  count?: number;
}

export interface ForeignUser {
  key: string;
  /** 24 hex digits that stay. */
  id?: string;
  username: string;
  /** In the form that is stored: argon2id in PHC form or `sha1$<hex>`. Without one nobody can sign in. */
  passwordHash?: string;
  email?: string;
  gender?: 'm' | 'f' | 'x';
  bio?: string;
  /** Address of a picture that `picture` knows. */
  avatar?: string;
  /** Milliseconds since the epoch, as all instants here. */
  created?: number;
  /** Somebody who only commented: their account is made when a comment of theirs is brought in. */
  isGuest?: boolean;
}

export interface ForeignTag {
  name: string;
  description: string;
  id?: string;
  /** Key of a user. */
  creator?: string;
  created?: number;
  updated?: number;
}

export interface ForeignSeries {
  key: string;
  author: string;
  title: string;
  description: string;
  cover?: string;
}

export interface ForeignArticle {
  key: string;
  id?: string;
  /** Key of a user. */
  author: string;
  title: string;
  /** Markdown; whoever has HTML turns it into markdown (`lib/markdown/from-html`). */
  content: string;
  tags: string[];
  status: 'normal' | 'draft';
  /** Its author alone reads it: private, behind a password, deleted but kept. */
  isSecret: boolean;
  /** What clients of the predecessor call its kind. */
  type?: string;
  created?: number;
  updated?: number;
  description?: string;
  cover?: string;
  series?: { key: string; no: number };
  areCommentsClosed?: boolean;
  isPinned?: boolean;
  /** Paths where readers found it, from the site's root, with the slash at the start: they redirect. */
  formerPaths: string[];
  /** What of this article is lost, Chinese sentences. */
  warnings: string[];
}

export interface ForeignComment {
  key: string;
  id?: string;
  /** Key of an article. */
  article: string;
  /** Key of a user. */
  author: string;
  /** Markdown as comments take it. */
  content: string;
  created: number;
  /** The comment that it answers, by its key. */
  replyTo?: string;
  /** Where the source has only this: whose comment it answers, by the user's key, and what that said. */
  quoted?: { author: string; content: string };
  /** Whether its addressees have read it; left out, they have: nobody wants years of red dots. */
  isRead?: boolean;
  /** Not shown on the old site yet. */
  isHeld?: boolean;
}
