import type { Article, Comment, Series, Tag, User } from './entities.ts';

/** How a text that others can read is judged. */
export type TextJudgement =
  /** By itself, before its call is answered (written-texts.ts): a listed word refuses it. */
  | 'alone'
  /** With the rest of its article or comment: refused, held or masked (server/moderation). */
  | 'whole'
  /** No text of a user's, or a copy of one that is judged where it is written. */
  | 'made';

/** What everybody can read of what users write. */
interface PublicEntities {
  user: User;
  article: Article;
  comment: Comment;
  tag: Tag;
  series: Series;
}
export type PublicEntity = keyof PublicEntities;

type ItemOf<T> = NonNullable<T> extends readonly (infer Item)[] ? Item : NonNullable<T>;
/** Names of the fields of `T` that may hold any text; ids and instants hold none. */
type TextName<T> = {
  [K in keyof T & string]: string extends ItemOf<T[K]> ? K : never;
}[keyof T & string];
type Judged<T> = Exclude<TextName<T>, `${string}_id` | `${string}_time`>;

/** Judgements of an entity's texts: one for each field, or it is a type error. */
export type JudgementsOf<T> = { readonly [K in Judged<T>]: TextJudgement };

/** How each public text is judged. A new public field has to name its judgement here. */
export const PUBLIC_TEXTS = {
  user: { username: 'alone', bio: 'alone', avatar: 'made' },
  article: {
    title: 'whole',
    content: 'whole',
    tags: 'whole',
    description: 'whole',
    source: 'whole',
    type: 'whole',
    cover: 'made',
    series: 'made',
    licence: 'made',
    create_user: 'made',
    moderation_note: 'made',
  },
  comment: {
    content: 'whole',
    page_title: 'made',
    create_user: 'made',
    to_user: 'made',
    reply_user: 'made',
    reply_content: 'made',
    mentions: 'made',
    html: 'made',
    note: 'made',
  },
  tag: { name: 'alone', description: 'alone', create_user: 'made', related: 'made' },
  series: { title: 'alone', description: 'alone', cover: 'made', create_user: 'made' },
} as const satisfies { [E in PublicEntity]: JudgementsOf<PublicEntities[E]> };

/** Fields of an entity with that judgement. */
export type TextsJudged<E extends PublicEntity, J extends TextJudgement> = {
  [K in keyof (typeof PUBLIC_TEXTS)[E]]: (typeof PUBLIC_TEXTS)[E][K] extends J ? K : never;
}[keyof (typeof PUBLIC_TEXTS)[E]] &
  string;

/** Names of fields that are judged alone in some entity: a call that takes one says whose it is. */
export type AloneName = { [E in PublicEntity]: TextsJudged<E, 'alone'> }[PublicEntity];

/** The fields of an entity with that judgement, in the order of the table. */
export const textsJudged = <E extends PublicEntity, J extends TextJudgement>(
  entity: E,
  judgement: J,
): TextsJudged<E, J>[] =>
  Object.entries(PUBLIC_TEXTS[entity]).flatMap(([name, each]) =>
    each === judgement ? [name as TextsJudged<E, J>] : [],
  );
