import { EMPTY_HEAD } from '../../src/lib/server/articles/core/authored-queries.ts';
import { KEYWORDS_VERSION, type Keyword } from '../../src/lib/server/articles/discovery/keywords.ts';
import { RENDERER_VERSION } from '../../src/lib/markdown/version.ts';
import { commentRows } from './comments.ts';
import { factsOf, type Facts, type Put, type State } from './facts.ts';
import { SERIES_PERIODS, seriesId, tagId, tagName, userId, type Shape } from './people.ts';
import type { Dice } from './random.ts';
import type { Piece } from './stock.ts';
import { moderationRows } from './staff.ts';

const MAX_PIECES = 4;
const MAX_KEYWORDS = 24;
const RELATED = 6;
const READ_DAYS = 3;
const DAY_MS = 86_400_000;
const MONTH_DAYS = 30;
/** Every n-th article mentions a number that no other article contains. */
const NUMBERED = 10;
const TITLES: readonly ((first: string, second: string, index: number) => string)[] = [
  (first) => first,
  (first, second) => `${first}与${second}`,
  (first) => `再谈${first}`,
  (first, second) => `${first}：${second}`,
  (first, _, index) => `${first}（第 ${index} 篇）`,
  (first, second) => `从${first}到${second}`,
];

const isPublic = (state: State): boolean => state === 'public';

/** Puts all rows of an article: text, tags, keywords, related articles, reads, comments and decisions. */
export function articleRows(facts: Facts, shape: Shape, pieces: readonly Piece[], put: Put): void {
  const { index, id, state, author, time, dice } = facts;
  const parts = Array.from({ length: 1 + dice.skewed(MAX_PIECES, 2) }, () => pick(pieces, dice));
  const isEdited = dice.isOne(4);
  const updateTime = isEdited ? Math.min(time + dice.below(30 * DAY_MS), shape.to) : time;
  const tags = [...new Set(Array.from({ length: 1 + dice.below(3) }, () => dice.skewed(shape.tags, 3)))];
  const reads = readRows(facts, shape, put);
  const [first] = parts;
  const status = state === 'draft' ? 'draft' : state === 'trash' || state === 'deleted' ? 'cancel' : 'normal';
  const isWithheld = state === 'held' || state === 'hidden' || state === 'deleted';
  const isSecret = state === 'secret' || isWithheld;
  const isRead = isPublic(state) ? 1 : 0;
  put('articles', {
    ...EMPTY_HEAD,
    seq: index + 1,
    id,
    author_id: userId(author),
    title: titleOf(index, dice, pieces),
    tags: JSON.stringify(tags.map(tagName)),
    type: '',
    status,
    secret: isSecret ? 1 : 0,
    is_public: isRead,
    was_published: state === 'draft' ? 0 : 1,
    create_time: time,
    update_time: updateTime,
    excerpt: first?.content ?? '',
    has_more: parts.length > 1 ? 1 : 0,
    summary: first?.summary ?? '',
    series: dice.isOne(10) ? seriesId(author, Math.floor((index * SERIES_PERIODS) / shape.articles)) : '',
    series_no: index,
    saved_by: '',
    read_num: reads,
    moderation: isWithheld ? (state === 'held' ? 'held' : 'hidden') : '',
    wanted_secret: 0,
  });
  const number = index % NUMBERED === 0 ? `本文编号 k${(index * 7919).toString(36)}。` : '';
  const joined = (read: (piece: Piece) => string, last: string) =>
    [...parts.map(read), ...(last === '' ? [] : [last])].join('\n\n');
  put('article_bodies', {
    article_id: id,
    content: joined((piece) => piece.content, number),
    html: Buffer.from(joined((piece) => piece.html, number && `<p>${number}</p>`)),
    toc: '[]',
    text: joined((piece) => piece.text, number),
    renderer_version: RENDERER_VERSION,
    words: parts.reduce((sum, piece) => sum + piece.words, 0),
  });
  for (const tag of tags)
    put('article_tags', {
      tag_id: tagId(tag),
      article_id: id,
      is_public: isRead,
      create_time: time,
      update_time: updateTime,
    });
  if (isPublic(state)) discoveryRows(facts, shape, { parts, updateTime }, put);
  moderationRows(facts, shape, put);
  if (isPublic(state)) commentRows(facts, shape, pieces, put);
}

const pick = <T>(items: readonly T[], dice: Dice): T => items[dice.below(items.length)] as T;

function titleOf(index: number, dice: Dice, pieces: readonly Piece[]): string {
  const words = [pick(pieces, dice), pick(pieces, dice)].map(
    ({ keywords, summary }) =>
      keywords[dice.below(Math.min(4, keywords.length))]?.term ?? summary.slice(0, 12).toWellFormed(),
  );
  return pick(TITLES, dice)(words[0] ?? '', words[1] ?? '', index);
}

function readRows({ id, state, time, dice }: Facts, { to }: Shape, put: Put): number {
  if (!isPublic(state)) return 0;
  const days = new Map<number, number>();
  for (let index = 0; index < READ_DAYS; index++) {
    const day = Math.floor(Math.min(time + index * dice.below(20) * DAY_MS, to) / DAY_MS) * DAY_MS;
    days.set(day, (days.get(day) ?? 0) + 1 + dice.skewed(200, 4));
  }
  const months = new Map<number, number>();
  let total = 0;
  for (const [day, reads] of days) {
    put('article_reads', { article_id: id, day, reads });
    const date = new Date(day);
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
    months.set(month, (months.get(month) ?? 0) + reads);
    total += reads;
  }
  for (const [month, reads] of months) put('month_reads', { month, article_id: id, reads });
  return total;
}

/** Keywords of the article's paragraphs, and public articles before it as related ones. */
function discoveryRows(
  { index, id }: Facts,
  shape: Shape,
  { parts, updateTime }: { parts: readonly Piece[]; updateTime: number },
  put: Put,
): void {
  const weights = new Map<string, number>();
  const share: Keyword[] = parts.flatMap(({ keywords }) => keywords.slice(0, MAX_KEYWORDS / parts.length));
  for (const { term, weight } of share) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  for (const [term, weight] of weights) put('related_terms', { article_id: id, term, weight });
  put('related_topics', { article_id: id, made_of: updateTime, version: KEYWORDS_VERSION, is_listed: 1 });
  let found = 0;
  for (let other = index - 1; other >= 0 && other >= index - MONTH_DAYS && found < RELATED; other--) {
    const { state, id: related } = factsOf(other, shape);
    if (isPublic(state)) put('related_articles', { article_id: id, related_id: related, score: ++found });
  }
}
