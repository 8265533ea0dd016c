/**
 * Tags for cache invalidation. A cached page lists the tags of its content, a write those it changed; pages
 * that share a tag are evicted. Edge fronts send them in a header, so names are percent-encoded.
 */
export const pageTags = {
  site: 'site',
  /** The set of public articles and their order. */
  lists: 'lists',
  /** Everything a search may find. */
  search: 'search',
  /** The set of tags and their article counts. */
  tags: 'tags',
  /** Pinned and most-read articles on the front page. */
  picks: 'picks',
  /** The tree of published pages, and their texts. */
  pages: 'pages',
  /** Friends, and the articles of their feeds. */
  friends: 'friends',
  /** Everything on an article's own page, including its neighbours and related articles. */
  article: (id: string) => `article:${id}`,
  /** Parts of an article shown in lists: title, tags, summary. */
  card: (id: string) => `card:${id}`,
  /** All comments of the site. */
  activity: 'activity',
  comments: (articleId: string) => `comments:${articleId}`,
  /** A user's comments. */
  said: (userId: string) => `said:${userId}`,
  /** A tag's description and the articles under it. */
  tag: (name: string) => `tag:${encodeURIComponent(name)}`,
  /** A series' texts and its public articles. */
  series: (id: string) => `series:${id}`,
  /** A user's public articles, pinned articles and series. */
  author: (userId: string) => `author:${userId}`,
  /** A user's bio. */
  profile: (username: string) => `profile:${encodeURIComponent(username)}`,
  avatar: (username: string) => `avatar:${encodeURIComponent(username)}`,
};

export const cardTags = ({ items }: { items: readonly ({ id: string } | { _id: string })[] }): string[] =>
  items.map((item) => pageTags.card('id' in item ? item.id : item._id));

/**
 * Returns the tags of a feed: those of its subject and of its articles.
 * @param name a username, a tag's name or a series' id
 */
export function feedTags(
  { kind, name }: { kind: 'site' | 'user' | 'tag' | 'series'; name: string },
  articleIds: readonly string[],
): string[] {
  const own = {
    site: [pageTags.lists, pageTags.pages],
    tag: [pageTags.tag(name)],
    series: [pageTags.series(name)],
    // Changes with every article that is published or withdrawn.
    user: [pageTags.profile(name), pageTags.lists],
  };
  return [...own[kind], ...articleIds.map(pageTags.article)];
}

export const latestTags = (tags: readonly { latest?: readonly { _id: string }[] | undefined }[]): string[] =>
  cardTags({ items: tags.flatMap(({ latest = [] }) => latest) });
