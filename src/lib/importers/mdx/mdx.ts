import { createTickEnds, FORMULA, skipFence } from '../../dialects/code-ends.ts';
import { applyEdits, unedited, type Edit, type Edited } from '../../markdown-file/edits.ts';
import { createLines, showLines, type Range } from '../../markdown-file/offsets.ts';
import { codeBlock, inlineCode, picture } from '../../dialects/tags/markdown.ts';
import { endOfBraces, endOfModule, readTag, type JsxAttribute, type JsxTag } from './read-jsx.ts';

interface MdxPart extends Range {
  /** `module`: lines of `import` or `export`; `expression`: braces. */
  kind: 'module' | 'expression' | 'tag';
  tag?: JsxTag;
}

const SIGN = /\n|`+|<!--|\$|\{|</g;
const FORMULA_HERE = new RegExp(FORMULA, 'y');
/** Signs without an end after which the rest counts as text: each costs a search. */
const MAX_FAILURES = 100;

/** Finds JSX, expressions and module lines outside of code, comments and formulas. */
function scanMdx(text: string): MdxPart[] {
  const found: MdxPart[] = [];
  const tickEnd = createTickEnds(text);
  let failures = 0;
  let isBlockStart = true;
  const take = (part: MdxPart | null): number | undefined => {
    if (part) found.push(part);
    else failures += 1;
    return part?.end;
  };
  /** Skips what starts at the start of a line. */
  const startLine = (start: number): number => {
    const end = isBlockStart ? endOfModule(text, start) : null;
    if (end !== null) return take({ kind: 'module', start, end }) ?? start;
    isBlockStart = /^[ \t]*(?:\n|$)/.test(text.slice(start, start + 200));
    return skipFence(text, start);
  };
  const readSign = (sign: string, start: number): number | undefined => {
    if (sign === '\n') return startLine(start + 1);
    if (sign === '<!--') return (text.indexOf('-->', start) + 1 || text.length) + 2;
    if (sign === '$') return endOfFormula(text, start);
    if (sign.startsWith('`')) return tickEnd(start);
    if (text[start - 1] === '\\') return undefined;
    return take(sign === '{' ? readExpression(text, start) : readElement(text, start));
  };
  const signs = new RegExp(SIGN);
  signs.lastIndex = startLine(0);
  for (let match = signs.exec(text); match; match = signs.exec(text)) {
    const { 0: sign, index } = match;
    if (failures === MAX_FAILURES) break;
    signs.lastIndex = readSign(sign, index) ?? index + sign.length;
  }
  return found;
}

function readExpression(text: string, start: number): MdxPart | null {
  const end = endOfBraces(text, start);
  return end === null ? null : { kind: 'expression', start, end };
}

function readElement(text: string, start: number): MdxPart | null {
  const tag = readTag(text, start);
  return tag && { kind: 'tag', start, end: tag.end, tag };
}

function endOfFormula(text: string, start: number): number | undefined {
  FORMULA_HERE.lastIndex = start;
  return FORMULA_HERE.test(text) ? FORMULA_HERE.lastIndex : undefined;
}

interface Work {
  text: string;
  /** Addresses of pictures that the file imports, by the name it gives them. */
  pictures: ReadonlyMap<string, string>;
  /** @param what name of a part that becomes code, or is left out */
  tell(what: string, start: number): void;
}

/** Characters before and after a part that are examined, so that the time is linear. */
const MAX_NEAR = 400;
/** In place of a part's markdown: the part stays, as code. */
const CODE = Symbol('code');
const PICTURES = /^(?:Image|Img|Picture)$/;

/**
 * Reads MDX as markdown: components and expressions become code, `import` lines are left out, HTML stays.
 * Nothing is evaluated. MDX's own parser refuses much of what generators accept, such as HTML comments.
 * @param lineOf converts a line of `source`, from 0, to a line of the file, from 1
 * @returns the markdown, and Chinese sentences that name what became code
 */
export function fromMdx(
  source: string,
  lineOf: (line: number) => number,
): { edited: Edited; warnings: string[] } {
  const parts = scanMdx(source);
  const lineAt = createLines(source);
  const told = new Map<string, Set<number>>();
  const work: Work = {
    text: source,
    pictures: importedPictures(parts.map(({ start, end }) => source.slice(start, end))),
    tell: (what, start) => {
      const lines = told.get(what) ?? new Set();
      told.set(what, lines.add(lineOf(lineAt(start))));
    },
  };
  const edits: Edit[] = [];
  const code: Range[] = [];
  for (const part of parts) {
    const by = rewrite(work, part);
    if (by === CODE) code.push({ start: part.start, end: part.end });
    else if (by !== null) edits.push({ start: part.start, end: part.end, by });
  }
  edits.push(...joinCode(source, code).map((range) => writeCode(source, range)));
  const warnings = [...told].map(([what, lines]) => `${what}：${showLines([...lines])}`);
  return { edited: applyEdits(unedited(source), edits), warnings };
}

const IMPORTED = /^import\s+([\w$]+)\s+from\s*["']([^"'\n]+\.(?:png|jpe?g|webp|gif|svg|avif))["']/gm;

const importedPictures = (sources: readonly string[]): Map<string, string> =>
  new Map(
    sources.flatMap((source) =>
      [...source.matchAll(IMPORTED)].map(([, name = '', address = '']): [string, string] => [name, address]),
    ),
  );

/** Returns markdown in place of a part; null if the part stays. */
function rewrite(work: Work, { kind, start, end, tag }: MdxPart): string | typeof CODE | null {
  const source = work.text.slice(start, end);
  if (kind === 'module') return rewriteModule(work, source, start);
  if (kind === 'expression') return rewriteExpression(work, start, source);
  return tag ? rewriteTag(work, tag, source) : null;
}

