import type { Element, ElementContent } from 'hast';
import { classesOf, element, isElement, textOf } from '../elements.ts';
import { isHidden } from './styles.ts';

const LANGUAGE = /^(?:lang(?:uage)?|highlight-(?:source|text)|code-snippet_)[-_]([\w+#.-]{1,40})$/;
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

/**
 * Classes of elements that are not content (line numbers, labels, buttons), and of a browser's trailing line
 * break.
 */
const CONTROL =
  /^(?:.*line-(?:index|numbers?)(?:-\w+)?|pre-numbering|hljs-ln-numbers|hljs-button|code-bar|code-block-extension-header|.*copy-?(?:button|btn|code).*|Apple-interchange-newline)$/i;

export function isControl(node: Element): boolean {
  const names = classesOf(node);
  // Hexo's line numbers, and VitePress's language label above code.
  if (names.includes('gutter') || (node.tagName === 'span' && names.join() === 'lang')) return true;
  // A wrapper around code may be named after a feature (`line-numbers-mode`).
  return names.some((name) => CONTROL.test(name)) && !holdsCode(node);
}

const holdsCode = ({ children }: Element): boolean =>
  children.some((child) => isElement(child) && (isElement(child, 'pre', 'code') || holdsCode(child)));

/**
 * Returns the code inside a frame as one `pre`, else undefined. Frames of this site split a long block in two
 * and show a diagram's source below it; Hexo puts lines next to their numbers in a table.
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

const piecesIn = (nodes: readonly ElementContent[]): Element[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return [];
    if (node.tagName === 'pre') return [node];
    return isControl(node) ? [] : piecesIn(node.children);
  });

/**
 * Converts a `pre` of any program to one with a single `code` and its language; lines may be elements or
 * breaks.
 */
export function cleanCode(pre: Element, parent: Element | undefined): Element {
  const language = languageIn(pre) || (parent ? languageOf(parent) : '');
  return preOf(linesOf(pre.children), language);
}

function preOf(text: string, language = ''): Element {
  const className = language === '' ? {} : { className: [`language-${language.toLowerCase()}`] };
  const code = element('code', className, [{ type: 'text', value: text.replace(/\u00a0/g, ' ') }]);
  return element('pre', {}, [code]);
}

const languageIn = (pre: Element): string =>
  [pre, ...pre.children.filter((child) => isElement(child))].map(languageOf).find((name) => name !== '') ??
  '';

/**
 * Values of `lang` for human languages; on code, WP-Syntax and WordPress use `lang` for programming
 * languages.
 */
const SPOKEN = /^(?:zh|en|ja|ko|de|fr|es|ru|pt|it)(?:[-_]\w+)*$/i;

function languageOf(node: Element): string {
  const { dataLanguage, dataLang, dataLarkLanguage, dataEnlighterLanguage, lang } = node.properties;
  const named = [dataLanguage, dataLang, dataLarkLanguage, dataEnlighterLanguage].find(
    (name) => typeof name === 'string',
  );
  const names = named === undefined ? languagesIn(classesOf(node)) : [named];
  if (typeof lang === 'string' && isElement(node, 'pre', 'code') && !SPOKEN.test(lang)) names.push(lang);
  return names.map((name) => name.trim().toLowerCase()).find(isLanguage) ?? '';
}

/**
 * Returns languages named by classes: `language-php`, SyntaxHighlighter's `brush: php;`, Crayon's `lang:php`.
 */
function languagesIn(classes: readonly string[]): string[] {
  const [, brush] = /(?:^|\s)(?:brush:\s*|lang:)([\w+#.-]{1,40})/.exec(classes.join(' ')) ?? [];
  const [, drawn] = /^hljs ([a-z][\w+#.-]{0,39})$/.exec(classes.join(' ')) ?? [];
  const named = classes.map((name) => LANGUAGE.exec(name)?.[1] ?? '');
  return [...named, brush ?? '', drawn ?? ''];
}

const isLanguage = (name: string) => name !== '' && !/\s/.test(name) && !NONE.has(name);

/** Returns the text as displayed: `br`, and elements that form a line, end a line. */
function linesOf(nodes: ElementContent[]): string {
  const codes = nodes.filter((node) => isElement(node, 'code')).length;
  let text = '';
  for (const node of nodes) {
    if (isElement(node) && (node.tagName === 'button' || isControl(node) || isHidden(node))) continue;
    const isLine = isElement(node, 'div', 'p', 'li', 'tr') || (codes > 1 && isElement(node, 'code'));
    if (isLine && text !== '' && !text.endsWith('\n')) text += '\n';
    if (isElement(node)) text += node.tagName === 'br' ? '\n' : linesOf(node.children);
    // White space between line elements belongs to the markup.
    else if (codes < 2 || textOf(node).trim() !== '') text += textOf(node);
    if (isLine && (textOf(node) === '' || codes > 1)) text += '\n';
  }
  return text;
}
