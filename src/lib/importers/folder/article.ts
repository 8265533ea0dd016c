import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Authored } from '../../contract/rules/authored-fields.ts';
import { readDate, splitDatedName } from '../../markdown-file/dates.ts';
import { decode } from '../../markdown-file/decode.ts';
import { asText, asTexts, pick, splitFrontMatter, type Metadata } from '../../markdown-file/front-matter.ts';
import { MAX_FILE_BYTES } from '../../markdown-file/limits.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { readFields } from '../../markdown-file/read-fields.ts';
import { readVisibility, type SourceVisibility } from '../../markdown-file/read-visibility.ts';
import { readCategories } from '../../markdown-file/tags.ts';
import { unusedNames } from './front-matter-names.ts';
import { formerPaths } from './former-paths.ts';
import type { KnownDates } from './git-dates.ts';
import { hideComments } from './obsidian-comments.ts';
import { pageReason } from './pages.ts';
import type { SiteFile, SiteVisibility } from './site-visibility.ts';
import type { Folder, FoundFile } from './walk.ts';
import { HOUR_MS } from '../../shared/units.ts';

/** An article as its generator reads it, before addresses are rewritten and limits applied. */
export interface RawArticle extends Omit<Authored, 'content' | 'series'> {
  status: 'normal' | 'draft';
  /** Milliseconds since the epoch; undefined if the file gives no date. */
  created: number | undefined;
  updated: number | undefined;
  /** Fallback for missing dates: from the repository, otherwise the file's modification time. */
  known: KnownDates;
  body: string;
  /** Converts a line of the body, from 0, to a line of the file, from 1. */
  lineOf(line: number): number;
  metadata: Metadata;
  unused: string[];
  /** Reason why the file is a page of its site; null for an article. */
  page: string | null;
  seriesName: string;
  seriesPlace: number | undefined;
  formerPaths: string[];
  /** `formerPaths`, and other names that files may link to, without outer slashes. */
  addresses: string[];
  hash: string;
  warnings: string[];
}

export interface Place extends Pick<Folder, 'generator' | 'place' | 'hasFolder'> {
  name: string;
  now: number;
  dates: ReadonlyMap<string, KnownDates>;
  visibility: SiteVisibility;
}

const INDEX_NAMES = /^(?:readme|index|_index)$/i;
const CREATED = ['date', 'created', 'created_at', 'createTime', 'publishDate', 'pubDate', 'pubDatetime'];
const PUBLISHED = [...CREATED, 'published', 'publish_date', 'publishedAt', 'published_at', 'scheduled'];
const UPDATED = [
  'updated',
  'lastmod',
  'last_modified_at',
  'lastUpdated',
  'modified',
  'updatedDate',
  'modDatetime',
];

/**
 * Reads a markdown file of Hexo, Hugo, VuePress, Jekyll or Astro.
 * @throws Problem, or the system's error, for a file that cannot become an article
 */
export async function readArticle(file: FoundFile, place: Place): Promise<RawArticle> {
  const { size, mtimeMs } = await stat(file.absolute);
  if (size > MAX_FILE_BYTES) throw new Problem(`文件过大（${(size / 1024 / 1024).toFixed(1)} MiB）`);
  const bytes = await readFile(file.absolute);
  const { text, encoding } = decode(bytes);
  const warnings = encoding === 'gb18030' ? ['文件不是 UTF-8，已按 GB18030 读取'] : [];
  const { metadata, body } = splitFrontMatter(text);
  const name = nameOf(file.path);
  const sitePath = posix.join(place.place, file.path);
  const hasPosts = (folder: string): boolean => place.hasFolder(posix.join(folder, '_posts'));
  const page = pageReason({ path: file.path, sitePath, metadata }, place.generator, hasPosts);
  const dated = splitDatedName(name);
  const created = dateOf(metadata, warnings, ...CREATED) ?? dated?.date;
  const updated = dateOf(metadata, warnings, ...UPDATED);
  const fallback = titleFromName(file.path, dated?.rest ?? name, place.name);
  const visibility = visibilityOf({ ...place, sitePath, metadata }, warnings);
  const fields = readFields({ metadata, body }, { fallback, isJekyll: dated !== null }, visibility);
  if (page === null && fields.content.trim() === '') throw new Problem('正文为空');
  const isFuture = (date: number | null | undefined): boolean => (date ?? 0) > place.now;
  const isScheduled = isFuture(created) || PUBLISHED.some((each) => isFuture(readDate(pick(metadata, each))));
  if (isScheduled) warnings.push('发布日期在将来，已作为草稿导入');
  const isDraft = isScheduled || visibility.isDraft;
  const { title, tags, description, source, licence, comments_closed } = fields;
  const { content, isSecret } = hideComments(fields.content, place.visibility.isVault(sitePath), warnings);
  const written = Math.trunc(Math.min(mtimeMs, place.now));
  const paths = formerPaths(
    { sitePath, metadata, title, created, datedRest: dated?.rest, categories: readCategories(metadata) },
    place.generator,
  );
  return {
    // Omits the cover and the profile position, which mean nothing on another site.
    title,
    secret: fields.secret || isSecret || page !== null,
    description,
    source,
    licence,
    comments_closed,
    tags: tags.length === 0 && !isDraft ? [defaultTag(file.path, place.name)] : tags,
    status: isDraft ? 'draft' : 'normal',
    created: isFuture(created) ? undefined : created,
    updated: updated !== undefined && updated > place.now ? undefined : updated,
    known: place.dates.get(file.path) ?? { first: written, last: written },
    body: content,
    lineOf: linesBetween(text, content),
    metadata,
    unused: unusedNames(metadata, visibility.fields),
    page,
    ...readSeries(metadata, warnings),
    formerPaths: paths,
    addresses: [...new Set([...paths.map(bare), ...addressesOf(metadata, dated, created, name)])],
    hash: createHash('sha256').update(bytes).digest('hex'),
    warnings,
  };
}

