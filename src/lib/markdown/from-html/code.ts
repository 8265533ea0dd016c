import type { Element, ElementContent } from 'hast';
import { element, isElement, textOf } from '../elements.ts';
import { classesOf } from './styles.ts';

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
    const isLine = isElement(node, 'div', 'p', 'li', 'tr') || (codes > 1 && isElement(node, 'code'));
    if (isLine && text !== '' && !text.endsWith('\n')) text += '\n';
    if (isElement(node)) text += node.tagName === 'br' ? '\n' : linesOf(node.children);
    // White space between lines of their own is the markup's.
    else if (codes < 2 || textOf(node).trim() !== '') text += textOf(node);
    if (isLine && (textOf(node) === '' || codes > 1)) text += '\n';
  }
  return text;
}
