import { createTickEnds, FORMULA, skipFence } from '../../dialects/code-ends.ts';
import { endOfBraces, endOfModule, readTag, type JsxTag } from './read-jsx.ts';

export interface MdxPart {
  start: number;
  end: number;
  /** `module`: lines of `import` or `export`; `expression`: braces. */
  kind: 'module' | 'expression' | 'tag';
  tag?: JsxTag;
}

const SIGN = /\n|`+|<!--|\$|\{|</g;
const FORMULA_HERE = new RegExp(FORMULA, 'y');
/** Signs without an end after which the rest counts as text: each costs a search. */
const MAX_FAILURES = 100;

/** Finds JSX, expressions and module lines outside of code, comments and formulas. */
export function scanMdx(text: string): MdxPart[] {
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
