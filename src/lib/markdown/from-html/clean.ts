import type { Element, ElementContent, Root } from 'hast';
import type { VFile } from 'vfile';
import { classesOf, element, HEADINGS, isElement, textOf } from '../elements.ts';
import { isHidden, isUnmarked, marksOf } from './styles.ts';
import { cleanCode, codeFrameOf, isControl } from './code.ts';
import { cleanFormula, withoutDrawnTex, type MathmlToTex } from './formulas.ts';
import { isEmbedded, readLazyPictures } from './lazy-pictures.ts';
import { cleanTable } from './tables.ts';
import { joinWordLists } from './word-lists.ts';

const DROPPED =
  'script style template noscript title meta link base svg math iframe object embed audio video canvas map button ' +
  'select textarea clipboard-copy xml colgroup col';
const dropped = new Set(DROPPED.split(' '));
const HAN = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]`;
/** A line break in the markup between Chinese characters does not stand for a space. */
const BROKEN_LINE = new RegExp(`(?<=${HAN})[ \\t]*[\\r\\n]+[ \\t]*(?=${HAN})`, 'gu');

interface Around {
  parent?: Element;
  /** Inside a heading or a table's head, which are always bold. */
  isBold: boolean;
  toTex: MathmlToTex | undefined;
  /** Whether pictures may have `data:` addresses, which an import stores as files. */
  keepsEmbedded: boolean;
  /** Called for each picture without a web address. */
  lose(): void;
}

/**
 * Rehype plugin: normalises the HTML that programs put on the clipboard. Styles that mark text become tags,
 * Word's list paragraphs become lists; hidden content and page controls are removed.
 */
export function rehypeClean() {
  return (tree: Root, file: VFile): void => {
    let lostPictures = 0;
    const toTex = file.data['toTex'] as MathmlToTex | undefined;
    const lose = () => void (lostPictures += 1);
    readLazyPictures(tree);
    const keepsEmbedded = file.data['article'] !== undefined;
    const around = { isBold: false, toTex, keepsEmbedded, lose };
    tree.children = cleanAll(tree.children as ElementContent[], around);
    file.data['lostPictures'] = lostPictures;
  };
}

const cleanAll = (nodes: ElementContent[], around: Around): ElementContent[] =>
  joinLists(joinWordLists(withoutDrawnTex(nodes))).flatMap((node) => clean(node, around));

function clean(node: ElementContent, around: Around): ElementContent[] {
  if (node.type === 'text') {
    return [{ ...node, value: node.value.replace(/\u00a0/g, ' ').replace(BROKEN_LINE, '') }];
  }
  if (!isElement(node)) return [];
  const formula = cleanFormula(node, around.toTex);
  if (formula) return [formula];
  const frame = codeFrameOf(node);
  if (frame) return [frame];
  if (dropped.has(node.tagName) || isHidden(node)) return [];
  if (node.tagName === 'pre') return [cleanCode(node, around.parent)];
  if (isControl(node)) return [];
  if (node.tagName === 'img') return cleanPicture(node, around);
  const isBold = around.isBold || isElement(node, 'th', ...HEADINGS);
  const inner = cleanAll(node.children, { ...around, parent: node, isBold });
  const isMarked = around.isBold && isElement(node, 'b', 'strong');
  return isMarked ? inner : withMarks(node, cleanElement(node, inner), isBold);
}

function cleanElement(node: Element, children: ElementContent[]): ElementContent[] {
  const { tagName } = node;
  if ((tagName === 'b' || tagName === 'strong') && isUnmarked(node)) return children;
  if (tagName === 'a') return cleanLink(node, children);
  if (tagName === 'ul' || tagName === 'ol') return [{ ...node, children: nestLists(children) }];
  if (tagName === 'li') return [{ ...node, children: withoutOnlyBlock(children) }];
  if (tagName === 'table') return cleanTable({ ...node, children });
  if (tagName === 'code' && classesOf(node).includes('hljs'))
    return [cleanCode({ ...node, children }, undefined)];
  if (tagName === 'div' && classesOf(node).includes('ne-quote')) return [element('blockquote', {}, children)];
  return [{ ...node, children }];
}

function withMarks(node: Element, nodes: ElementContent[], isBold: boolean): ElementContent[] {
  if (isElement(node, 'strong', 'b', 'em', 'i', 'del', 's', 'code', 'ul', 'ol', 'table', 'tr')) return nodes;
  const isMarkless = isBold || isElement(node, 'td', 'body');
  const names = marksOf(node).filter((name) => name !== 'strong' || !isMarkless);
  return names.reduce((marked, name) => mark(marked, name), nodes);
}

function mark(nodes: ElementContent[], name: string): ElementContent[] {
  if (nodes.every((node) => !isBlock(node)))
    return textOf(element('p', {}, nodes)).trim() === '' ? nodes : [element(name, {}, nodes)];
  return nodes.map((node) =>
    isElement(node) && isBlock(node) && node.tagName !== 'pre'
      ? { ...node, children: mark(node.children, name) }
      : node,
  );
}

const BLOCKS = `p div section article blockquote ul ol li table thead tbody tr td th pre hr ${HEADINGS.join(' ')}`;
const blocks = new Set(BLOCKS.split(' '));
const isBlock = (node: ElementContent) => isElement(node) && blocks.has(node.tagName);

/**
 * Keeps links to web and mail addresses, else only the text. Empty links are page controls and are removed.
 */
function cleanLink(node: Element, children: ElementContent[]): ElementContent[] {
  const { href } = node.properties;
  const isEmpty =
    textOf({ ...node, children }).trim() === '' && !children.some((child) => isElement(child, 'img'));
  if (isEmpty) return [];
  const isWeb = typeof href === 'string' && /^(https?:\/\/|mailto:)/i.test(href.trim());
  return isWeb ? [element('a', { href: href.trim() }, children)] : children;
}

/** Moves a list directly inside a list into the item above it, as HTML requires. */
function nestLists(children: ElementContent[]): ElementContent[] {
  const items: ElementContent[] = [];
  for (const child of children) {
    const above = items.findLast((item) => isElement(item, 'li'));
    if (isElement(child, 'ul', 'ol') && isElement(above)) above.children.push(child);
    else if (isElement(child, 'ul', 'ol')) items.push(...child.children);
    else items.push(child);
  }
  return items;
}

/** Merges adjacent lists: 语雀 starts a new list, which contains only lists, at every change of level. */
function joinLists(nodes: ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    const isLevel =
      isElement(node, 'ul', 'ol') && node.children.every((child) => isElement(child, 'ul', 'ol'));
    const isMore = isLevel || (isElement(node) && isElement(last) && node.tagName === last.tagName);
    if (isElement(node, 'ul', 'ol') && isElement(last, 'ul', 'ol') && isMore)
      result[result.length - 1] = { ...last, children: [...last.children, ...node.children] };
    else result.push(node);
  }
  return result;
}

/** Unwraps an item's only block, because blocks would add space between items. */
function withoutOnlyBlock(children: ElementContent[]): ElementContent[] {
  const isText = (child: ElementContent) => isElement(child, 'p', 'div');
  if (children.filter(isText).length !== 1) return children;
  return children.flatMap((child) => (isElement(child, 'p', 'div') ? child.children : [child]));
}

/** Keeps a picture with a web address, else its alternative text. Emoji pictures become text. */
function cleanPicture(node: Element, { lose, keepsEmbedded }: Around): ElementContent[] {
  const { alt, dataCaptioned } = node.properties;
  const words = typeof alt === 'string' ? alt.trim() : '';
  if (classesOf(node).some((name) => /emoji|^wp-smiley$/i.test(name)))
    return [{ type: 'text', value: words }];
  const src = (node.properties.src ?? '').trim();
  const address = /^https?:\/\//i.test(src) || (keepsEmbedded && isEmbedded(src)) ? src : undefined;
  const title = typeof dataCaptioned === 'string' ? { title: dataCaptioned } : {};
  if (address !== undefined) return [element('img', { src: address, alt: words, ...title })];
  lose();
  return words === '' ? [] : [{ type: 'text', value: words }];
}
