import { parse as parseToml, TomlDate, TomlError } from 'smol-toml';
import { parseDocument, YAMLParseError } from 'yaml';
import { Problem } from './problem.ts';

export type Metadata = Readonly<Record<string, unknown>>;

interface Block {
  kind: 'YAML' | 'TOML' | 'JSON';
  source: string;
  /** Line of the file, from 1, on which `source` starts. */
  line: number;
  end: number;
}

const YAML = /^---[ \t]*\n(?:([\s\S]*?)\n)??(?:---|\.\.\.)[ \t]*(?:\n|$)/;
const TOML = /^\+\+\+[ \t]*\n(?:([\s\S]*?)\n)??\+\+\+[ \t]*(?:\n|$)/;
/** Older Hexo templates omit the opening line. */
const UNOPENED =
  /^((?:title|date|layout|tags|categories|author|permalink):[^\n]*\n(?:[^\n]*\n){0,60}?)---[ \t]*(?:\n|$)/;

/** Hexo's JSON: the fields of an object without its braces, closed by `;;;`. */
const FIELDS = /^(?:;;;[ \t]*\n)?("[\w-]{1,40}"[ \t]*:[^\n]*\n(?:[^\n]*\n){0,200}?);;;[ \t]*(?:\n|$)/;

/**
 * Splits front matter (YAML in `---`, TOML in `+++`, a JSON object, Hexo's JSON) from the body. A `---` that
 * does not open a mapping belongs to the body.
 * @throws Problem for unreadable front matter: guessing might publish a draft
 */
export function splitFrontMatter(text: string): { metadata: Metadata; body: string } {
  const block = findBlock(text);
  if (!block) return { metadata: {}, body: text };
  const value = read(block);
  if (value === null) return { metadata: {}, body: text.slice(block.end) };
  if (!isObject(value) || Array.isArray(value)) return { metadata: {}, body: text };
  return { metadata: value, body: text.slice(block.end) };
}

function findBlock(text: string): Block | null {
  const yaml = YAML.exec(text);
  if (yaml) return { kind: 'YAML', source: yaml[1] ?? '', line: 2, end: yaml[0].length };
  const unopened = UNOPENED.exec(text);
  if (unopened) return { kind: 'YAML', source: unopened[1] ?? '', line: 1, end: unopened[0].length };
  const toml = TOML.exec(text);
  if (toml) return { kind: 'TOML', source: toml[1] ?? '', line: 2, end: toml[0].length };
  const fields = FIELDS.exec(text);
  if (fields) {
    const line = text.startsWith(';') ? 2 : 1;
    return { kind: 'JSON', source: `{${fields[1]}}`, line, end: fields[0].length };
  }
  if (!/^\{\s*["}]/.test(text)) return null;
  const end = endOfObject(text);
  return end < 0 ? null : { kind: 'JSON', source: text.slice(0, end), line: 1, end };
}

function read({ kind, source, line }: Block): unknown {
  try {
    return parseMetadata(kind, source);
  } catch (error) {
    // The parsers explain errors in English.
    const at = errorLine(error, source);
    const wrong = source.split('\n')[at - 1]?.trim().slice(0, MAX_SHOWN_CHARACTERS) ?? '';
    throw new Problem(`文件开头的 ${kind} 信息无法解析：第 ${at + line - 1} 行“${wrong}”`, { cause: error });
  }
}

const MAX_SHOWN_CHARACTERS = 60;

/** Returns the line of `source`, from 1, at which a parser failed; 1 if the error does not tell. */
function errorLine(error: unknown, source: string): number {
  if (error instanceof YAMLParseError) return error.linePos?.[0].line ?? 1;
  if (error instanceof TomlError) return error.line;
  const [, offset] = /at position (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  return offset === undefined ? 1 : source.slice(0, Number(offset)).split('\n').length;
}

export function parseMetadata(kind: Block['kind'], source: string): unknown {
  if (kind === 'JSON') return JSON.parse(source);
  if (kind === 'TOML') return parseToml(source);
  // In templates such as `title: {{ title }}` a mapping is a key, of which the parser would warn.
  const document = parseYaml(source);
  const [error] = document.errors;
  // YAML refuses tabs as indentation; Hexo reads them as two spaces.
  if (error && /^\t/m.test(source)) return parseMetadata(kind, source.replace(/^\t+/gm, spaces));
  if (error) throw error;
  return document.toJS({ maxAliasCount: 100 });
}

const spaces = (tabs: string): string => '  '.repeat(tabs.length);

const parseYaml = (source: string) => parseDocument(source, { uniqueKeys: false, logLevel: 'error' });

function endOfObject(text: string): number {
  let depth = 0;
  const token = /"(?:[^"\\\n]|\\.)*"|[{}]/g;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{') depth += 1;
    else if (match[0] === '}') depth -= 1;
    if (depth === 0) return match.index + 1;
  }
  return -1;
}

/** Spelling of a field's name without case, spaces, hyphens and underscores. */
export const nameKey = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** Returns the entries called one of `names` in any spelling, in the order of `names`, without empty ones. */
export function pickEntries(metadata: Metadata, names: readonly string[]): [string, unknown][] {
  const entries = Object.entries(metadata).filter(([, value]) => isGiven(value));
  return names.flatMap((name) => entries.filter(([key]) => nameKey(key) === nameKey(name)));
}

/** Returns the value of the first of `names` that is present and not empty, in any spelling. */
export const pick = (metadata: Metadata, ...names: string[]): unknown => pickEntries(metadata, names)[0]?.[1];

/** Returns a string, number or date as text; otherwise the empty string. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return value instanceof TomlDate ? value.toISOString() : '';
}

/** Returns the texts of a list, or of a single value, without empty ones. */
export const asTexts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(asText).filter((text) => text !== '');

export const isObject = (value: unknown): value is Metadata => typeof value === 'object' && value !== null;

/** Returns an object; empty for other values. */
export const asObject = (value: unknown): Metadata => (isObject(value) ? value : {});

/** Returns a boolean, or `undefined` if the value is not one. */
export function asSwitch(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = asText(value).toLowerCase();
  if (/^(?:true|yes|on|1)$/.test(text)) return true;
  return /^(?:false|no|off|0)$/.test(text) ? false : undefined;
}
