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
  'default',
  'generic',
  'raw',
]);

/** Names of what is no text of a page: numbers of lines, labels and buttons, where a browser may break. */
const CONTROL =
  /^(?:.*line-(?:index|numbers?)(?:-\w+)?|pre-numbering|hljs-ln-numbers|hljs-button|code-bar|code-block-extension-header|.*copy-?(?:button|btn|code).*|Apple-interchange-newline)$/i;

/** Whether an element belongs to the page's controls and not to its text. */
export function isControl(node: Element): boolean {
  const names = classesOf(node);
  // The numbers of Hexo's lines, and the name of the language over code, as VitePress shows it.
  if (names.includes('gutter') || (node.tagName === 'span' && names.join() === 'lang')) return true;
  // What is around code may be called after what it has (`line-numbers-mode`).
  return names.some((name) => CONTROL.test(name)) && !holdsCode(node);
}

const holdsCode = ({ children }: Element): boolean =>
  children.some((child) => isElement(child) && (isElement(child, 'pre', 'code') || holdsCode(child)));

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
  const [own = ''] = isHexo ? names.filter((name) => !/^(?:highlight|hljs)$/.test(name)) : [];
  const named = isDiagram ? 'mermaid' : own;
  const language = isLanguage(named) ? named : pieces.map(languageIn).find((name) => name !== '');
  const text = pieces.map(({ children }) => linesOf(children).replace(/(?<!\n)$/, '\n')).join('');
  return preOf(text, language);
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
  const language = languageIn(pre) || (parent ? languageOf(parent) : '');
  return preOf(linesOf(pre.children), language);
}

function preOf(text: string, language = ''): Element {
  const className = language === '' ? {} : { className: [`language-${language.toLowerCase()}`] };
  const code = element('code', className, [{ type: 'text', value: text.replace(/\u00a0/g, ' ') }]);
  return element('pre', {}, [code]);
}

/** The language that a `pre` names, or what stands in it. */
const languageIn = (pre: Element): string =>
  [pre, ...pre.children.filter((child) => isElement(child))].map(languageOf).find((name) => name !== '') ??
  '';

/** Of texts, not of code: `lang` on code is WP-Syntax's and WordPress's word for both. */
const SPOKEN = /^(?:zh|en|ja|ko|de|fr|es|ru|pt|it)(?:[-_]\w+)*$/i;

/** The language that an element names, in small letters; '' for none. */
function languageOf(node: Element): string {
  const { dataLanguage, dataLang, dataLarkLanguage, dataEnlighterLanguage, lang } = node.properties;
  const named = [dataLanguage, dataLang, dataLarkLanguage, dataEnlighterLanguage].find(
    (name) => typeof name === 'string',
  );
  const names = named === undefined ? languagesIn(classesOf(node)) : [named];
  if (typeof lang === 'string' && isElement(node, 'pre', 'code') && !SPOKEN.test(lang)) names.push(lang);
  return names.map((name) => name.trim().toLowerCase()).find(isLanguage) ?? '';
}

/** Languages that classes name: `language-php`, SyntaxHighlighter's `brush: php;`, Crayon's `lang:php`. */
function languagesIn(classes: readonly string[]): string[] {
  const [, brush] = /(?:^|\s)(?:brush:\s*|lang:)([\w+#.-]{1,40})/.exec(classes.join(' ')) ?? [];
  const [, drawn] = /^hljs ([a-z][\w+#.-]{0,39})$/.exec(classes.join(' ')) ?? [];
  const named = classes.map((name) => LANGUAGE.exec(name)?.[1] ?? '');
  return [...named, brush ?? '', drawn ?? ''];
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
