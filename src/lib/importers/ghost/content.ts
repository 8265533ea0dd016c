import type { Element, ElementContent } from 'hast';
import { classesOf, element, isElement, textOf } from '../../markdown/elements.ts';
import { articleFromHtml } from '../../markdown/from-html/article.ts';
import { calloutOf } from '../../markdown/from-html/article-handlers.ts';
import { hideParts } from '../../markdown-file/hidden-parts.ts';
import { walk } from '../../markdown/walk.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import { lexicalToHtml } from './lexical.ts';
import { mobiledocToHtml } from './mobiledoc.ts';

/** Forms of a post's text; its editor writes one of the first two. */
type Texts = Record<'lexical' | 'mobiledoc' | 'html', string>;

/** Placeholder for the site's address, which exports omit; removed after the conversion to markdown. */
const OWN = 'https://ghost-export.invalid';

const SMALLER = /\/content\/images\/(?:size\/[wh\d]+\/)?(?:format\/\w+\/)?/;

/**
 * Normalizes an address of Ghost: own addresses start at the site's root, and pictures get the address of the
 * original.
 */
export const addressOf = (address: string): string =>
  address
    .replaceAll('__GHOST_URL__', '')
    .replace(/^\/\/(?=content\/)/, '/')
    .replace(SMALLER, '/content/images/');

/**
 * @param origin of the old site; undefined if the operator has not given it
 * @param omits whether hidden parts are left out
 */
export async function contentOf(texts: Texts, origin: string | undefined, omits: boolean) {
  const lost = new Set<string>();
  const { html: drawn, isFallback } = htmlOf(texts, (name) => lost.add(name));
  const { text: seen, isSecret, warnings: hidden } = hideParts(drawn, { omits, isHtml: true });
  const html = withOwnNotes(seen).replaceAll('__GHOST_URL__', OWN);
  let media = 0;
  const resolve = (address: string, kind: 'link' | 'picture' | 'frame'): string => {
    const absolute = URL.parse(address, `${OWN}/`)?.href ?? '';
    const isOwn = absolute.startsWith(OWN);
    if (kind === 'frame' && isOwn) media += 1;
    if (kind === 'frame' && isOwn) return origin === undefined ? '' : absolute.replace(OWN, origin);
    if (kind === 'picture' && isOwn) return absolute.replace(SMALLER, '/content/images/');
    return isOwn || !/^https?:\/\//i.test(address) ? absolute : address.replace(/\s/g, '%20');
  };
  const saying = origin === undefined ? '没有导入（用 --from-url 给出原站的网址，可保留链接）' : '仍指向原站';
  const { markdown, isTooDeep } = await toMarkdown(articleFromHtml, html, {
    resolve,
    rewrite: (node) => rewrite(node, (name) => lost.add(name)),
  });
  const warnings = [
    ...hidden,
    ...(isFallback ? ['编辑器的正文无法读取，改用了网页上的 HTML'] : []),
    ...(lost.size > 0 ? [`不认识的卡片没有导入，或只留下了文字和链接：${[...lost].join('、')}`] : []),
    ...(media > 0 ? [`${media} 个音频、视频${saying}`] : []),
    ...(isTooDeep ? ['正文的 HTML 嵌套过深，已按原样保留'] : []),
  ];
  return { markdown: isTooDeep ? html.replaceAll(OWN, '') : withoutOwn(markdown), isSecret, warnings };
}

const withoutOwn = (markdown: string): string =>
  markdown.replaceAll(new RegExp(`<${OWN}(/[^>\\s]*)>`, 'g'), '[$1]($1)').replaceAll(OWN, '');

/** Renames the footnotes of each markdown card: two cards may use the same name. */
function withOwnNotes(html: string): string {
  let card = 0;
  return html.replace(/<moye-raw value="[^"]*"/g, (markdown) => {
    card += 1;
    if (card === 1) return markdown;
    const names = Array.from(markdown.matchAll(/^\[\^([^\]\s]{1,60})\]:/gm), ([, name = '']) => name);
    return names.reduce((text, name) => text.replaceAll(`[^${name}]`, `[^${card}-${name}]`), markdown);
  });
}

