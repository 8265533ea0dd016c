import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Authored } from '../../contract/authored-fields.ts';
import { readDate, splitDatedName } from './dates.ts';
import { decode } from './decode.ts';
import { asSwitch, asText, pick, splitFrontMatter, type Metadata } from './front-matter.ts';
import { inspect } from './inspect.ts';
import { Problem } from './problem.ts';
import { readTags } from './tags.ts';
import type { FoundFile } from './walk.ts';

/** A file as its generator would have shown it, before addresses are rewritten and bounds applied. */
export interface RawArticle extends Omit<Authored, 'content'> {
  status: 'normal' | 'draft';
  /** Milliseconds since the epoch; undefined where the file does not say. */
  created: number | undefined;
  updated: number | undefined;
  /** When the file was last written: stands in for a missing date. */
  modified: number;
  body: string;
  /** What stood in front of the body. */
  metadata: Metadata;
  /** Where the generator served it, as far as that shows: other files may link there. */
  addresses: string[];
  /** SHA-256 of the file, hex. */
  hash: string;
  /** Chinese sentences for the operator. */
  warnings: string[];
}

/** 200,000 characters of four bytes, and room for what stands in front. */
const MOST_BYTES = 2 * 1024 * 1024;
const INDEX_NAMES = /^(?:readme|index|_index)$/i;

/**
 * Reads a markdown file of Hexo, Hugo, VuePress or Jekyll.
 * @param place `folder` is the name of the imported folder, `now` milliseconds since the epoch
 * @throws Problem, or the system's error, for a file that cannot become an article
 */
export async function readArticle(
  file: FoundFile,
  place: { folder: string; now: number },
): Promise<RawArticle> {
  const { size, mtimeMs } = await stat(file.absolute);
  if (size > MOST_BYTES) throw new Problem(`文件过大（${(size / 1024 / 1024).toFixed(1)} MiB）`);
  const bytes = await readFile(file.absolute);
  const { text, encoding } = decode(bytes);
  const warnings = encoding === 'gb18030' ? ['文件不是 UTF-8，已按 GB18030 读取'] : [];
  const { metadata, body } = splitFrontMatter(text);
  const name = nameOf(file.path);
  const dated = splitDatedName(name);
  const created =
    dateOf(metadata, warnings, 'date', 'created', 'created_at', 'createTime', 'publishDate') ?? dated?.date;
  const updated = dateOf(
    metadata,
    warnings,
    'updated',
    'lastmod',
    'last_modified_at',
    'lastUpdated',
    'modified',
  );
  const { title, content } = titleOf(
    metadata,
    body,
    titleFromName(file.path, dated?.rest ?? name, place.folder),
  );
  if (content.trim() === '') throw new Problem('正文为空');
  const isFuture = created !== undefined && created > place.now;
  if (isFuture) warnings.push('发布日期在将来，已作为草稿导入');
  const isDraft = isFuture || isMarkedDraft(metadata, file.path);
  const tags = readTags(metadata, { isJekyll: dated !== null });
  return {
    title,
    tags: tags.length === 0 && !isDraft ? [defaultTag(file.path, place.folder)] : tags,
    status: isDraft ? 'draft' : 'normal',
    secret: isHidden(metadata, warnings),
    description: firstText(metadata, 'description', 'summary', 'excerpt'),
    created: isFuture ? undefined : created,
    updated: updated !== undefined && updated > place.now ? undefined : updated,
    modified: Math.trunc(Math.min(mtimeMs, place.now)),
    body: withFold(content, asText(pick(metadata, 'excerpt_separator'))),
    metadata,
    addresses: addressesOf(metadata, dated, created, name),
    hash: createHash('sha256').update(bytes).digest('hex'),
    warnings,
  };
}

function dateOf(metadata: Metadata, warnings: string[], ...names: string[]): number | undefined {
  const value = pick(metadata, ...names);
  // VuePress has a switch of the name lastUpdated.
  if (value === undefined || typeof value === 'boolean') return undefined;
  const date = readDate(value);
  if (date === null) warnings.push(`无法识别的日期“${asText(value).slice(0, 40)}”，改用文件的日期`);
  return date ?? undefined;
}

/** The first of `names` that is a text. */
const firstText = (metadata: Metadata, ...names: string[]): string =>
  names.map((name) => asText(pick(metadata, name))).find((text) => text !== '') ?? '';

function isMarkedDraft(metadata: Metadata, path: string): boolean {
  if (path.split('/').includes('_drafts')) return true;
  return (
    asSwitch(pick(metadata, 'draft')) === true || asSwitch(pick(metadata, 'published', 'publish')) === false
  );
}

