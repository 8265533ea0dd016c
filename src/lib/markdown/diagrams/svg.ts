import type { Element, ElementContent, Properties, RootContent } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import { unified } from 'unified';
import { element, isElement } from '../elements.ts';
import { walk } from '../walk.ts';

/**
 * Characters in a label that the library would parse as its end; they are replaced by private-use characters
 * while it draws.
 */
const SIGNS = '[](){}|<>/\\"&;#%`';
const FIRST = 0xe000;
const HIDDEN = new RegExp(
  `[${String.fromCharCode(FIRST)}-${String.fromCharCode(FIRST + SIGNS.length - 1)}]`,
  'g',
);

/** Hides these characters in a label, except in `<br>`. */
export function hideSigns(label: string): string {
  return label
    .replace(HIDDEN, '')
    .split(/(<br\s*\/?>)/i)
    .map((part, index) => (index % 2 === 1 ? '<br>' : part.replace(/[[\](){}|<>/\\"&;#%`]/g, hide)))
    .join('');
}

const hide = (sign: string) => String.fromCharCode(FIRST + SIGNS.indexOf(sign));

const showSigns = (text: string): string =>
  text.replace(HIDDEN, (character) => SIGNS[character.charCodeAt(0) - FIRST] ?? '');

/**
 * Opacities for the library's colour variables: all colours derive from the text colour, so one picture fits
 * both themes.
 */
const SHARES: Record<string, number> = {
  '--_text': 1,
  '--_text-sec': 0.8,
  '--_text-muted': 0.8,
  '--_text-faint': 0.7,
  '--_line': 0.55,
  '--_arrow': 0.85,
  '--_node-fill': 0.04,
  '--_node-stroke': 0.4,
  '--_group-hdr': 0.06,
  '--_inner-stroke': 0.2,
  '--_key-badge': 0.1,
};

const numeric = (name: string): [string, RegExp] => [name, /^-?[\d.]{1,9}$/];
const numbers = (names: string) => names.split(' ').map(numeric);

/** Allowlist for pictures: shapes and text. No links, styles, scripts or foreign elements. */
const SVG_SCHEMA: Schema = {
  tagNames: 'svg defs marker g rect line path polygon polyline circle ellipse text tspan'.split(' '),
  attributes: {
    '*': [
      ...numbers(
        'x y x1 y1 x2 y2 cx cy r rx ry dy width height strokeWidth fontSize fontWeight fillOpacity strokeOpacity',
      ),
      ...numbers('refX refY markerWidth markerHeight'),
      ['points', /^[-\d., ]*$/],
      ['d', /^[-\d., a-z]*$/i],
      ['fill', 'none', 'currentColor'],
      ['stroke', 'none', 'currentColor'],
      ['strokeDashArray', /^[\d ,.]{1,20}$/],
      ['textAnchor', 'start', 'middle', 'end'],
      ['fontStyle', 'italic'],
      ['transform', /^(?:(?:translate|scale|rotate)\([-\d., ]{1,40}\) ?){1,3}$/],
      ['markerStart', /^url\(#[\w-]{1,40}\)$/],
      ['markerEnd', /^url\(#[\w-]{1,40}\)$/],
      ['className', 'diagram-ground'],
    ],
    svg: [['viewBox', /^[-\d. ]{1,60}$/]],
    marker: [
      ['id', /^[\w-]{1,40}$/],
      ['orient', 'auto', 'auto-start-reverse'],
    ],
  },
  // The sanitiser uses its defaults for omitted keys.
  clobber: [],
  strip: ['style', 'script', 'title'],
};

const parser = unified().use(rehypeParse, { fragment: true }).use(rehypeSanitize, SVG_SCHEMA).freeze();

/** Parses the library's SVG: sanitised, in the text colour, without its styles. Null if there is no `svg`. */
export function readSvg(markup: string): Element | null {
  const tree = parser.parse(markup);
  walk<RootContent>(tree, (node) => {
    delete node.position;
    if (node.type === 'text') node.value = showSigns(node.value).replace('(no attributes)', '');
    if (isElement(node)) node.properties = propertiesOf(node.properties);
  });
  const svg = parser.runSync(tree).children.find((node) => isElement(node, 'svg'));
  if (!isElement(svg)) return null;
  return { ...svg, children: withoutSpace(svg.children) };
}

/** Returns a copy with marker ids that are unique in the article. */
export function numbered(svg: Element, number: number): Element {
  const copy = structuredClone(svg);
  walk<ElementContent>(copy, (node) => {
    if (!isElement(node)) return;
    const { id, markerStart, markerEnd } = node.properties;
    if (typeof id === 'string') node.properties.id = `diagram-${number}-${id}`;
    for (const [name, value] of Object.entries({ markerStart, markerEnd }))
      if (typeof value === 'string') node.properties[name] = value.replace('#', `#diagram-${number}-`);
  });
  return copy;
}

function propertiesOf(properties: Properties): Properties {
  const result: Properties = {};
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'fill' || name === 'stroke') Object.assign(result, paint(name, String(value)));
    else if (name !== 'className') result[name] = typeof value === 'string' ? rounded(value) : value;
  }
  return result;
}

const rounded = (value: string) =>
  value.replace(/\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10));

function paint(name: 'fill' | 'stroke', value: string): Properties {
  const role = /^var\((--[\w-]+)\)$/.exec(value)?.[1] ?? '';
  const share = SHARES[role];
  if (share === undefined)
    return {
      [name]: 'none',
      ...(role === '--bg' && name === 'fill' ? { className: ['diagram-ground'] } : {}),
    };
  return { [name]: 'currentColor', ...(share < 1 ? { [`${name}Opacity`]: share } : {}) };
}

function withoutSpace(nodes: ElementContent[]): ElementContent[] {
  return nodes.flatMap((node): ElementContent[] => {
    if (!isElement(node)) return node.type === 'text' && node.value.trim() === '' ? [] : [node];
    if (node.tagName === 'text' || node.tagName === 'tspan') return [node];
    const children = withoutSpace(node.children);
    const isBare = node.tagName === 'g' && Object.keys(node.properties).length === 0;
    return isBare ? children : [element(node.tagName, node.properties, children)];
  });
}
