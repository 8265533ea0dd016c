import type { Element, ElementContent } from 'hast';
import { element, isElement, textOf } from '../elements.ts';
import { classesOf, isHidden } from './styles.ts';

const LANGUAGE = /^(?:lang(?:uage)?|highlight-(?:source|text)|code-snippet_)[-_]([\w+#.-]{1,40})$/;
/** Said by programs for code of no language. */
const NONE = new Set([
  'plain',
  'plaintext',
  'plain-text',
  'text',
  'txt',
  'none',
  'auto',
  'fix',
  'nowrap',
  'js-line',
]);

/** Parts of a page that are no text: numbers of lines, labels and buttons, where a browser is to break. */
const CONTROL = new RegExp(
  '^(?:code-snippet__line-index|line-index|line-numbers?(?:-\\w+)?|pre-numbering|hljs-ln-numbers|hljs-button|gutter|' +
    'code-bar|code-block-extension-header|.*copy-?(?:button|btn|code).*|Apple-interchange-newline)$',
  'i',
);

/** Whether an element belongs to the page's controls and not to its text. */
export function isControl(node: Element): boolean {
  const names = classesOf(node);
  // The name of the language over code, as VitePress shows it.
  return names.some((name) => CONTROL.test(name)) || (node.tagName === 'span' && names.join() === 'lang');
}

/**
 * The code in a frame around it, as one `pre`: of this site, where a long block stands in two pieces and a
 * diagram has its source below, and of Hexo, whose lines stand beside their numbers in a table. Undefined for
 * what is none.
 */
export function codeFrameOf(node: Element): Element | undefined {
  const names = classesOf(node);
  const isDiagram = isElement(node, 'figure') && names.includes('diagram');
  const isHexo = isElement(node, 'figure') && names.includes('highlight');
  if (!isDiagram && !isHexo && !names.includes('code-block')) return undefined;
  const pieces = piecesIn(node.children);
  if (pieces.length === 0) return undefined;
  const named = isDiagram
    ? 'mermaid'
    : isHexo
      ? (names.find((name) => !/^(?:highlight|hljs)$/.test(name)) ?? '')
      : '';
  const language = isLanguage(named) ? named : pieces.map(languageOf).find((name) => name !== '');
  const lines = pieces
    .flatMap(({ children }) => children)
    .flatMap((child) => (isElement(child, 'code') ? child.children : [child]));
  return cleanCode(element('pre', { dataLanguage: language }, lines), undefined);
}

/** Every `pre` below, but for numbers of lines. */
const piecesIn = (nodes: readonly ElementContent[]): Element[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return [];
    if (node.tagName === 'pre') return [node];
    return isControl(node) ? [] : piecesIn(node.children);
  });

/** A `pre` as every program writes it, as one `code` with its language: lines may be elements or breaks. */
export function cleanCode(pre: Element, parent: Element | undefined): Element {
  const inner = pre.children.filter((child) => isElement(child));
  const language = [pre, ...inner, ...(parent ? [parent] : [])].map(languageOf).find((name) => name !== '');
  const text = linesOf(pre.children).replace(/\u00a0/g, ' ');
  const className = language === undefined ? {} : { className: [`language-${language}`] };
  return element('pre', {}, [element('code', className, [{ type: 'text', value: text }])]);
}

/** The language that an element names, in small letters; '' for none. */
function languageOf(node: Element): string {
  const { dataLanguage, dataLang, dataLarkLanguage } = node.properties;
  const named = [dataLanguage, dataLang, dataLarkLanguage].find((name) => typeof name === 'string');
  const names = named === undefined ? classesOf(node).map((name) => LANGUAGE.exec(name)?.[1] ?? '') : [named];
  return names.map((name) => name.trim().toLowerCase()).find(isLanguage) ?? '';
}

const isLanguage = (name: string) => name !== '' && !/\s/.test(name) && !NONE.has(name);

/** Text as it is laid out: breaks, and elements that are lines of their own, end one. */
function linesOf(nodes: ElementContent[]): string {
  const codes = nodes.filter((node) => isElement(node, 'code')).length;
  let text = '';
  for (const node of nodes) {
    if (isElement(node) && (node.tagName === 'button' || isControl(node) || isHidden(node))) continue;
    const isLine = isElement(node, 'div', 'p', 'li', 'tr') || (codes > 1 && isElement(node, 'code'));
    if (isLine && text !== '' && !text.endsWith('\n')) text += '\n';
    if (isElement(node)) text += node.tagName === 'br' ? '\n' : linesOf(node.children);
    // White space between lines of their own is the markup's.
    else if (codes < 2 || textOf(node).trim() !== '') text += textOf(node);
    if (isLine && (textOf(node) === '' || codes > 1)) text += '\n';
  }
  return text;
}
