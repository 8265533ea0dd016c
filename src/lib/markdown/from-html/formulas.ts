import type { Element, ElementContent } from 'hast';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { classesOf, element, isElement, texOf, textOf } from '../elements.ts';
import { some, walk } from '../walk.ts';

export type MathmlToTex = (mathml: string) => string;

const written = unified().use(rehypeStringify).freeze();

export const mayHaveMathml = (html: string): boolean => /<math[\s>]|data-mathml/i.test(html);

/**
 * Converts a formula of KaTeX, MathJax, Wikipedia, 知乎, 语雀 and similar sites to `code` with TeX
 * (math/math.ts); undefined if the element is not a formula. TeX in the page takes precedence over
 * MathML.
 */
export function cleanFormula(node: Element, toTex: MathmlToTex | undefined): Element | undefined {
  const kind = kindOf(node);
  const tex = kind && trimmed(kind.tex ?? mathmlTex(node, toTex) ?? '');
  if (!tex) return undefined;
  const isDisplay = kind.isDisplay || tex.endsWith('\\\\');
  const className = ['language-math', ...(isDisplay ? ['math-display'] : [])];
  return element('code', { className }, [{ type: 'text', value: tex.replace(/\\\\$/, '').trim() }]);
}

/** Removes the output that MathJax 2 puts before each TeX script. */
export function withoutDrawnTex(nodes: ElementContent[]): ElementContent[] {
  if (!nodes.some(isTexScript)) return nodes;
  let isBeforeScript = false;
  const kept = nodes.toReversed().filter((node) => {
    const isDrawn = isElement(node) && classesOf(node).some((name) => /^MathJax(?:_|$)/.test(name));
    if (isTexScript(node)) isBeforeScript = true;
    else if (!isDrawn && textOf(node).trim() !== '') isBeforeScript = false;
    return !(isDrawn && isBeforeScript);
  });
  return kept.toReversed();
}

const isTexScript = (node: ElementContent): boolean =>
  isElement(node, 'script') && /^math\/tex\b/i.test(text(node.properties.type));

interface Kind {
  tex?: string | undefined;
  isDisplay: boolean;
}

function kindOf(node: Element): Kind | undefined {
  const names = classesOf(node);
  const has = (name: RegExp) => names.some((each) => name.test(each));
  const { properties, tagName } = node;
  if (isTexScript(node)) return { tex: textOf(node), isDisplay: /display/i.test(text(properties.type)) };
  if (tagName === 'img') return pictureKind(node);
  if (text(properties['dataTex']) !== '' && has(/math/))
    return { tex: text(properties['dataTex']), isDisplay: properties['dataEeimg'] === '2' };
  if (tagName === 'mjx-container')
    return { tex: sourceIn(node), isDisplay: ['true', ''].includes(text(properties['display'], 'false')) };
  if (has(/^katex(?:-display|--display|--inline)?$/))
    return { tex: sourceIn(node), isDisplay: has(/-display$/) || hasDisplay(node) };
  if (has(/^MathJax(?:_Display|_SVG(?:_Display)?)?$/))
    return { tex: sourceIn(node), isDisplay: has(/_Display$/) || hasDisplay(node) };
  if (tagName !== 'math') return undefined;
  return { tex: sourceIn(node), isDisplay: properties['display'] === 'block' };
}

/** Reads the TeX of a formula picture from its address or its alternative text. */
function pictureKind(image: Element): Kind | undefined {
  const { src, alt, eeimg } = image.properties;
  const address = text(src);
  const words = text(alt);
  const [, query] =
    /\/equation\?(?:.*&)?tex=([^&]*)/.exec(address) ?? /#card=math&code=([^&]*)/.exec(address) ?? [];
  if (query !== undefined) return { tex: decoded(query) ?? words, isDisplay: eeimg === '2' };
  const isWikipedia = classesOf(image).some((name) => name.startsWith('mwe-math-fallback-image'));
  if (isWikipedia)
    return { tex: words, isDisplay: classesOf(image).some((name) => name.endsWith('display')) };
  return undefined;
}

function decoded(query: string): string | undefined {
  try {
    return decodeURIComponent(query.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

function sourceIn(node: Element): string | undefined {
  let found: string | undefined;
  walk<ElementContent>({ children: [node] }, (child) => {
    if (found !== undefined || !isElement(child)) return;
    const { dataLatex, alttext, altText } = child.properties;
    const isTop = ['math', 'mjx-math', 'mjx-container'].includes(child.tagName);
    const own = isTop ? [dataLatex, alttext, altText].find((each) => text(each) !== '') : undefined;
    if (child.tagName === 'math') found = texOf(child);
    if (isElement(child, 'annotation') && text(child.properties['encoding']).includes('tex'))
      found = textOf(child);
    found ??= own === undefined ? undefined : text(own);
  });
  return found?.trim() ? found : undefined;
}

const hasDisplay = (node: Element): boolean =>
  some<ElementContent>(node, (child) => {
    if (!isElement(child)) return false;
    const isBlock = child.tagName === 'math' && child.properties['display'] === 'block';
    return isBlock || classesOf(child).includes('katex-display');
  });

function mathmlTex(node: Element, toTex: MathmlToTex | undefined): string | undefined {
  let mathml: string | undefined;
  walk<ElementContent>({ children: [node] }, (child) => {
    if (mathml !== undefined || !isElement(child)) return;
    const { dataMathml } = child.properties;
    if (typeof dataMathml === 'string') mathml = dataMathml;
    else if (child.tagName === 'math') mathml = written.stringify({ type: 'root', children: [child] });
  });
  if (mathml === undefined || !toTex) return undefined;
  try {
    return toTex(mathml);
  } catch {
    return undefined;
  }
}

/** Puts TeX on one line; removes comments, outer white space and Wikipedia's `\displaystyle` wrapper. */
const trimmed = (tex: string): string =>
  tex
    .replace(/(?<!\\)%.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\{\\displaystyle (.*)\}$/, '$1')
    .trim();

const text = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise);
