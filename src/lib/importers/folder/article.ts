import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { NOTION_ID } from '../../markdown-file/file-name.ts';
import { isJekyllName, readDate, splitDatedName } from '../../markdown-file/dates.ts';
import { asText, asTexts, pick, splitFrontMatter, type Metadata } from '../../markdown-file/front-matter.ts';
import { decode, describeDecoding } from '../../markdown-file/decode.ts';
import { hideParts } from '../../markdown-file/hidden-parts.ts';
import { takeData } from '../../markdown-file/data-pictures.ts';
import { MAX_EMBEDDING_BYTES, MAX_FILE_BYTES } from '../../markdown-file/limits.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { readFields } from '../../markdown-file/read-fields.ts';
import { readVisibility, type SourceVisibility } from '../../markdown-file/read-visibility.ts';
import { readCategories } from '../../markdown-file/tags.ts';
import { fromMdx } from '../mdx/mdx.ts';
import { hideComments } from '../../dialects/obsidian/comments.ts';
import { isDateName, isTagName, unreadValues, unusedNames } from './front-matter-names.ts';
import { dayOf, formerPaths, type Addressed } from './former-paths.ts';
import type { KnownDates } from './git-dates.ts';
import { isByPlace, isMadeHere, pageReason, type SourcePage } from './pages.ts';
import { readDates } from './reading/dates.ts';
import { defaultTag, nameOf, titleFromPath } from './reading/names.ts';
import type { SiteFile, SiteVisibility } from './site-visibility.ts';
import type { Folder, FoundFile } from './walk.ts';

/** Lines `Name: value` between the title of an exported page and its text. */
const BLOCK = /^\s*# [^\n]*\n\s*\n?((?:[^\s:>|#*`<![\]-][^\n:]{0,40}:(?: [^\n]*)?\n)+)(?:\s*\n|$)/;
/** Address that follows the name of a related page. */
const RELATION = / \([^()\s]{0,500}?[0-9a-f]{32}[^()\s]{0,500}\)/g;

/** Other properties could mean anything. */
const isUsed = (name: string): boolean => isDateName(name) || isTagName(name);

/**
 * Reads the properties that Notion's export writes below the title. Those that the import uses leave the
 * text; others stay, because nothing else would keep them.
 * @param name name of the file
 */
function readProperties(body: string, name: string): { properties: Metadata; body: string } {
  const [whole = '', block = ''] = BLOCK.exec(`${body}\n`) ?? [];
  const entries = block.split('\n').flatMap((line): [string, string][] => {
    const [, key = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    return key === '' ? [] : [[key.trim(), value.replace(RELATION, '').trim()]];
  });
  const isNotion = NOTION_ID.test(name);
  const hasDate = entries.some(([key, value]) => isDateName(key) && readDate(value) !== null);
  if (!isNotion && !hasDate) return { properties: {}, body };
  const kept = block
    .split('\n')
    .filter((line) => !isNotion || !isUsed(line.split(':')[0] ?? ''))
    .join('\n');
  const start = whole.lastIndexOf(block);
  return {
    properties: Object.fromEntries(entries),
    body: body.slice(0, start) + kept + body.slice(start + block.length),
  };
}

/** Properties that count as front matter; all of them may hide the page. */
const usedProperties = (properties: Metadata): Metadata =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => isUsed(name)));

/** An article as its generator reads it, before addresses are rewritten and limits applied. */
export type RawArticle = Awaited<ReturnType<typeof readArticle>>;

export interface Place extends Pick<Folder, 'generator' | 'place' | 'hasFolder'> {
  name: string;
  now: number;
  /** Zone of dates that name none. */
  zone: string;
  /** Whether files that only their place makes pages are articles. */
  takesPlacedPages: boolean;
  /** Whether hidden parts are left out (`hideParts`). */
  omitsHidden: boolean;
  dates: ReadonlyMap<string, KnownDates>;
  visibility: SiteVisibility;
}

/**
 * Reads a markdown file of Hexo, Hugo, VuePress, Jekyll or Astro.
 * @throws Problem, or the system's error, for a file that cannot become an article
 */
