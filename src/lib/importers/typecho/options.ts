import { PhpError, readStored, valueAt, type PhpValue } from './php.ts';
import type { TypechoTables } from './tables.ts';

export interface TypechoOptions {
  /** Address of the site without a trailing slash; '' if unknown. */
  siteUrl: string;
  /** Offset of the site's clock from UTC, in seconds. */
  offset: number;
  areCommentsMarkdown: boolean;
  /** Address patterns of articles and pages, such as `/archives/[cid:digital]/`. */
  patterns: { post: string; page: string };
  /** Whether `patterns` are Typecho's defaults, because the site's could not be read. */
  isPatternGuessed: boolean;
}

const DEFAULT_PATTERNS = { post: '/archives/[cid:digital]/', page: '/[slug].html' };
const CHINA_OFFSET_S = 28_800;
const MAX_OFFSET_S = 86_400;

/** Reads the settings; uses Typecho's defaults for missing or unreadable ones. */
export function readOptions(tables: TypechoTables): TypechoOptions {
  const values = new Map<string, string>();
  const names = ['siteUrl', 'timezone', 'commentsMarkdown', 'routingTable'];
  for (const name of names)
    for (const row of tables.rows('options', { where: { name, user: '0' } }))
      values.set(name, row['value'] ?? '');
  const offset = Number(values.get('timezone') ?? CHINA_OFFSET_S);
  const patterns = patternsIn(values.get('routingTable'));
  return {
    siteUrl: siteUrlOf(values.get('siteUrl') ?? ''),
    offset: Math.abs(offset) <= MAX_OFFSET_S ? offset : CHINA_OFFSET_S,
    areCommentsMarkdown: values.get('commentsMarkdown') === '1',
    patterns: patterns ?? DEFAULT_PATTERNS,
    isPatternGuessed: patterns === null,
  };
}

function siteUrlOf(text: string): string {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol)) return '';
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function patternsIn(stored: string | undefined): TypechoOptions['patterns'] | null {
  if (stored === undefined) return null;
  try {
    const table = readStored(stored);
    return {
      post: patternOf(table, 'post') ?? DEFAULT_PATTERNS.post,
      page: patternOf(table, 'page') ?? DEFAULT_PATTERNS.page,
    };
  } catch (error) {
    if (error instanceof PhpError) return null;
    throw error;
  }
}

function patternOf(table: PhpValue, name: string): string | undefined {
  const url = valueAt(valueAt(table, name), 'url');
  return typeof url === 'string' && url.startsWith('/') && url.length <= 200 ? url : undefined;
}
