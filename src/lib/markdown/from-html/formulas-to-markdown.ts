import type { Element } from 'hast';
import type { Nodes, Parents, PhrasingContent, Root, RootContent, Text } from 'mdast';
import type { Options as FromOptions } from 'rehype-remark';
import type { Options as ToOptions } from 'remark-stringify';
import { classesOf, textOf } from '../elements.ts';
import { AFTER_NO_FORMULA } from '../../shared/signs.ts';
import type { InlineMath, Math } from '../math/math.ts';

type FromHandler = NonNullable<NonNullable<FromOptions['handlers']>[string]>;
type ToHandlers = NonNullable<ToOptions['handlers']>;
type ToHandler = NonNullable<ToHandlers[keyof ToHandlers]>;

/** Dollars in text that would be read as a formula. */
const READ_AS_FORMULA = new RegExp(
  String.raw`\$\$|\$(?!\s)[^$]*[^\s$]\$(?!${AFTER_NO_FORMULA.source})`,
  'gu',
);

export const formulaOrCode: FromHandler = (state, node: Element) => {
  const names = classesOf(node);
  const isDisplay = names.includes('math-display');
  const type = isDisplay ? 'math' : names.includes('language-math') ? 'inlineMath' : 'inlineCode';
  const result: Nodes = { type, value: textOf(node) };
  state.patch(node, result);
  return result;
};

/** Remark plugin: moves display formulas that fill a paragraph into separate blocks. */
export function remarkFormulaBlocks() {
  return (tree: Root): void => lift(tree);
}

function lift(parent: Nodes): void {
  if (!('children' in parent)) return;
  const children = parent.children.flatMap((child) => {
    lift(child);
    const isAlone = child.type === 'paragraph' && child.children.every(isDisplay);
    return isAlone ? child.children.filter(isFormula) : [child];
  });
  Object.assign(parent, { children });
}

const isFormula = (node: PhrasingContent | RootContent) => node.type === 'math';
const isDisplay = (node: PhrasingContent): boolean =>
  isFormula(node) || node.type === 'break' || (node.type === 'text' && node.value.trim() === '');

/** A pipe would end a table cell. */
const inCell = (tex: string, { stack }: { stack: readonly string[] }): string =>
  stack.includes('tableCell') ? tex.replaceAll('|', String.raw`\vert `).trim() : tex;

const inlineMath: ToHandler = ({ value }: InlineMath, _parent, state, { after }) => {
  const tex = inCell(value, state);
  // A backtick or a dollar would end the formula.
  if (/[`$]/.test(tex)) return `\`\`${tex.replaceAll('`', "'")}\`\``;
  return `$${tex}$${AFTER_NO_FORMULA.test(after) ? ' ' : ''}`;
};

const math: ToHandler = ({ value }: Math, parent: Parents | undefined, state) => {
  const tex = inCell(value, state);
  const isInLine =
    parent !== undefined && /^(?:paragraph|heading|tableCell|strong|emphasis|link)$/.test(parent.type);
  return isInLine ? `$$${tex}$$` : `$$\n${tex.replaceAll('\\\\ ', '\\\\\n')}\n$$`;
};

/** Matches text with a dollar that would pair with the dollar of a formula directly after it. */
const READ_WITH_NEXT = /\$(?!\s).*\S$/s;

const text: ToHandler = (node: Text, _parent, state, info) => {
  const escape = (dollars: string): string => dollars.replaceAll('$', String.raw`\$`);
  const safe = state.safe(node.value, info).replace(READ_AS_FORMULA, escape);
  const isBefore = info.after.startsWith('$') && READ_WITH_NEXT.test(safe);
  return isBefore ? safe.replace(/(?<!\\)\$/g, escape) : safe;
};

export const formulaHandlers = { inlineMath, math, text } as ToHandlers;
