import { escapeHtml } from '../../markdown/escape-html.ts';
import { cardOf, type Payload } from './cards.ts';

/** A piece of text: `[0, opened markups, number of closed markups, text]`, or an atom instead of the text. */
type Marker = [kind: number, opens: number[], closes: number, value: string | number];

interface Mobiledoc {
  markups?: [tag: string, attributes?: string[]][];
  atoms?: [name: string, text: string, payload?: Payload][];
  cards?: [name: string, payload: Payload][];
  sections?: unknown[][];
}

const INLINE = new Set(['a', 'b', 'strong', 'i', 'em', 's', 'u', 'code', 'sub', 'sup', 'mark']);
const SECTIONS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'aside', 'ul', 'ol']);

/**
 * Converts Ghost's `mobiledoc` (format 0.3) to HTML.
 * @param lose called with the names of unknown cards and atoms
 * @throws SyntaxError or TypeError for other data
 */
export function mobiledocToHtml(json: string, lose: (name: string) => void): string {
  const document = JSON.parse(json) as Mobiledoc;
  return (document.sections ?? []).map((section) => drawSection(document, section, lose)).join('\n');
}

function drawSection(document: Mobiledoc, section: unknown[], lose: (name: string) => void): string {
  const [kind, first, second] = section;
  const write = (markers: unknown) => drawMarkers(document, markers as Marker[], lose);
  switch (kind) {
    case 1: {
      const tag = SECTIONS.has(String(first)) ? String(first) : 'p';
      const inside = write(second);
      if (tag === 'aside' || tag === 'blockquote') return `<blockquote><p>${inside}</p></blockquote>`;
      return `<${tag}>${inside}</${tag}>`;
    }
    case 2:
      return `<figure><img src="${escapeHtml(String(first))}"></figure>`;
    case 3: {
      const tag = first === 'ol' ? 'ol' : 'ul';
      const items = (second as unknown[]).map((item) => `<li>${write(item)}</li>`);
      return `<${tag}>${items.join('')}</${tag}>`;
    }
    case 10: {
      const [name, payload] = document.cards?.[Number(first)] ?? ['', {}];
      return cardOf(name, payload, lose);
    }
    default:
      lose(`section ${String(kind)}`);
      return '';
  }
}

function drawMarkers(document: Mobiledoc, markers: Marker[], lose: (name: string) => void): string {
  const open: string[] = [];
  let html = '';
  for (const [kind, opens, closes, value] of markers) {
    for (const index of opens) {
      const [tag = '', attributes = []] = document.markups?.[index] ?? [];
      const name = INLINE.has(tag) ? tag : 'span';
      const at = attributes.indexOf('href');
      const href = name === 'a' && at >= 0 ? ` href="${escapeHtml(attributes[at + 1] ?? '')}"` : '';
      html += `<${name}${href}>`;
      open.push(name);
    }
    html += kind === 0 ? escapeHtml(String(value)) : drawAtom(document, Number(value), lose);
    for (let count = 0; count < closes && open.length > 0; count += 1) html += `</${open.pop()}>`;
  }
  return (
    html +
    open
      .toReversed()
      .map((name) => `</${name}>`)
      .join('')
  );
}

function drawAtom({ atoms }: Mobiledoc, index: number, lose: (name: string) => void): string {
  const [name = '', words = ''] = atoms?.[index] ?? [];
  if (name === 'soft-return') return '<br>';
  lose(name);
  return escapeHtml(words);
}
