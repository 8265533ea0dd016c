import type { Article, Comment, Friend, Series, Tag, User } from './entities.ts';

export type TextJudgement =
  /**
   * Checked separately, by the service that writes it (server/moderation/text-judge.ts); a listed word
   * refuses it.
   */
  | 'alone'
  /** Checked with the rest of its article or comment: refused, held or masked (server/moderation). */
  | 'whole'
  /** Not written by a user, or a copy of a text that is checked where it is written. */
  | 'made';

interface PublicEntities {
  user: User;
  article: Article;
  comment: Comment;
  tag: Tag;
  series: Series;
  friend: Friend;
}
export type PublicEntity = keyof PublicEntities;

type ItemOf<T> = NonNullable<T> extends readonly (infer Item)[] ? Item : NonNullable<T>;
type TextName<T> = {
  [K in keyof T & string]: string extends ItemOf<T[K]> ? K : never;
}[keyof T & string];
type Judged<T> = Exclude<TextName<T>, `${string}_id` | `${string}_time`>;

export type JudgementsOf<T> = { readonly [K in Judged<T>]: TextJudgement };

/** How each public text is moderated. A new public field must be added here. */
export const PUBLIC_TEXTS = {
  user: {
    username: 'alone',
    display_name: 'alone',
    bio: 'alone',
    website: 'alone',
    profile_links: 'alone',
    avatar: 'made',
    thanks: 'made',
  },
  article: {
    title: 'whole',
    content: 'whole',
    tags: 'whole',
    description: 'whole',
    source: 'whole',
    slug: 'whole',
    type: 'whole',
    cover: 'made',
    series: 'made',
    licence: 'made',
    address: 'made',
    page: 'made',
    create_user: 'made',
    author_name: 'made',
    moderation_note: 'made',
  },
  comment: {
    content: 'whole',
    pending_content: 'whole',
    page_title: 'made',
    create_user: 'made',
    author_name: 'made',
    reply_name: 'made',
    to_user: 'made',
    reply_user: 'made',
    reply_content: 'made',
    reply_quote: 'made',
    mentions: 'made',
    html: 'made',
    note: 'made',
  },
  tag: { name: 'alone', description: 'alone', create_user: 'made', related: 'made' },
  friend: { name: 'alone', url: 'alone', description: 'alone', logo: 'made', feed: 'made', group: 'made' },
  series: { title: 'alone', description: 'alone', cover: 'made', create_user: 'made', author_name: 'made' },
} as const satisfies { [E in PublicEntity]: JudgementsOf<PublicEntities[E]> };

/** A text that users write, such as `user.bio`. */
export type PublicText = {
  [E in PublicEntity]: `${E}.${TextsJudged<E, 'alone' | 'whole'>}`;
}[PublicEntity];

export type TextsJudged<E extends PublicEntity, J extends TextJudgement> = {
  [K in keyof (typeof PUBLIC_TEXTS)[E]]: (typeof PUBLIC_TEXTS)[E][K] extends J ? K : never;
}[keyof (typeof PUBLIC_TEXTS)[E]] &
  string;

export const textsJudged = <E extends PublicEntity, J extends TextJudgement>(
  entity: E,
  judgement: J,
): TextsJudged<E, J>[] =>
  Object.entries(PUBLIC_TEXTS[entity]).flatMap(([name, each]) =>
    each === judgement ? [name as TextsJudged<E, J>] : [],
  );
