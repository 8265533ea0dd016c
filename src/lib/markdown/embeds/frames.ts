import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { element, isElement, splitParagraph, textOf } from '../elements.ts';
import { videoAt } from './players.ts';
import { walk } from '../walk.ts';

const FRAMES = ['iframe', 'embed', 'object', 'video', 'audio'];
/**
 * Parents in which a frame may become a block; elsewhere (in a link, a heading) it becomes an inline link.
 */
const HOLDS_BLOCKS = new Set('div section aside blockquote li dd td th details figure center'.split(' '));
/** Maximum videos of an article that play in place; each adds a nested document to the page. */
const MAX_PLAYERS = 30;

const text = (value: string): ElementContent => ({ type: 'text', value });

/**
 * Rehype plugin, before the sanitiser: replaces embedded pages and media with cards, `<figure data-frame>`
 * with a link. The sanitiser alone would remove them silently. Those without an http(s) address are removed.
 */
export function rehypeFrames() {
  return (tree: Root): void => {
    walk<RootContent>(tree, (node, index, parent) => {
      if (isElement(node, 'p') && node.children.some((child) => isElement(child, ...FRAMES)))
        parent.children.splice(index, 1, ...splitAtCards(node));
      else if (isElement(node, ...FRAMES)) parent.children[index] = cardOf(node, holdsBlocks(parent));
    });
  };
}

const holdsBlocks = (parent: object): boolean => {
  const node = parent as Nodes;
  return node.type === 'root' || (isElement(node) && HOLDS_BLOCKS.has(node.tagName));
};

function splitAtCards(paragraph: Element): ElementContent[] {
  const { position } = paragraph;
  const children = paragraph.children.map((child) => {
    const card = isElement(child, ...FRAMES) ? cardOf(child, true) : child;
    return position && isElement(card, 'figure') ? { ...card, position } : card;
  });
  const isBlank = (node: ElementContent) =>
    isElement(node, 'br') || (node.type === 'text' && !node.value.trim());
  return splitParagraph(
    { ...paragraph, children },
    (node) => isElement(node, 'figure'),
    (nodes) => (nodes.every(isBlank) ? [] : nodes),
  );
}

function cardOf(frame: Element, isBlock: boolean): ElementContent {
  const address = addressOf(frame);
  if (address === null) return text('');
  const href = isBlock ? address : (videoAt(address)?.page ?? address);
  const link = element('a', { href }, [text(titleOf(frame, address))]);
  const card = isBlock ? element('figure', { dataFrame: '' }, [element('figcaption', {}, [link])]) : link;
  return { ...card, ...(frame.position && { position: frame.position }) };
}

function addressOf({ properties, children }: Element): string | null {
  const source = children.find((child) => isElement(child, 'source', 'embed'));
  const inside = isElement(source) ? source.properties['src'] : undefined;
  const written = properties['src'] ?? properties['data'] ?? inside;
  const url = typeof written === 'string' ? URL.parse(written.trim(), 'https://none.invalid') : null;
  if (!url || url.hostname === 'none.invalid') return null;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

function titleOf({ tagName, properties }: Element, address: string): string {
  const given = (properties.title ?? properties.ariaLabel ?? '').trim();
  if (given !== '') return given;
  const video = videoAt(address);
  if (video) return `${video.site}上的视频`;
  return tagName === 'video' ? '视频' : tagName === 'audio' ? '音频' : '嵌入的页面';
}

const writer = unified().use(rehypeStringify);

/**
 * Finishes the cards of an article after the sanitiser: each shows its host, and videos of known sites play
 * in place after a click. The iframe holds a local document with a link to the player, so no page sends
 * requests to other sites on its own, with or without scripts.
 */
export function createFrames() {
  let players = 0;
  return {
    /** Decorates a card in place; a figure of the author's with the same attribute is left unchanged. */
    decorate(figure: Element): void {
      delete figure.properties['dataFrame'];
      const [caption] = figure.children;
      const link = isElement(caption, 'figcaption') ? caption.children[0] : undefined;
      const address = isElement(link, 'a') ? link.properties.href : undefined;
      if (!isElement(caption) || !isElement(link) || typeof address !== 'string') return;
      if (!URL.canParse(address)) return;
      const video = videoAt(address);
      const page = video?.page ?? address;
      link.properties.href = page;
      figure.properties.className = ['frame'];
      const host = URL.parse(page)?.hostname.replace(/^www\./, '') ?? '';
      caption.children = [link, element('span', {}, [text(host)])];
      if (!video) return;
      if (++players > MAX_PLAYERS) return;
      const title = textOf(link);
      const frame = element('iframe', {
        title,
        srcDoc: writer.stringify(playDocument(video.player, title)),
        loading: 'lazy',
        allow: 'autoplay; fullscreen; encrypted-media; picture-in-picture',
        referrerPolicy: 'strict-origin-when-cross-origin',
      });
      figure.children = [frame, caption];
    },
  };
}

function playDocument(player: string, title: string): Root {
  const head = element('head', {}, [
    element('title', {}, [text(title)]),
    element('link', { rel: ['stylesheet'], href: '/player.css' }),
  ]);
  const body = element('body', {}, [
    element('a', { href: player, ariaLabel: `播放：${title}` }, [text('播放')]),
  ]);
  return {
    type: 'root',
    children: [{ type: 'doctype' }, element('html', { lang: 'zh-CN' }, [head, body])],
  };
}
