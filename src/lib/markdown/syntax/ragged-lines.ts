import type { Element, ElementContent, Root, RootContent } from 'hast';
import { classesOf, element, isElement, textOf } from '../elements.ts';
import { emsOf, WIDE } from '../text-width.ts';
import { walk } from '../walk.ts';

/** Longest inline code that stays on one line; wide characters count twice. */
const MAX_WHOLE_CODE = 24;
/** Width of a run that may move to the next line as a whole: justification spreads at most this much. */
const MAX_RUN_EMS = 2.9;
/** Shorter blocks fit on one line, which is never justified. */
const MIN_BLOCK_EMS = 22;

const BLOCKS = 'p li dd dt div blockquote section aside details'.split(' ');
/** Further elements that end a line; the text of a block inside a block is not on its lines. */
const OTHERS = 'br ul ol dl pre table figure hr h1 h2 h3 h4 h5 h6 summary'.split(' ');
const ENDS = new Set([...BLOCKS, ...OTHERS]);

/** Punctuation that never ends a line, and punctuation that never begins one. */
const OPENING = '（【「『《〈“‘';
const CLOSING = '，。、；：！？）】」』》〉”’…—';
/** Characters between two places where a line may break. */
const RUN = new RegExp(`[${OPENING}]*(?:[^\\s${WIDE}${OPENING}${CLOSING}]+|[${WIDE}])[${CLOSING}]*`, 'gu');
/** Punctuation is often set narrower. */
const PUNCTUATION = new RegExp(`[${OPENING}${CLOSING.replace('…—', '')}]`, 'gu');
const PUNCTUATION_EMS = 0.75;
/** End of a text after which a line may break, and signs before which none does. */
const WIDE_END = new RegExp(`(?![${OPENING}])[${WIDE}]$`, 'u');
const FIRST_SIGN = /^[-/.,:;!?%)\]}]/;
const ADDRESS = /^(?:https?:\/\/|www\.)\S+$/i;

/**
 * Marks, in place, links that show their address and long inline code, which may break anywhere, and blocks
 * with other long runs, whose lines justification would tear apart (prose.css). A line may break between
 * Chinese and code that begins with a sign, such as a path.
 */
export function markLines(tree: Root): void {
  walk<RootContent>(tree, (node, index, parent) => {
    if (isElement(node, 'pre', 'svg')) return 'skip';
    if (node.type === 'text' && isSigned(parent.children[index + 1]) && WIDE_END.test(node.value.slice(-2)))
      parent.children.splice(index + 1, 0, element('wbr', {}));
    if (!isElement(node)) return undefined;
    if (isBreakable(node)) addClass(node, 'breakable');
    else if (isElement(node, ...BLOCKS) && isRagged(node)) addClass(node, 'ragged');
    return undefined;
  });
}

function isRagged(block: Element): boolean {
  const text = block.children.map(lineText).join('');
  const runs = emsOf(text) > MIN_BLOCK_EMS ? text.match(RUN) : null;
  // No character is wider than an em, and most runs are a single Chinese character.
  return runs?.some((run) => run.length > MAX_RUN_EMS && runEms(run) > MAX_RUN_EMS) ?? false;
}

function runEms(run: string): number {
  const words = run.replace(PUNCTUATION, '');
  return emsOf(words.replace(/[…—]/g, '字')) + (run.length - words.length) * PUNCTUATION_EMS;
}

function addClass(node: Element, name: string): void {
  node.properties.className = [...classesOf(node), name];
}

function isBreakable(node: Element): boolean {
  if (node.tagName === 'a') return ADDRESS.test(textOf(node));
  return (
    node.tagName === 'code' && !isFormula(node) && emsOf(textOf(node)) > emsOf('x'.repeat(MAX_WHOLE_CODE))
  );
}

const isSigned = (node: RootContent | undefined): boolean =>
  node !== undefined && isElement(node, 'code') && !isFormula(node) && FIRST_SIGN.test(textOf(node));

const isFormula = (code: Element) => classesOf(code).includes('language-math');

/** Returns the text of a node on its block's lines; what cannot break becomes a run of the same width. */
function lineText(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  if (!isElement(node)) return '';
  if (ENDS.has(node.tagName)) return '\n';
  if (node.tagName === 'img') return 'x'.repeat(MAX_WHOLE_CODE);
  if (isBreakable(node)) return ' '.repeat(textOf(node).length);
  if (node.tagName === 'code') return textOf(node).replace(/\\[a-z]+|[\s{}^_]/gi, 'x');
  return node.children.map(lineText).join('');
}
