/**
 * Limits of CONTRACT.md, "Rules for fields", in code points unless the name says otherwise; pairs are
 * [minimum, maximum].
 */
export const BOUNDS = {
  username: [2, 20],
  password: [8, 128],
  /** RFC 5321. */
  email: [1, 254],
  passkeyName: [1, 40],
  accessTokenName: [1, 40],
  title: [1, 120],
  content: [1, 200_000],
  tag: [1, 30],
  tags: [1, 10],
  /** Maximum names in the response of `alltags`. */
  tagNames: 2_000,
  comment: [1, 2_000],
  /** Code points; `displayNameGraphemes` bounds what readers see. */
  displayName: [0, 100],
  displayNameGraphemes: 30,
  profileLink: [0, 200],
  /** Maximum links on a profile, in addition to the website. */
  profileLinks: [0, 5],
  bio: [0, 500],
  description: [0, 300],
  /** Characters of its address. */
  cover: [0, 100],
  seriesTitle: [1, 60],
  seriesDescription: [0, 500],
  /** Maximum series per author; `seriesArticles` is the maximum of articles that a series shows. */
  series: 100,
  seriesArticles: 1_000,
  feedItems: 20,
  /** Maximum articles pinned to a profile; `related` is the maximum of related articles below an article. */
  pinned: 5,
  related: 4,
  /** Maximum articles pinned to the front page, and maximum most-read articles there. */
  picks: 5,
  archivePageSize: 50,
  relatedTags: 12,
  keywords: [0, 100],
  syncedPath: [1, 300],
  /** Size as sent; the stored file is smaller. */
  avatarBytes: 16 * 1024 * 1024,
  imageBytes: 16 * 1024 * 1024,
  pageSize: 100,
  tagPageSize: 999,
  /** Maximum comments, and bytes of the response, if no page is requested. */
  commentsListed: 500,
  commentsBytes: 1_000_000,
  ownPageSize: 999,
  trashDays: 30,
  /** Maximum scheduled publications of an author, and how many days ahead they may be. */
  schedules: 100,
  scheduleDays: 366,
  /** Maximum comments marked as read in one call, equal to the maximum fields of a form. */
  readAtOnce: 2_000,
} as const;

/** Articles, tags and search results per page (docs/pages.md). */
export const PAGE_SIZE = 10;

/** Comments shown under an article at first, and added by each step. */
export const COMMENTS_SHOWN = 20;

/** Orders of a thread; the first is the default. */
export const COMMENT_ORDERS = ['newest', 'oldest', 'conversation'] as const;
export type CommentOrder = (typeof COMMENT_ORDERS)[number];

/** Articles with more comments show the newest first instead of conversations. */
export const MAX_CONVERSATION_COMMENTS = 5_000;

/** Period after creation in which the author may edit a comment. */
export const COMMENT_EDIT_MS = 15 * 60_000;

/**
 * Page size of our clients for comments. A comment has at most 25 KB with its quote (2 × 2,000 characters of
 * up to 6 bytes as JSON) and 10 KB with its HTML, so 40 have at most 1.4 MB.
 */
export const COMMENT_PAGE_SIZE = 40;

/** Length of `text` in Unicode code points, so a limit never splits a character. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
