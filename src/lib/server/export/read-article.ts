import type { z } from 'zod';
import { FIELD_NAMES, specOf, type FieldName } from '../../contract/authored-fields.ts';
import { NewArticle } from '../../contract/article-fields.ts';
import { splitFrontMatter, type Metadata } from '../../markdown-file/front-matter.ts';
import { Problem } from '../../markdown-file/problem.ts';
import type { AuthoredColumns } from '../db/schema.ts';
import { ArticleFacts, RevisionFacts, VersionFacts } from './format.ts';
import { withSiteAddresses } from './picture-links.ts';

/** A file of an export: what its author wrote, its times, and what else is said of it. */
export interface ReadText<F> {
  facts: F;
  columns: AuthoredColumns;
  /** Milliseconds since the epoch. */
  date: number;
  updated: number;
  /** Addresses where it stood before. */
  aliases: string[];
}

/** Bytes that a text of an export may have: 200,000 characters of four, and what stands in front. */
export const MOST_TEXT_BYTES = 4 * 1024 * 1024;

/** The article that `bytes` are the file of. @throws Problem where that cannot be told, or exceeds a bound */
export const readArticle = (bytes: Uint8Array): ReadText<ArticleFacts> => readText(bytes, ArticleFacts);

/** The same of an unpublished revision. */
export const readRevision = (bytes: Uint8Array): ReadText<RevisionFacts> => readText(bytes, RevisionFacts);

/** The same of an earlier text. */
export const readVersion = (bytes: Uint8Array): ReadText<VersionFacts> => readText(bytes, VersionFacts);

function readText<F extends { series: string; has_site_addresses?: boolean | undefined }>(
  bytes: Uint8Array,
  schema: z.ZodType<F>,
): ReadText<F> {
  const { metadata, body } = split(decode(bytes));
  const parsed = schema.safeParse(metadata['moye']);
  if (!parsed.success) throw new Problem('开头的 moye 信息缺失或读不懂');
  const facts = parsed.data;
  const written = columnsIn(metadata, body);
  const linked = facts.has_site_addresses ? written : { ...written, ...withSiteAddresses(written) };
  const columns = { ...linked, series: facts.series };
  requireBounds(columns);
  const date = timeIn(metadata, 'date');
  return {
    facts,
    columns,
    date,
    aliases: isTexts(metadata['aliases']) ? metadata['aliases'] : [],
    updated: metadata['updated'] === undefined ? date : timeIn(metadata, 'updated'),
  };
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Problem('不是 UTF-8 编码');
  }
  // PostgreSQL has no U+0000; for CommonMark it is U+FFFD. A file that an editor of Windows has saved has
  // other ends of lines throughout.
  const plain = text.replaceAll('\0', '\ufffd');
  return plain.startsWith('---\r\n') ? plain.replaceAll('\r\n', '\n') : plain;
}

/** The body as it was before `toMarkdownFile` set it apart from the front matter. */
function split(text: string): { metadata: Metadata; body: string } {
  const { metadata, body } = splitFrontMatter(text);
  return { metadata, body: body.replace(/^\n/, '').replace(/\n$/, '') };
}

/** What is absent is empty; what is there must be what it is to be: a guess might publish a secret. */
function columnsIn(metadata: Metadata, content: string): AuthoredColumns {
  const columns = FIELD_NAMES.map((name): [FieldName, string | number] => {
    if (name === 'content') return [name, content];
    const value = metadata[name];
    const { kind, label } = specOf(name);
    // Of generators: the title of the series, whose id stands under `moye`.
    if (name === 'series') return [name, ''];
    if (kind === 'switch' && (value === undefined || typeof value === 'boolean'))
      return [name, value ? 1 : 0];
    if (kind === 'text' && (value === undefined || typeof value === 'string')) return [name, value ?? ''];
    if (kind === 'names' && isTexts(value ?? [])) return [name, JSON.stringify(value ?? [])];
    throw new Problem(`${label}（${name}）读不懂`);
  });
  return Object.fromEntries(columns) as AuthoredColumns;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

function timeIn(metadata: Metadata, name: string): number {
  const value = metadata[name];
  const time = value instanceof Date ? value.getTime() : Date.parse(typeof value === 'string' ? value : '');
  if (Number.isNaN(time)) throw new Problem(`${name} 不是时间`);
  return time;
}

/** Whoever has changed the file keeps the bounds that everybody does. */
function requireBounds(columns: AuthoredColumns): void {
  const fields = FIELD_NAMES.map((name): [FieldName, unknown] => {
    const { kind } = specOf(name);
    const column = columns[name];
    if (kind === 'switch') return [name, column === 1];
    return [name, kind === 'names' ? JSON.parse(String(column)) : column];
  });
  const parsed = NewArticle.safeParse({ ...Object.fromEntries(fields), status: 'draft', type: '' });
  if (parsed.success) return;
  throw new Problem([...new Set(parsed.error.issues.map(({ message }) => message))].join('；'));
}
