/** Bounds of CONTRACT.md, "Rules for fields", in code points unless the name says otherwise. */
export const BOUNDS = {
  username: [2, 20],
  password: [8, 128],
  /** RFC 5321. */
  email: [1, 254],
  passkeyName: [1, 40],
  title: [1, 120],
  content: [1, 200_000],
  tag: [1, 30],
  tags: [1, 10],
  /** Names that `alltags` answers with. */
  tagNames: 2_000,
  comment: [1, 2_000],
  bio: [0, 500],
  description: [0, 300],
  /** Of its address. */
  cover: [0, 100],
  seriesTitle: [1, 60],
  seriesDescription: [0, 500],
  /** Series of an author, and articles that a series shows. */
  series: 100,
  seriesArticles: 1_000,
  /** Articles in a feed. */
  feedItems: 20,
  /** Articles that stand first on their author's profile. */
  pinned: 5,
  /** Articles that are named below another one as related to it. */
  related: 4,
  /** Articles that the operator pins to the front page, and those named there as read most. */
  picks: 5,
  /** Articles of an archive's page. */
  archivePageSize: 50,
  /** Tags that are named beside another one as occurring with it. */
  relatedTags: 12,
  keywords: [0, 100],
  /** As sent; what is stored is smaller. */
  avatarBytes: 16 * 1024 * 1024,
  imageBytes: 16 * 1024 * 1024,
  pageSize: 100,
  tagPageSize: 999,
  /** What a list of comments answers where no page is asked for: so many, in an answer of so many bytes. */
  commentsListed: 500,
  commentsBytes: 1_000_000,
  ownPageSize: 999,
  /** Days a deleted article can be restored. */
  trashDays: 30,
  /** Publications an author may have waiting, and days ahead they may be. */
  schedules: 100,
  scheduleDays: 366,
  /** Comments marked as read at once: as many as a form has fields. */
  readAtOnce: 2_000,
} as const;

/** Articles, tags and search results a page shows, DESIGN.md §4. */
export const PAGE_SIZE = 10;

/** Comments under an article that a page shows, and how many more each step adds. */
export const COMMENTS_SHOWN = 20;

/** In which order a thread is read; the first is what is shown where none is asked for. */
export const COMMENT_ORDERS = ['newest', 'oldest'] as const;
export type CommentOrder = (typeof COMMENT_ORDERS)[number];

/** How long after it was written a comment may be changed by its writer. */
export const COMMENT_EDIT_MS = 15 * 60_000;

/**
 * Comments our clients ask for at once: each is 25 KB at most with its quote (2 × 2,000 characters of up to 6
 * bytes as JSON) and 10 KB with its HTML, so 40 are 1.4 MB at most.
 */
export const COMMENTS_A_PAGE = 40;

/** Length of `text` in Unicode code points, so that a bound never falls inside a character. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
