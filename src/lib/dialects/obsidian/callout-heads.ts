import { CALLOUT_TITLES } from '../../markdown/syntax/callouts.ts';
import { kindOf, isKindName } from '../tags/callout-kinds.ts';

export interface CalloutHead {
  /** `quote` stays a quotation; other kinds are callouts of this site. */
  kind: string;
  title: string;
  /** Name that neither Obsidian nor its themes define; '' for others. */
  unknown: string;
}

/** Kinds that the renderer reads itself. */
const RENDERED = /^\[!(?:note|tip|important|warning|caution)\][ \t]*$/i;
const HEAD = /^\[!([^\]|\n]{1,40})(?:\|[^\]\n]{0,40})?\]([+-]?)[ \t]*([^\n]*)$/;

/** Titles of kinds that this site merges into others. */
const TITLES: Readonly<Record<string, string>> = {
  abstract: '摘要',
  summary: '摘要',
  tldr: '摘要',
  todo: '待办',
  success: '完成',
  check: '完成',
  done: '完成',
  question: '问题',
  help: '帮助',
  faq: '常见问题',
  failure: '失败',
  fail: '失败',
  missing: '缺失',
  error: '错误',
  bug: '缺陷',
  example: '示例',
  quote: '引用',
  cite: '引用',
  hint: '提示',
};

/** Reads the first line of a quotation; null unless it is the head of a callout that must be translated. */
export function readCalloutHead(line: string): CalloutHead | null {
  if (RENDERED.test(line)) return null;
  const [, written = '', fold = '', rest = ''] = HEAD.exec(line) ?? [];
  const name = written.trim().toLowerCase();
  if (name === '') return null;
  const given = plainTitle(rest);
  const isQuote = name === 'quote' || name === 'cite';
  const isKnown = isQuote || isKindName(name);
  const isFolded = fold === '-';
  const kind = isFolded ? 'details' : isQuote ? 'quote' : kindOf(name);
  const title = given || (isKnown ? titleOf(name, kind) : written.trim());
  return { kind, title, unknown: isKnown ? '' : written.trim() };
}

/** Returns the title of a callout without one; '' if the renderer's is right. */
function titleOf(name: string, kind: string): string {
  if (kind === 'quote') return '';
  const own: Readonly<Record<string, string>> = CALLOUT_TITLES;
  return TITLES[name] ?? (kind === 'details' ? (own[kindOf(name)] ?? '') : '');
}

/** Titles are plain text here; a bracket at the start would end the title at the next one. */
const plainTitle = (source: string): string =>
  source
    .replace(/!?\[([^\]]*)\]\((?:<[^>]*>|[^)]*)\)/g, '$1')
    .replace(/<\/?mark>|\*\*|__|`/g, '')
    .replace(/^\[([^\]]*)\]/, '［$1］')
    .trim();