const bare = (path: string): string => path.replace(/^\/+|\/+$/g, '');

function linesBetween(text: string, body: string): (line: number) => number {
  const [whole, rest] = [text.split('\n'), body.split('\n')];
  const gone = whole.length - rest.length;
  const front = text.endsWith(body) ? gone : Math.max(0, whole.indexOf(rest[0] ?? ''));
  let same = 0;
  while (same < rest.length && whole[front + same] === rest[same]) same += 1;
  return (line) => line + 1 + (line < same ? front : gone);
}

function readSeries(metadata: Metadata, warnings: string[]) {
  const [seriesName = '', ...others] = asTexts(pick(metadata, 'series'));
  if (others.length > 0) warnings.push(`一篇文章只能在一个专栏里，没有加入：${others.join('、')}`);
  const place = Number(
    asText(pick(metadata, 'series_order', 'series_weight', 'seriesOrder', 'weight', 'order')) || NaN,
  );
  return { seriesName, seriesPlace: Number.isFinite(place) ? place : undefined };
}

function dateOf(metadata: Metadata, warnings: string[], ...names: string[]): number | undefined {
  const value = pick(metadata, ...names);
  // VuePress has a boolean named lastUpdated.
  if (value === undefined || typeof value === 'boolean') return undefined;
  const date = readDate(value);
  if (date === null) warnings.push(`无法识别的日期“${asText(value).slice(0, 40)}”，改用文件的日期`);
  return date ?? undefined;
}

function visibilityOf(
  { visibility, now, sitePath, metadata }: Pick<Place, 'visibility' | 'now'> & SiteFile,
  warnings: string[],
): Omit<SourceVisibility, 'warnings'> {
  const stated = readVisibility(visibility.inherited(sitePath, metadata), now);
  const placed = visibility.judgePlace({ sitePath, metadata });
  warnings.push(...stated.warnings, ...placed.warnings);
  return {
    isDraft: stated.isDraft || placed.isDraft,
    isSecret: stated.isSecret || placed.isSecret,
    fields: [...stated.fields, ...placed.fields],
  };
}

const nameOf = (path: string): string => posix.basename(path).replace(/\.[^.]*$/, '');

function titleFromName(path: string, name: string, folder: string): string {
  if (!INDEX_NAMES.test(name)) return name;
  const parent = posix.dirname(path);
  return parent === '.' ? folder : posix.basename(parent);
}

const GENERIC =
  /^(?:_?posts?|_?drafts|docs?|content|source|src|blog|articles?|notes?|pages?|_pages|zh(?:-cn)?|\.)$/i;

/** Published articles need a tag: returns the nearest folder with a meaningful name. */
function defaultTag(path: string, folder: string): string {
  const folders = [folder, ...posix.dirname(path).split('/')];
  return folders.findLast((name) => !GENERIC.test(name) && !/^\d+$/.test(name)) ?? '未分类';
}

function addressesOf(
  metadata: Metadata,
  dated: ReturnType<typeof splitDatedName>,
  created: number | undefined,
  name: string,
): string[] {
  if (dated) return [`${dated.year}/${dated.month}/${dated.day}/${dated.rest}`];
  if (created === undefined) return [];
  // Hexo's default address contains the day in the site's time zone.
  const day = new Date(created + 8 * HOUR_MS).toISOString().slice(0, 10).replaceAll('-', '/');
  return [`${day}/${asText(pick(metadata, 'slug')) || name}`];
}
