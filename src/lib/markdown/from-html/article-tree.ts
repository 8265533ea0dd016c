import type { Element, ElementContent, Root, RootContent } from 'hast';
import type { VFile } from 'vfile';
import { classesOf, element, isElement, splitParagraph, textOf } from '../elements.ts';
import { videoAt } from '../embeds/players.ts';
import { frameOf, rawMarkdown } from './article-handlers.ts';
import { readFigure, unlinkPicture } from './figures.ts';
import { readNotes } from './notes.ts';
import { isEmbedded, readLazyPictures } from './lazy-pictures.ts';

export interface ArticleOptions {
  /** Returns an absolute address, or '' to drop it. */
  resolve(address: string, kind: 'link' | 'picture' | 'frame'): string;
  prepare?(tree: Root): void;
  /**
   * Converts an element that only this product uses; its children are already converted. Undefined for
   * others.
   */
  rewrite?(node: Element): ElementContent[] | undefined;
}

const FOLD = '<--阅读全文-->';

/**
 * Rehype plugin, before cleaning: converts content that occurs in stored articles but not on clipboards:
 * frames and media, figures with captions, footnotes, comments that end the excerpt.
 */
export function rehypeArticle() {
  return (tree: Root, file: VFile): void => {
    const options = file.data['article'] as ArticleOptions;
    options.prepare?.(tree);
    readLazyPictures(tree);
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

function readElement(node: Element, options: ArticleOptions): ElementContent[] {
  const { tagName } = node;
  if (tagName === 'a') return unlinkPicture(node);
  if (tagName === 'figure' && !classesOf(node).includes('highlight'))
    return readFigure(node, (url, title) => embedOf(options.resolve(url, 'frame'), title));
  if (tagName === 'p' && node.children.some(isBlock))
    return splitParagraph(node, isBlock, withoutOuterBreaks);
  return [node];
}

function resolveLink(node: Element, { resolve }: ArticleOptions): Element {
  const { href } = node.properties;
  if (!isElement(node, 'a') || typeof href !== 'string' || href.startsWith('#')) return node;
  return { ...node, properties: { ...node.properties, href: resolve(href.trim(), 'link') } };
}

function readPicture(node: Element, { resolve }: ArticleOptions): ElementContent[] {
  const { src: written } = node.properties;
  if (typeof written !== 'string') return [node];
  const src = isEmbedded(written) ? written : resolve(written.trim(), 'picture');
  return [{ ...node, properties: { ...node.properties, src } }];
}

/**
 * Converts a frame or media element with a web address. Its children are a fallback for old browsers and are
 * dropped.
 */
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
 * Converts an address that fills a line: a video that can play here, else a link.
 * @param title title of the card
 */
export function embedOf(address: string, title = ''): ElementContent[] {
  if (videoAt(address)) return [frameOf('iframe', address, title)];
  if (!/^https?:/i.test(address)) return [];
  return [element('p', {}, [element('a', { href: address }, [{ type: 'text', value: title || address }])])];
}

const BLOCKS = 'moye-raw moye-frame p div figure section hr ul ol table blockquote pre details'.split(' ');

const isBlock = (node: ElementContent) => isElement(node, ...BLOCKS);

function withoutOuterBreaks(nodes: ElementContent[]): ElementContent[] {
  const first = nodes.findIndex((node) => !isElement(node, 'br'));
  const kept = nodes.slice(first, nodes.findLastIndex((node) => !isElement(node, 'br')) + 1);
  const isShown = kept.some((node) => isElement(node, 'img', 'a') || textOf(node).trim() !== '');
  return isShown ? kept : [];
}
