import type { Element, ElementContent, Nodes, Root, RootContent } from 'hast';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { element, isElement, textOf } from './elements.ts';
import { videoAt } from './players.ts';
import { walk } from './walk.ts';

/** Elements that show something of another page within this one. */
const FRAMES = ['iframe', 'embed', 'object', 'video', 'audio'];
/** What a frame may stand in as a block; in others (a link, a heading) it becomes a link of the text. */
const HOLDS_BLOCKS = new Set('div section aside blockquote li dd td th details figure center'.split(' '));
/** So many of an article's videos play in place; each costs a page a document of its own. */
const MOST_PLAYERS = 30;

const text = (value: string): ElementContent => ({ type: 'text', value });

/**
 * Plugin, before the sanitiser: frames and media of other sites become cards, `<figure data-frame>` with a
 * link, where the sanitiser would take them away without a word. Those without an address of the web go.
 */
export function rehypeFrames() {
  return (tree: Root): void => {
    walk<RootContent>(tree, (node, index, parent) => {
      if (isElement(node, 'p') && node.children.some((child) => isElement(child, ...FRAMES)))
        parent.children.splice(index, 1, ...splitParagraph(node));
      else if (isElement(node, ...FRAMES)) parent.children[index] = cardOf(node, holdsBlocks(parent));
    });
  };
}

const holdsBlocks = (parent: object): boolean => {
  const node = parent as Nodes;
  return node.type === 'root' || (isElement(node) && HOLDS_BLOCKS.has(node.tagName));
};

/** A paragraph holds no figure: what is before and after one are paragraphs of their own. */
function splitParagraph(paragraph: Element): Element[] {
  const blocks: Element[] = [];
  let open: ElementContent[] = [];
  const close = () => {
    const isBlank = open.every(
      (node) => isElement(node, 'br') || (node.type === 'text' && !node.value.trim()),
    );
    if (!isBlank) blocks.push({ ...paragraph, children: open });
    open = [];
  };
  for (const child of paragraph.children) {
    const card = isElement(child, ...FRAMES) ? cardOf(child, true) : child;
    if (!isElement(card, 'figure')) {
      open.push(card);
      continue;
    }
    close();
    blocks.push({ ...card, ...(paragraph.position && { position: paragraph.position }) });
  }
  close();
  return blocks;
}

/** The card of a frame, only its link where no block may stand, and nothing where it leads nowhere. */
function cardOf(frame: Element, isBlock: boolean): ElementContent {
  const address = addressOf(frame);
  if (address === null) return text('');
  const href = isBlock ? address : (videoAt(address)?.page ?? address);
  const link = element('a', { href }, [text(titleOf(frame, address))]);
  const card = isBlock ? element('figure', { dataFrame: '' }, [element('figcaption', {}, [link])]) : link;
  return { ...card, ...(frame.position && { position: frame.position }) };
}

/** Where a frame leads, absolute; null for what is not on the web. */
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
 * Finishes the cards of an article, after the sanitiser: each says where it leads, and a video of a site
 * known here plays in it after a click. The frame holds a document of ours with a link to the player, so that
 * no page asks another site for anything by itself, with scripts or without.
 */
export function createFrames() {
  let players = 0;
  return {
    /** Decorates the card in place; what an author wrote in its form, but is none, stays as it is. */
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
      if (++players > MOST_PLAYERS) return;
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

/** The document of a frame before its click. */
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