export async function readArticle(file: FoundFile, place: Place) {
  const { size, mtimeMs } = await stat(file.absolute);
  if (size > MAX_EMBEDDING_BYTES) throw tooLarge(size);
  const bytes = await readFile(file.absolute);
  const whole = decode(bytes);
  const { text: shortened, pictures: embedded } = takeData(whole.text);
  const decoded = { ...whole, text: shortened };
  if (shortened.length > MAX_FILE_BYTES) throw tooLarge(size);
  const warnings = describeDecoding(decoded);
  const front = decoded.text.length - splitFrontMatter(decoded.text).body.length;
  const hidden = hideParts(decoded.text.slice(front), { omits: place.omitsHidden });
  warnings.push(...hidden.warnings);
  const { text, lineOf } = asMarkdown(file.path, decoded.text.slice(0, front) + hidden.text, warnings);
  const name = nameOf(file.path);
  const { metadata, properties, body } = split(text, name);
  const sitePath = posix.join(place.place, file.path);
  const { zone, now } = place;
  const { created, updated, isScheduled } = readDates({ metadata, sitePath, zone, now }, warnings);
  const page = pageOf({ path: file.path, sitePath, metadata, isDated: created !== undefined }, place);
  const fallback = titleFromPath(file.path, place.name);
  const isJekyll = isJekyllName(name);
  const visibility = visibilityOf({ ...place, sitePath, metadata: { ...properties, ...metadata } }, warnings);
  const fields = readFields({ metadata, body }, { fallback, isJekyll }, visibility);
  if (page === null && fields.content.trim() === '') throw new Problem('正文为空');
  warnings.push(...unreadValues(metadata, fields));
  if (isScheduled) warnings.push('发布日期在将来，已作为草稿导入');
  const isDraft = isScheduled || visibility.isDraft;
  const isFuture = (date: number | undefined): boolean => (date ?? 0) > now;
  const { title, tags, description, source, licence, comments_closed } = fields;
  const { content, isSecret } = hideComments(fields.content, place.visibility.isVault(sitePath), warnings);
  const written = Math.trunc(Math.min(mtimeMs, place.now));
  return {
    // Omits the cover and the profile position, which mean nothing on another site.
    title,
    secret: fields.secret || hidden.isSecret || isSecret,
    description,
    source,
    licence,
    comments_closed,
    ownTags: tags,
    tags: tags.length === 0 && !isDraft ? [defaultTag(file.path, place.name, title)] : tags,
    status: isDraft ? ('draft' as const) : ('normal' as const),
    /** Milliseconds since the epoch; undefined if the file gives no date. */
    created: isFuture(created) ? undefined : created,
    updated: isFuture(updated) ? undefined : updated,
    /** Fallback for missing dates: from the repository, otherwise the file's modification time. */
    known: place.dates.get(file.path) ?? { first: written, last: written },
    body: content,
    /** Converts a line of the body, from 0, to a line of the file, from 1. */
    lineOf: lineOf(content),
    metadata,
    unused: unusedNames(metadata, visibility.fields),
    /** Reason why the file is a page of its site; null for an article. */
    page,
    isMadeHere: page !== null && isMadeHere({ path: file.path, metadata }, page),
    ...readSeries(metadata, warnings),
    ...pathsOf({ sitePath, metadata, title, created }, splitDatedName(name, zone), place),
    hash: createHash('sha256').update(bytes).digest('hex'),
    /** `data:` addresses of the body by their stand-ins. */
    embedded,
    warnings,
  };
}

const tooLarge = (size: number): Problem => new Problem(`文件过大（${(size / 1024 / 1024).toFixed(1)} MiB）`);

/** Splits front matter, and the properties of a page of Notion, from the body. */
function split(text: string, name: string): { metadata: Metadata; properties: Metadata; body: string } {
  const { metadata, body: whole } = splitFrontMatter(text);
  const { properties, body } = readProperties(whole, name);
  return { metadata: { ...usedProperties(properties), ...metadata }, properties, body };
}

function pageOf(file: SourcePage, { generator, hasFolder, takesPlacedPages }: Place): string | null {
  const reason = pageReason(file, generator, (folder) => hasFolder(posix.join(folder, '_posts')));
  return reason !== null && takesPlacedPages && isByPlace(reason) ? null : reason;
}

/**
 * Returns the text of a file as markdown, also for MDX.
 * @returns with a function that relates lines of a part of it, from 0, to lines of the file, from 1
 */
function asMarkdown(path: string, source: string, warnings: string[]) {
  if (!/\.mdx$/i.test(path))
    return { text: source, lineOf: (content: string) => linesBetween(source, content) };
  const { body } = splitFrontMatter(source);
  const front = source.slice(0, source.length - body.length);
  const above = front.split('\n').length;
  const mdx = fromMdx(body, (line) => line + above);
  warnings.push(...mdx.warnings);
  const text = front + mdx.edited.text;
  const lineOf = (content: string) => {
    const lineOfText = linesBetween(text, content);
    return (line: number) => mdx.edited.lineOf(lineOfText(line) - above) + above;
  };
  return { text, lineOf };
}

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

/**
 * Returns the article's addresses on the old site; `addresses` are these, and other names that files may link
 * to, without outer slashes.
 */
function pathsOf(
  article: Omit<Addressed, 'datedRest' | 'categories'>,
  dated: ReturnType<typeof splitDatedName>,
  { generator, zone }: Place,
) {
  const { metadata, sitePath, created } = article;
  const datedRest = isJekyllName(nameOf(sitePath)) ? dated?.rest : undefined;
  const paths = formerPaths({ ...article, datedRest, categories: readCategories(metadata) }, generator);
  const addresses = paths.map((path) => path.replace(/^\/+|\/+$/g, ''));
  // Hexo's default address contains the day in the site's time zone.
  const { year, month, day } = dated?.rest ? dated : dayOf(created, zone);
  const name = dated?.rest || asText(pick(metadata, 'slug')) || nameOf(sitePath);
  if (year !== undefined) addresses.push(`${year}/${month}/${day}/${name}`);
  return { formerPaths: paths, addresses: [...new Set(addresses)] };
}
