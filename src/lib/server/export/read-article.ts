import type { z } from 'zod';
import {
  FIELD_NAMES,
  fieldsFromColumns,
  specOf,
  type FieldName,
} from '../../contract/rules/authored-fields.ts';
import { NewArticle } from '../../contract/article-fields.ts';
import { splitFrontMatter, type Metadata } from '../../markdown-file/front-matter.ts';
import { Problem } from '../../markdown-file/problem.ts';
import type { AuthoredColumns } from '../db/schema/schema.ts';
import { ArticleFacts, RevisionFacts, VersionFacts } from './format.ts';
import { withSiteAddresses } from './picture-links.ts';
import { MIB } from '../../contract/rules/units.ts';

export interface ReadText<F> {
  facts: F;
  columns: AuthoredColumns;
  /** Milliseconds since the epoch. */
  date: number;
  updated: number;
  aliases: string[];
}

/** Maximum bytes of a text in an export: 200,000 characters of four bytes, plus front matter. */
export const MAX_TEXT_BYTES = 4 * MIB;

/** Parses the file of an article. @throws Problem if it is malformed or exceeds a limit */
export const readArticle = (bytes: Uint8Array): ReadText<ArticleFacts> => readText(bytes, ArticleFacts);

export const readRevision = (bytes: Uint8Array): ReadText<RevisionFacts> => readText(bytes, RevisionFacts);

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
  // PostgreSQL cannot store U+0000, which CommonMark replaces with U+FFFD. Editors on Windows may have
  // changed all line endings.
  const plain = text.replaceAll('\0', '\ufffd');
  return plain.startsWith('---\r\n') ? plain.replaceAll('\r\n', '\n') : plain;
}

/** Returns the body without the line breaks that `toMarkdownFile` adds. */
function split(text: string): { metadata: Metadata; body: string } {
  const { metadata, body } = splitFrontMatter(text);
  return { metadata, body: body.replace(/^\n/, '').replace(/\n$/, '') };
}

/** Absent fields are empty; present ones must have the right type: a guess might publish a secret. */
function columnsIn(metadata: Metadata, content: string): AuthoredColumns {
  const columns = FIELD_NAMES.map((name): [FieldName, string | number] => {
    if (name === 'content') return [name, content];
    const value = metadata[name];
    const { kind, label } = specOf(name);
    // Holds the title of the series, for generators; the id is under `moye`.
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

/** Applies the usual limits: the file may have been edited. */
function requireBounds(columns: AuthoredColumns): void {
  const fields = fieldsFromColumns(columns, FIELD_NAMES);
  const parsed = NewArticle.safeParse({ ...fields, status: 'draft', type: '' });
  if (parsed.success) return;
  throw new Problem([...new Set(parsed.error.issues.map(({ message }) => message))].join('；'));
}
