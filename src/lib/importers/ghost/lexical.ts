import { escapeHtml } from '../../markdown/escape-html.ts';
import { cardOf, text, type Payload } from './cards.ts';

interface LexicalNode extends Payload {
  type?: string;
  children?: LexicalNode[];
}

const FORMATS = [
  [16, 'code'],
  [1, 'strong'],
  [2, 'em'],
  [4, 's'],
  [8, 'u'],
  [32, 'sub'],
  [64, 'sup'],
  [128, 'mark'],
] as const;

/**
 * Converts Ghost's `lexical` to HTML.
 * @param lose called with the names of unknown cards
 * @throws SyntaxError or TypeError for other data
 */
export function lexicalToHtml(json: string, lose: (name: string) => void): string {
  const { root } = JSON.parse(json) as { root: LexicalNode };
  return all(root.children ?? [], lose);
}

const all = (nodes: readonly LexicalNode[], lose: (name: string) => void): string =>
  nodes.map((node) => draw(node, lose)).join('');

function draw(node: LexicalNode, lose: (name: string) => void): string {
  const inside = (): string => all(node.children ?? [], lose);
  const { type = '' } = node;
  const wrap = (tag: string) => `<${tag}>${inside()}</${tag}>`;
  switch (type) {
    case 'text':
    case 'extended-text':
      return textOf(node);
    case 'linebreak':
      return '<br>';
    case 'tab':
      return ' ';
    case 'paragraph':
      return wrap('p');
    case 'heading':
    case 'extended-heading':
      return wrap(/^h[1-6]$/.test(String(node['tag'])) ? String(node['tag']) : 'h2');
    case 'quote':
    case 'extended-quote':
    case 'aside':
      return `<blockquote><p>${inside()}</p></blockquote>`;
    case 'list':
      return listOf(node, inside());
    case 'listitem':
      return itemOf(node, inside());
    case 'link':
    case 'autolink':
    case 'at-link':
      return `<a href="${escapeHtml(text(node['url']))}">${inside()}</a>`;
    case 'table':
      return wrap('table');
    case 'tablerow':
      return wrap('tr');
    case 'tablecell':
      return cellOf(node, inside());
    case 'at-link-search':
    case 'zwnj':
      return '';
    default:
      return node.children ? unknown(type, inside(), lose) : cardOf(type, node, lose);
  }
}

function unknown(type: string, inside: string, lose: (name: string) => void): string {
  lose(type);
  return `<div>${inside}</div>`;
}

function textOf({ text: words, format }: LexicalNode): string {
  const bits = typeof format === 'number' ? format : 0;
  return FORMATS.filter(([bit]) => (bits & bit) !== 0).reduce(
    (inner, [, tag]) => `<${tag}>${inner}</${tag}>`,
    escapeHtml(text(words)).replaceAll('\n', '<br>'),
  );
}

function listOf({ listType, start, tag }: LexicalNode, inside: string): string {
  const isOrdered = listType === 'number' || tag === 'ol';
  const from = isOrdered && typeof start === 'number' && start !== 1 ? ` start="${start}"` : '';
  return isOrdered ? `<ol${from}>${inside}</ol>` : `<ul>${inside}</ul>`;
}

function itemOf({ checked }: LexicalNode, inside: string): string {
  if (typeof checked !== 'boolean') return `<li>${inside}</li>`;
  const box = `<input type="checkbox" disabled${checked ? ' checked' : ''}>`;
  return `<li class="task-list-item">${box} ${inside}</li>`;
}

function cellOf({ headerState, colSpan, rowSpan }: LexicalNode, inside: string): string {
  const span = (name: string, value: unknown) =>
    typeof value === 'number' && value > 1 ? ` ${name}="${value}"` : '';
  const tag = typeof headerState === 'number' && headerState > 0 ? 'th' : 'td';
  return `<${tag}${span('colspan', colSpan)}${span('rowspan', rowSpan)}>${inside}</${tag}>`;
}