function rewriteModule({ tell }: Work, source: string, start: number): string {
  const parts = source.split(/\n(?=(?:import|export)\s)/);
  const kept = parts.filter((part) => part.startsWith('export'));
  if (kept.length < parts.length) tell('import 语句没有导入', start);
  if (kept.length === 0) return '';
  tell('export 语句保留为代码', start);
  return codeBlock(kept.join('\n'), 'jsx').block;
}

function rewriteExpression(work: Work, start: number, source: string): string | typeof CODE | null {
  // Docusaurus writes the id of a heading as `{#id}`.
  if (/^\{#[\w-]+\}$/.test(source)) return null;
  if (/^\{\s*\/\*[^]*\*\/\s*\}$/.test(source)) return source.replace(/[^\n]+/g, '');
  const text = literalIn(source);
  if (text !== null) return text;
  work.tell('表达式保留为代码', start);
  return CODE;
}

function rewriteTag(work: Work, tag: JsxTag, source: string): string | typeof CODE | null {
  const { name, start, isEnd } = tag;
  if (name === '') return '';
  const isHtml = /^[a-z][^.]*$/.test(name);
  const address = addressIn(work, tag, 'src');
  if (PICTURES.test(name) && address !== null)
    return picture(addressIn(work, tag, 'alt') ?? '', address, addressIn(work, tag, 'title') ?? '');
  if (isHtml) {
    const isPlain = tag.attributes.every((each) => each.name !== '' && !each.value.startsWith('{'));
    const written = isPlain ? null : writeHtml(work, tag, source);
    if (isPlain || written !== null) return written;
  }
  if (!isEnd) work.tell(`组件 <${name}> 保留为代码`, start);
  return CODE;
}

/** Leaves out attributes with expressions that only style or program an element; null if others have some. */
function writeHtml(work: Work, { attributes, start }: JsxTag, source: string): string | null {
  const edits: Edit[] = [];
  for (const { name, value, start: from, end } of attributes) {
    if (name !== '' && !value.startsWith('{')) continue;
    const text = valueOf(work, value);
    if (text === null && /^(?:src|href|srcset|poster|data)$/i.test(name)) return null;
    const by = text === null || name === '' ? '' : `${name}="${text.replaceAll('"', '&quot;')}"`;
    edits.push({ start: from - start, end: end - start, by });
  }
  return applyEdits(unedited(source), edits).text;
}

function addressIn(work: Work, { attributes }: JsxTag, name: string): string | null {
  const found = attributes.find((each): each is JsxAttribute => each.name === name);
  return found && found.value !== '' ? valueOf(work, found.value) : null;
}

/** Returns the text of an attribute's value; null for an expression whose value is unknown. */
function valueOf({ pictures }: Work, value: string): string | null {
  if (!value.startsWith('{')) return value.slice(1, -1);
  const inside = value.slice(1, -1).trim();
  const [, , required] = /^require\(\s*(["'])([^"'\n]+)\1\s*\)(?:\.default)?$/.exec(inside) ?? [];
  const number = /^\d{1,5}$/.test(inside) ? inside : null;
  return literalIn(value) ?? required ?? pictures.get(inside.replace(/\.src$/, '')) ?? number;
}

/** Returns the text of `{'text'}`; null for other expressions. */
function literalIn(source: string): string | null {
  const [, , text] = /^\{\s*(["'`])((?:(?!\1|\\|\$\{)[^])*)\1\s*\}$/.exec(source) ?? [];
  return text ?? null;
}

/** Joins parts that share a line with nothing between them, then those alone on neighbouring lines. */
function joinCode(text: string, parts: readonly Range[]): Range[] {
  const inLines = join(parts, (last, next) => /^[ \t]*$/.test(text.slice(last.end, next.start)));
  return join(
    inLines,
    (last, next) =>
      text.slice(last.end, next.start).trim() === '' &&
      indentBefore(text, last) !== null &&
      indentBefore(text, next) !== null &&
      isLineEnd(text, next.end),
  );
}

function join(ranges: readonly Range[], belong: (last: Range, next: Range) => boolean): Range[] {
  const joined: Range[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last && belong(last, range)) last.end = range.end;
    else joined.push({ ...range });
  }
  return joined;
}

/** Returns the indentation of a part that starts its line; null for another. */
function indentBefore(text: string, { start }: Range): string | null {
  const [, indent] = /(?:^|\n)([ \t]*)$/.exec(text.slice(Math.max(0, start - MAX_NEAR), start)) ?? [];
  return indent ?? null;
}

const isLineEnd = (text: string, end: number): boolean =>
  /^[ \t]*(?:\n|$)/.test(text.slice(end, end + MAX_NEAR));

/** Writes a part as code: as a block between blank lines if it is alone on its lines. */
function writeCode(text: string, { start, end }: Range): Edit {
  const source = text.slice(start, end);
  const indent = indentBefore(text, { start, end });
  if (indent === null || !isLineEnd(text, end)) return { start, end, by: inlineCode(source) };
  const { block } = codeBlock(source.replaceAll(`\n${indent}`, '\n'), 'jsx');
  const isAfterText = /\S[ \t]*\n[ \t]*$/.test(text.slice(Math.max(0, start - MAX_NEAR), start));
  const isBeforeText = /^[ \t]*\n[ \t]*\S/.test(text.slice(end, end + MAX_NEAR));
  const lead = isAfterText ? `\n${indent}` : '';
  return { start, end, by: `${lead}${block.replaceAll('\n', `\n${indent}`)}${isBeforeText ? '\n' : ''}` };
}