function htmlOf({ lexical, mobiledoc, html }: Texts, lose: (name: string) => void) {
  const forms = [
    [lexical, lexicalToHtml],
    [mobiledoc, mobiledocToHtml],
  ] as const;
  for (const [json, read] of forms) {
    if (json === '') continue;
    try {
      return { html: read(json, lose), isFallback: false };
    } catch {
      // Unreadable: falls back to the HTML of the page, which has the same content.
    }
  }
  return { html, isFallback: lexical !== '' || mobiledoc !== '' };
}

const KINDS: Record<string, string> = {
  blue: 'info',
  green: 'tip',
  yellow: 'warning',
  red: 'danger',
  pink: 'caution',
  accent: 'important',
};

function rewrite(node: Element, lose: (name: string) => void): ElementContent[] | undefined {
  const names = classesOf(node);
  const has = (name: string) => names.includes(name);
  if (!names.some((name) => name.startsWith('kg-'))) return undefined;
  if (has('kg-callout-card')) return calloutIn(node, names);
  if (has('kg-toggle-card')) return [toggleIn(node)];
  if (has('kg-bookmark-card')) return bookmarkIn(node);
  if (has('kg-file-card')) return linkIn(node, 'kg-file-card-title');
  if (has('kg-audio-card') || has('kg-video-card')) return mediumIn(node);
  if (has('kg-signup-card')) {
    lose('signup');
    return [];
  }
  return undefined;
}

function find(node: Element, wanted: (each: Element) => boolean): Element | undefined {
  let found: Element | undefined;
  walk<ElementContent>(node, (each) => {
    if (!found && isElement(each) && wanted(each)) found = each;
  });
  return found;
}
const ofClass = (node: Element, name: string) => find(node, (each) => classesOf(each).includes(name));
const wordsIn = (node: Element, name: string): string => {
  const found = ofClass(node, name);
  return found ? textOf(found).replace(/\s+/g, ' ').trim() : '';
};

function calloutIn(node: Element, names: readonly string[]): ElementContent[] {
  const colour = names
    .map((name) => /^kg-callout-card-(\w+)$/.exec(name)?.[1] ?? '')
    .find((name) => name in KINDS);
  const emoji = wordsIn(node, 'kg-callout-emoji');
  const words = ofClass(node, 'kg-callout-text')?.children ?? [];
  const first: ElementContent[] = emoji === '' ? [] : [{ type: 'text', value: `${emoji} ` }];
  const [head, ...rest] = words;
  const blocks = isElement(head, 'p')
    ? [{ ...head, children: [...first, ...head.children] }, ...rest]
    : [element('div', {}, [...first, ...words])];
  return calloutOf(KINDS[colour ?? ''] ?? 'note', '', blocks);
}

function toggleIn(node: Element): Element {
  const heading = wordsIn(node, 'kg-toggle-heading-text');
  const summary = element('summary', {}, [{ type: 'text', value: heading }]);
  return element('details', {}, [summary, ...(ofClass(node, 'kg-toggle-content')?.children ?? [])]);
}

const anchor = (href: unknown, words: string): Element =>
  element('a', { href: String(href) }, [{ type: 'text', value: words || String(href) }]);

function linkIn(node: Element, title: string): ElementContent[] {
  const link = find(node, (each) => each.tagName === 'a' && typeof each.properties.href === 'string');
  return link ? [element('p', {}, [anchor(link.properties.href, wordsIn(node, title))])] : [];
}

function bookmarkIn(node: Element): ElementContent[] {
  const [link] = linkIn(node, 'kg-bookmark-title');
  const caption = find(node, (each) => each.tagName === 'figcaption');
  const words = caption ? textOf(caption).trim() : wordsIn(node, 'kg-bookmark-description');
  if (!isElement(link)) return [];
  const below: ElementContent[] = words === '' ? [] : [element('br', {}), { type: 'text', value: words }];
  return [{ ...link, children: [...link.children, ...below] }];
}

function mediumIn(node: Element): ElementContent[] {
  const frame = find(node, (each) => each.tagName === 'moye-frame');
  if (!frame) return [];
  const caption = find(node, (each) => each.tagName === 'figcaption');
  const title = wordsIn(node, 'kg-audio-title') || (caption ? textOf(caption).trim() : '');
  return [{ ...frame, properties: { ...frame.properties, ...(title !== '' && { title }) } }];
}
