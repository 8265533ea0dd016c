import { foldName } from '../../src/lib/contract/rules/names.ts';
import { skeletonColumns } from '../../src/lib/server/users/user-queries.ts';
import { idAt } from './random.ts';

/** Number of authors whose passwords are known to `author`. */
const KNOWN_AUTHORS = 20;

export const author = (index: number): { username: string; password: string } => ({
  username: `作者${index}`,
  password: PASSWORD,
});
/** Password of every account: hashing one takes the time of loading fifty articles. */
export const PASSWORD = 'password-of-all';

/** Sizes of a site that follow from its number of articles. */
export interface Shape {
  articles: number;
  authors: number;
  users: number;
  tags: number;
  /** Milliseconds since the epoch between which articles are published. */
  from: number;
  to: number;
  seed: number;
}

const ARTICLES_PER_AUTHOR = 200;
const ARTICLES_PER_USER = 50;
const ARTICLES_PER_TAG = 100;
const FEW_TAGS = 40;
const FIRST_TIME = Date.UTC(2012, 0, 1);
export const SERIES_PERIODS = 5;

export function shapeOf(articles: number, to: number, seed: number): Shape {
  const authors = Math.max(KNOWN_AUTHORS, Math.ceil(articles / ARTICLES_PER_AUTHOR));
  return {
    articles,
    authors,
    users: authors + Math.max(5 * KNOWN_AUTHORS, Math.ceil(articles / ARTICLES_PER_USER)),
    tags: FEW_TAGS + Math.ceil(articles / ARTICLES_PER_TAG),
    from: FIRST_TIME,
    to,
    seed,
  };
}

/** Accounts, tags and series are older than every article. */
const timeOf = (index: number): number => FIRST_TIME - 86_400_000 + index * 1000;

export const userId = (index: number): string => idAt(timeOf(0), index);
export const tagId = (index: number): string => idAt(timeOf(1), index);
export const tagName = (index: number): string => `标签${index}`;
export const seriesId = (author: number, period: number): string =>
  idAt(timeOf(2), author * SERIES_PERIODS + period);

export function userRow(index: number, { authors }: Pick<Shape, 'authors'>, passwordHash: string) {
  const username = index < authors ? author(index).username : `读者${index}`;
  return {
    id: userId(index),
    username,
    username_key: foldName(username),
    password_hash: passwordHash,
    gender: 'x' as const,
    bio: index % 3 === 0 ? `我是${username}，写字为生。` : '',
    avatar: '',
    create_time: timeOf(index),
    role: index === 0 ? ('operator' as const) : ('author' as const),
    ...skeletonColumns(username),
  };
}

export const tagRow = (index: number, { authors }: Shape) => ({
  id: tagId(index),
  name: tagName(index),
  description: index % 4 === 0 ? `关于${tagName(index)}的文章。` : '',
  creator_id: userId(index % authors),
  create_time: timeOf(index),
  update_time: timeOf(index),
  page_num: 0,
  is_listed: 1,
});

export const seriesRow = (author: number, period: number) => ({
  id: seriesId(author, period),
  author_id: userId(author),
  title: `专栏${author}之${period + 1}`,
  description: '',
  cover: '',
  create_time: timeOf(author),
  update_time: timeOf(author),
});