function isHidden(metadata: Metadata, warnings: string[]): boolean {
  if (asText(pick(metadata, 'password')) !== '') {
    warnings.push('原文设有密码，已导入为仅自己可见');
    return true;
  }
  return ['hidden', 'hide', 'secret', 'private'].some((name) => asSwitch(pick(metadata, name)) === true);
}

const nameOf = (path: string): string => posix.basename(path).replace(/\.[^.]*$/, '');

/** The title a file's name stands for; README and index are called after their folder. */
function titleFromName(path: string, name: string, folder: string): string {
  if (!INDEX_NAMES.test(name)) return name;
  const parent = posix.dirname(path);
  return parent === '.' ? folder : posix.basename(parent);
}

/** Where the text begins after white space and comments, and its first heading if that is of level 1. */
function firstHeading(body: string): { text: string; end: number } | null {
  const [lead = ''] = /^(?:\s+|<!--[\s\S]*?-->)*/.exec(body) ?? [];
  // Four spaces make code of it.
  if (/ {4}$|\t$/.test(lead)) return null;
  const [line = '', underline = ''] = body.slice(lead.length).split('\n', 2);
  const lineEnd = lead.length + line.length + 1;
  if (line.startsWith('# ')) return { text: line.slice(2).trim().replace(/\s#+$/, ''), end: lineEnd };
  return /^=+\s*$/.test(underline) ? { text: line, end: lineEnd + underline.length + 1 } : null;
}

/** The title, and the body without a heading that only repeats it. */
function titleOf(metadata: Metadata, body: string, fallback: string): { title: string; content: string } {
  const given = asText(pick(metadata, 'title')) || asText(pick(metadata, 'shortTitle'));
  if (given !== '') {
    const heading = firstHeading(body);
    const repeats = heading !== null && plainHeading(heading.text) === plainHeading(given);
    return { title: given, content: repeats ? body.slice(heading.end) : body };
  }
  const heading = inspect(body).title;
  if (heading === null || heading.text === '') return { title: fallback, content: body };
  const content = body.slice(0, heading.start) + body.slice(heading.end).replace(/^[ \t]*\n/, '');
  return { title: heading.text, content };
}

const plainHeading = (text: string): string =>
  text
    .replace(/[*`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

const GENERIC =
  /^(?:_?posts?|_?drafts|docs?|content|source|src|blog|articles?|notes?|pages?|_pages|zh(?:-cn)?|\.)$/i;

/** A published article needs a tag: the nearest folder whose name says something. */
function defaultTag(path: string, folder: string): string {
  const folders = [folder, ...posix.dirname(path).split('/')];
  return folders.findLast((name) => !GENERIC.test(name) && !/^\d+$/.test(name)) ?? '未分类';
}

/** Writes the generators' marks of an excerpt's end as the contract's line; those in code stay. */
function withFold(body: string, separator: string): string {
  const mark = /^ {0,3}<!--[ \t]*more[ \t]*-->[ \t]*$/gim;
  const hasOwn = separator !== '' && body.split('\n').some((line) => line.trim() === separator);
  if (!hasOwn && !mark.test(body)) return body;
  const { code } = inspect(body);
  const isCode = (offset: number): boolean => code.some(({ start, end }) => start <= offset && offset < end);
  let offset = 0;
  const lines = body.split('\n').map((line) => {
    const start = offset;
    offset += line.length + 1;
    const isFold =
      (hasOwn && line.trim() === separator) || /^ {0,3}<!--[ \t]*more[ \t]*-->[ \t]*$/i.test(line);
    return isFold && !isCode(start) ? '<--阅读全文-->' : line;
  });
  return lines.join('\n');
}

/** Paths of the old site, without the slash at either end. */
function addressesOf(
  metadata: Metadata,
  dated: ReturnType<typeof splitDatedName>,
  created: number | undefined,
  name: string,
): string[] {
  const aliases = pick(metadata, 'aliases', 'redirect_from');
  const given = [
    pick(metadata, 'permalink'),
    pick(metadata, 'url'),
    ...(Array.isArray(aliases) ? (aliases as unknown[]) : [aliases]),
  ];
  const paths = given.map(asText).filter((path) => path.startsWith('/') && !path.includes(':'));
  if (dated) paths.push(`${dated.year}/${dated.month}/${dated.day}/${dated.rest}`);
  else if (created !== undefined) {
    // Hexo's default address is made of the day in the site's own zone.
    const day = new Date(created + 8 * 3_600_000).toISOString().slice(0, 10).replaceAll('-', '/');
    paths.push(`${day}/${asText(pick(metadata, 'slug')) || name}`);
  }
  return paths.map((path) => path.replace(/^\/+|\/+$/g, ''));
}
