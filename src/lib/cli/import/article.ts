import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Authored } from '../../contract/authored-fields.ts';
import { readDate, splitDatedName } from '../../markdown-file/dates.ts';
import { decode } from '../../markdown-file/decode.ts';
import { asSwitch, asText, pick, splitFrontMatter, type Metadata } from '../../markdown-file/front-matter.ts';
import { MOST_BYTES } from '../../markdown-file/limits.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { readFields } from '../../markdown-file/read-fields.ts';
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
  const fallback = titleFromName(file.path, dated?.rest ?? name, place.folder);
  const fields = readFields({ metadata, body }, { fallback, isJekyll: dated !== null }, warnings);
  if (fields.content.trim() === '') throw new Problem('正文为空');
  const isFuture = created !== undefined && created > place.now;
  if (isFuture) warnings.push('发布日期在将来，已作为草稿导入');
  const isDraft = isFuture || isMarkedDraft(metadata, file.path);
  const { title, content, tags, secret, description, source, licence, comments_closed } = fields;
  return {
    // A cover and a place on the profile mean nothing away from the site they are of.
    title,
    secret,
    description,
    source,
    licence,
    comments_closed,
    tags: tags.length === 0 && !isDraft ? [defaultTag(file.path, place.folder)] : tags,
    status: isDraft ? 'draft' : 'normal',
    created: isFuture ? undefined : created,
    updated: updated !== undefined && updated > place.now ? undefined : updated,
    modified: Math.trunc(Math.min(mtimeMs, place.now)),
    body: content,
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

function isMarkedDraft(metadata: Metadata, path: string): boolean {
  if (path.split('/').includes('_drafts')) return true;
  return (
    asSwitch(pick(metadata, 'draft')) === true || asSwitch(pick(metadata, 'published', 'publish')) === false
  );
}

const nameOf = (path: string): string => posix.basename(path).replace(/\.[^.]*$/, '');

/** The title a file's name stands for; README and index are called after their folder. */
function titleFromName(path: string, name: string, folder: string): string {
  if (!INDEX_NAMES.test(name)) return name;
  const parent = posix.dirname(path);
  return parent === '.' ? folder : posix.basename(parent);
}

const GENERIC =
  /^(?:_?posts?|_?drafts|docs?|content|source|src|blog|articles?|notes?|pages?|_pages|zh(?:-cn)?|\.)$/i;

/** A published article needs a tag: the nearest folder whose name says something. */
function defaultTag(path: string, folder: string): string {
  const folders = [folder, ...posix.dirname(path).split('/')];
  return folders.findLast((name) => !GENERIC.test(name) && !/^\d+$/.test(name)) ?? '未分类';
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
