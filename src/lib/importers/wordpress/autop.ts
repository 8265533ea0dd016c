import type { Element, ElementContent, Root, RootContent } from 'hast';
import { videoAt } from '../../markdown/embeds/players.ts';
import { element, isElement, textOf } from '../../markdown/elements.ts';
import { frameOf } from '../../markdown/from-html/article-handlers.ts';

const BLOCKS = new Set(
  (
    'address article aside blockquote center dd details div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
    'iframe li main menu nav object ol p pre script section style summary table tbody td tfoot th thead tr ul video audio'
  ).split(' '),
);
/** Elements in which every text is a paragraph; others need empty lines between paragraphs. */
const WHOLE = new Set(['blockquote']);
const VERBATIM = new Set(['pre', 'code', 'script', 'style', 'textarea']);
/** Elements that contain only elements; line breaks between these are part of the markup. */
const FRAMES = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'ul', 'ol', 'dl']);

const isBlock = (node: RootContent): boolean =>
  (node.type === 'element' && BLOCKS.has(node.tagName)) ||
  (node.type === 'comment' && /^\s*more(?:\s|$)/.test(node.value));

/** Adds paragraphs to text of WordPress's classic editor: empty lines separate them, line ends are breaks. */
export function addParagraphs(tree: Root): void {
  tree.children = paragraphs(tree.children as ElementContent[], true);
}

function paragraphs(nodes: readonly ElementContent[], isWhole: boolean): ElementContent[] {
  const result: ElementContent[] = [];
  let open: ElementContent[] = [];
  const isParted =
    isWhole || nodes.some((node) => node.type === 'text' && /\n[ \t]*\n/.test(node.value.trim()));
  const close = () => {
    const inline = withoutEnds(open);
    if (inline.length > 0) result.push(...(isParted ? [element('p', {}, inline)] : inline));
    open = [];
  };
  for (const node of nodes) {
    if (node.type === 'text') {
      const [first = '', ...others] = node.value.split(/\n[ \t]*(?:\n[ \t]*)+/);
      open.push(...linesOf(first));
      for (const other of others) {
        close();
        open.push(...linesOf(other));
      }
    } else if (isBlock(node)) {
      close();
      result.push(inside(node));
    } else open.push(inside(node));
  }
  close();
  return result;
}

function inside(node: ElementContent): ElementContent {
  if (!isElement(node) || VERBATIM.has(node.tagName)) return node;
  if (FRAMES.has(node.tagName)) return { ...node, children: node.children.map(inside) };
  if (BLOCKS.has(node.tagName) && node.tagName !== 'p')
    return { ...node, children: paragraphs(node.children, WHOLE.has(node.tagName)) };
  const children = node.children.flatMap((child) =>
    child.type === 'text' ? linesOf(child.value) : [inside(child)],
  );
  return { ...node, children };
}

/** Returns lines of text with breaks between them. */
export function linesOf(text: string): ElementContent[] {
  return text.split('\n').flatMap((line, index): ElementContent[] => {
    const words: ElementContent[] = line === '' ? [] : [{ type: 'text', value: line }];
    return index === 0 ? words : [element('br', {}), ...words];
  });
}

const isBlank = (node: ElementContent | undefined): boolean =>
  isElement(node, 'br') || (node?.type === 'text' && node.value.trim() === '') || node?.type === 'comment';

function withoutEnds(nodes: ElementContent[]): ElementContent[] {
  const kept = nodes.filter((node, index) => !isElement(node, 'br') || !isElement(nodes[index - 1], 'br'));
  while (isBlank(kept[0])) kept.shift();
  while (isBlank(kept.at(-1))) kept.pop();
  return kept;
}

/** Embeds addresses that are alone in a paragraph, as WordPress does, if a player for the video is known. */
export function embedLines(tree: Root): void {
  tree.children = tree.children.map((node) => (isElement(node, 'p') ? (embedded(node) ?? node) : node));
}

function embedded(paragraph: Element): Element | undefined {
  const address = paragraph.children.every((child) => child.type === 'text') ? textOf(paragraph).trim() : '';
  return /^https?:\/\/\S+$/i.test(address) && videoAt(address) ? frameOf('iframe', address) : undefined;
}
