import type { Element, ElementContent } from 'hast';
import { classesOf, element, isElement, textOf } from '../../markdown/elements.ts';
import { articleFromHtml } from '../../markdown/from-html/article.ts';
import { escapeHtml } from '../../markdown/escape-html.ts';
import { hideParts } from '../../markdown-file/hidden-parts.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import { addParagraphs, embedLines, linesOf } from './autop.ts';
import { hasBlocks, readBlocks } from './blocks.ts';
import { readCodeShortcodes, readTex } from './code.ts';
import type { Item } from './item.ts';
import { isKnownShortcode, readShortcode } from './media.ts';
import type { Index } from './scan.ts';
import { replaceShortcodes } from './shortcodes.ts';

/**
 * Converts a post's HTML to markdown, as its theme would have shown it; warnings are Chinese sentences.
 * @param omits whether hidden parts are left out
 */
export async function contentOf(item: Item, index: Index, omits: boolean) {
  const lostBlocks = new Set<string>();
  const lostCodes = new Set<string>();
  let media = 0;
  const isInBlocks = hasBlocks(item.content);
  const resolve = (address: string, kind: 'link' | 'picture' | 'frame'): string => {
    const absolute = absoluteOf(address, item, index);
    if (kind === 'frame' && isOwn(absolute, index)) media += 1;
    return kind === 'picture' ? (index.attachments.at(absolute)?.url ?? absolute) : absolute;
  };
  const { text, isSecret, warnings } = hideParts(prepare(item, index, lostBlocks), { omits, isHtml: true });
  const html = expand(text, item, index, lostCodes);
  const { markdown, lostPictures, isTooDeep } = await toMarkdown(articleFromHtml, html, {
    resolve,
    rewrite,
    prepare(tree) {
      if (!isInBlocks) addParagraphs(tree);
      embedLines(tree);
    },
  });
  if (isTooDeep) warnings.push('正文的 HTML 嵌套过深，已按原样保留');
  else warnings.push(...warningsOf(lostCodes, lostBlocks, media, lostPictures));
  return { markdown, isSecret, warnings };
}

/** Returns a post's HTML without blocks, and with its code as elements, in which markers mean nothing. */
function prepare(item: Item, index: Index, lostBlocks: Set<string>): string {
  const blocks = readBlocks(item.content, {
    shared: (id) => index.shared.get(id),
    notes: notesOf(item),
    lose: (name) => lostBlocks.add(name),
  });
  return readTex(readCodeShortcodes(blocks));
}

function expand(html: string, item: Item, index: Index, lostCodes: Set<string>): string {
  const paged = html.replace(/<!--nextpage-->/g, '\n\n<hr>\n\n');
  return replaceShortcodes(paged, isKnownShortcode, (code) =>
    readShortcode(code, {
      postId: item.id,
      attachments: index.attachments,
      lose: (name) => lostCodes.add(name),
    }),
  );
}

/** Writes the editor's footnotes, which are stored separately from the content, as HTML. */
function notesOf({ meta }: Item): string {
  try {
    const notes = JSON.parse(meta.get('footnotes') || '[]') as { id: string; content: string }[];
    const items = notes.map(({ id, content }) => {
      const name = escapeHtml(id);
      return `<li id="${name}">${content} <a href="#${name}-link">↩</a></li>`;
    });
    return items.length === 0 ? '' : `<ol class="wp-block-footnotes">${items.join('')}</ol>`;
  } catch {
    return '';
  }
}

function warningsOf(codes: Set<string>, blocks: Set<string>, media: number, pictures: number): string[] {
  const list = (names: Set<string>) => [...names].join('、');
  return [
    ...(codes.size > 0 ? [`不认识的短代码保留为代码：${list(codes)}`] : []),
    ...(blocks.size > 0 ? [`由 WordPress 现算的区块没有导入：${list(blocks)}`] : []),
    ...(media > 0 ? [`${media} 个音视频或页面仍指向原站`] : []),
    ...(pictures > 0 ? [`${pictures} 张图片没有网络地址，没有导入`] : []),
  ];
}

function absoluteOf(address: string, { link }: Item, { sites }: Index): string {
  if (/^https?:\/\//i.test(address)) return address.replace(/\s/g, '%20');
  if (/^(?:mailto|tel):/i.test(address)) return address;
  const [site = ''] = sites;
  return URL.parse(address, link || `${site}/`)?.href ?? '';
}

const isOwn = (address: string, { sites }: Index): boolean =>
  [...sites].some((site) => URL.parse(site)?.host === URL.parse(address)?.host);

function rewrite(node: Element): ElementContent[] | undefined {
  const names = classesOf(node);
  if (names.includes('wp-block-file__button') || names.includes('wp-block-file__embed')) return [];
  if (isElement(node, 'pre') && names.includes('wp-block-verse')) return [verseOf(node)];
  if (isElement(node, 'figure') && names.includes('wp-block-pullquote'))
    return node.children.filter((child) => isElement(child, 'blockquote'));
  if (isElement(node, 'cite'))
    return textOf(node).trim() === '' ? [] : [element('p', {}, ['— ', node].map(asNode))];
  return undefined;
}

const asNode = (value: string | Element): ElementContent =>
  typeof value === 'string' ? { type: 'text', value } : element('span', {}, value.children);

const verseOf = ({ children }: Element): Element =>
  element(
    'p',
    {},
    children.flatMap((child) => (child.type === 'text' ? linesOf(child.value) : [child])),
  );
