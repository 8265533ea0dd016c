/**
 * What a page is made from. A kept page names these, a write those it changed, and pages that share one are
 * dropped. They travel in a `Cache-Tag` header, so names are percent-encoded.
 */
export const pageTags = {
  /** Every page. */
  site: 'site',
  /** Which public articles there are, and their order. */
  lists: 'lists',
  /** What a search may find. */
  search: 'search',
  /** Which tags there are, and how many articles each has. */
  tags: 'tags',
  /** What the front page names as worth reading. */
  picks: 'picks',
  /** Everything an article's own page says of it, its neighbours and what is related to it included. */
  article: (id: string) => `article:${id}`,
  /** What lists show of an article: title, tags, summary. */
  card: (id: string) => `card:${id}`,
  comments: (articleId: string) => `comments:${articleId}`,
  /** A tag: its description, and which articles are under it. */
  tag: (name: string) => `tag:${encodeURIComponent(name)}`,
  /** A series: what its author says of it, and the public articles in it. */
  series: (id: string) => `series:${id}`,
  /** Which public articles a user has written, which of them stand first, and the user's series. */
  author: (userId: string) => `author:${userId}`,
  /** What a user says of themselves. */
  profile: (username: string) => `profile:${encodeURIComponent(username)}`,
  /** A user's picture, wherever it is shown. */
  avatar: (username: string) => `avatar:${encodeURIComponent(username)}`,
};

/** The tags of a page that lists `articles`. */
export const cardTags = ({ items }: { items: readonly { id: string }[] }): string[] =>
  items.map(({ id }) => pageTags.card(id));

/**
 * Page tags of a feed's subject and articles.
 * @param subject `name`: a username, a tag's name or a series' id
 */
export function feedTags(
  { kind, name }: { kind: 'site' | 'user' | 'tag' | 'series'; name: string },
  articleIds: readonly string[],
): string[] {
  const own = {
    site: [pageTags.lists],
    tag: [pageTags.tag(name)],
    series: [pageTags.series(name)],
    // Lists change with every article that comes or goes.
    user: [pageTags.profile(name), pageTags.lists],
  };
  return [...own[kind], ...articleIds.map(pageTags.article)];
}

/** The page tags of the articles that a list of tags names. */
export const latestTags = (tags: readonly { latest?: readonly { _id: string }[] | undefined }[]): string[] =>
  cardTags({ items: tags.flatMap(({ latest = [] }) => latest.map(({ _id }) => ({ id: _id }))) });
