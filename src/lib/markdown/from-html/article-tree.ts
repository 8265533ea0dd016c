import type { Element, ElementContent, Root, RootContent } from 'hast';
import type { VFile } from 'vfile';
import { element, isElement, textOf } from '../elements.ts';
import { videoAt } from '../players.ts';
import { frameOf, rawMarkdown } from './article-handlers.ts';
import { readFigure, unlinkPicture } from './figures.ts';
import { readNotes } from './notes.ts';
import { pictureAddresses } from './clean.ts';
import { classesOf } from './styles.ts';

/** What the reader of a product knows of its HTML. */
export interface ArticleOptions {
  /** Where an address as it is written leads, absolute; '' for nowhere. */
  resolve(address: string, kind: 'link' | 'picture' | 'frame'): string;
  /** Changes the tree as it was parsed. */
  prepare?(tree: Root): void;
  /**
   * What an element that only this product has becomes, when its children are read already; undefined where
   * it is none.
   */
  rewrite?(node: Element): ElementContent[] | undefined;
}

/** `<--阅读全文-->`, where the list's excerpt ends (`markdown/excerpt.ts`). */
const FOLD = '<--阅读全文-->';

/**
 * Plugin, before cleaning: what whole articles have and no clipboard: frames and media, figures with
 * captions, notes, comments that end the excerpt.
 */
export function rehypeArticle() {
  return (tree: Root, file: VFile): void => {
    const options = file.data['article'] as ArticleOptions;
    options.prepare?.(tree);
    readNotes(tree);
    tree.children = readAll(tree.children, options);
  };
}

const readAll = (nodes: readonly RootContent[], options: ArticleOptions): ElementContent[] =>
  nodes.flatMap((node) => read(node, options));

function read(node: RootContent, options: ArticleOptions): ElementContent[] {
  if (node.type === 'comment') return /^\s*more(?:\s|$)/.test(node.value) ? [rawMarkdown(FOLD)] : [];
  if (node.type === 'text') return [node];
  if (!isElement(node)) return [];
  if (isElement(node, 'iframe', 'video', 'audio', 'embed', 'object')) return readFrame(node, options);
  if (isElement(node, 'img')) return readPicture(node, options);
  const resolved = resolveLink(node, options);
  const children = readAll(resolved.children, options);
  const inner = { ...resolved, children };
  return options.rewrite?.(inner) ?? readElement(inner, options);
}

/** What an element becomes whose children are read already. */
function readElement(node: Element, options: ArticleOptions): ElementContent[] {
  if (isElement(node, 'a')) return unlinkPicture(node);
  if (isElement(node, 'figure') && !classesOf(node).includes('highlight'))
    return readFigure(node, (url, title) => embedOf(options.resolve(url, 'frame'), title));
  if (isElement(node, 'p')) return splitParagraph(node);
  return [node];
}

function resolveLink(node: Element, { resolve }: ArticleOptions): Element {
  const { href } = node.properties;
  if (!isElement(node, 'a') || typeof href !== 'string' || href.startsWith('#')) return node;
  return { ...node, properties: { ...node.properties, href: resolve(href.trim(), 'link') } };
}

function readPicture(node: Element, { resolve }: ArticleOptions): ElementContent[] {
  const written = pictureAddresses(node).find((address) => !/^data:/i.test(address.trim()));
  const src = written === undefined ? '' : resolve(written.trim(), 'picture');
  const { dataSrc: _, dataOriginal: _original, dataLazySrc: _lazy, ...properties } = node.properties;
  return [{ ...node, properties: { ...properties, src } }];
}

/** A frame or medium, where it leads somewhere; what is inside one is for browsers that have none. */
function readFrame(node: Element, { resolve }: ArticleOptions): ElementContent[] {
  const { src, data, dataSrc, title, ariaLabel } = node.properties;
  const source = node.children.find((child) => isElement(child, 'source', 'embed'));
  const inside = isElement(source) ? source.properties['src'] : undefined;
  const written = [dataSrc, src, data, inside].find((each) => typeof each === 'string' && each !== '');
  const address = typeof written === 'string' ? resolve(written.trim(), 'frame') : '';
  if (!/^https?:/i.test(address)) return [];
  const kind = isElement(node, 'video', 'audio') ? (node.tagName as 'video' | 'audio') : 'iframe';
  return [frameOf(kind, address, (title ?? ariaLabel ?? '').trim())];
}

/**
 * What an address alone on its line embeds: a video that plays here, else a link.
 * @param title what a card is called
 */
export function embedOf(address: string, title = ''): ElementContent[] {
  if (videoAt(address)) return [frameOf('iframe', address, title)];
  if (!/^https?:/i.test(address)) return [];
  return [element('p', {}, [element('a', { href: address }, [{ type: 'text', value: title || address }])])];
}

const BLOCKS = 'moye-raw moye-frame p div figure section hr ul ol table blockquote pre details'.split(' ');

/** A paragraph holds no blocks: what is before and after one are paragraphs of their own. */
export function splitParagraph(paragraph: Element): ElementContent[] {
  if (!paragraph.children.some((child) => isElement(child, ...BLOCKS))) return [paragraph];
  const blocks: ElementContent[] = [];
  let open: ElementContent[] = [];
  const close = () => {
    while (isElement(open[0], 'br')) open.shift();
    while (isElement(open.at(-1), 'br')) open.pop();
    const piece = { ...paragraph, children: open };
    if (textOf(piece).trim() !== '' || open.some((child) => isElement(child, 'img', 'a'))) blocks.push(piece);
    open = [];
  };
  for (const child of paragraph.children) {
    if (!isElement(child, ...BLOCKS)) {
      open.push(child);
      continue;
    }
    close();
    blocks.push(child);
  }
  close();
  return blocks;
}
