import type { Element, ElementContent, Root, RootContent } from 'hast';
import { isElement, textOf } from '../elements.ts';
import { emsOf, WIDE } from '../text-width.ts';
import { walk } from '../walk.ts';

/** Longest inline code that stays on one line; wide characters count twice. */
const MAX_WHOLE_CODE = 24;
/** Width of a run that may move to the next line as a whole: justification spreads at most this much. */
const MAX_RUN_EMS = 3;
/** Shorter blocks fit on one line, which is never justified. */
const MIN_BLOCK_EMS = 22;

const BLOCKS = 'p li dd dt div blockquote section aside details'.split(' ');
/** Further elements that end a line; the text of a block inside a block is not on its lines. */
const OTHERS = 'br ul ol dl pre table figure hr h1 h2 h3 h4 h5 h6 summary'.split(' ');
const ENDS = new Set([...BLOCKS, ...OTHERS]);

/** Characters between two places where a line may break; closing punctuation never begins a line. */
const RUN = new RegExp(`[^\\s${WIDE}]+[，。、；：！？）】」』》〉]*`, 'gu');
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$/i;

/**
 * Marks, in place, links that show their address and long inline code, which may break anywhere, and blocks
 * with other long runs, whose lines justification would tear apart (prose.css).
 */
export function markLines(tree: Root): void {
  walk<RootContent>(tree, (node) => {
    if (isElement(node, 'pre', 'svg')) return 'skip';
    if (!isElement(node)) return undefined;
    if (isBreakable(node)) addClass(node, 'breakable');
    else if (isElement(node, ...BLOCKS) && isRagged(node)) addClass(node, 'ragged');
    return undefined;
  });
}

function isRagged(block: Element): boolean {
  const text = block.children.map(lineText).join('');
  const runs = emsOf(text) > MIN_BLOCK_EMS ? text.match(RUN) : null;
  return runs?.some((run) => emsOf(run) > MAX_RUN_EMS) ?? false;
}

function addClass(node: Element, name: string): void {
  node.properties.className = [...classesOf(node), name];
}

const classesOf = ({ properties: { className } }: Element) => (Array.isArray(className) ? className : []);

function isBreakable(node: Element): boolean {
  if (node.tagName === 'a') return ADDRESS.test(textOf(node));
  return (
    node.tagName === 'code' && !isFormula(node) && emsOf(textOf(node)) > emsOf('x'.repeat(MAX_WHOLE_CODE))
  );
}

const isFormula = (code: Element) => classesOf(code).includes('language-math');

/** Returns the text of a node on its block's lines; what cannot break becomes a run of the same width. */
function lineText(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  if (!isElement(node)) return '';
  if (ENDS.has(node.tagName)) return '\n';
  if (node.tagName === 'img') return 'x'.repeat(MAX_WHOLE_CODE);
  if (isBreakable(node)) return ' ';
  if (node.tagName === 'code') return textOf(node).replace(/\\[a-z]+|[\s{}^_]/gi, 'x');
  return node.children.map(lineText).join('');
}
