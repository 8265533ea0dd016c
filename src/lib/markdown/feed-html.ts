import type { Element, ElementContent, Properties, Root, RootContent } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';

const parser = unified().use(rehypeParse, { fragment: true });
const writer = unified().use(rehypeStringify);

const DROPPED = new Set(['script', 'style', 'button', 'template', 'dialog', 'iframe', 'link', 'meta']);
const OURS =
  /^(?:className|style|id|name|role|tabIndex|loading|decoding|fetchPriority|referrerPolicy|on[A-Z].*|data[A-Z].*|aria[A-Z].*)$/;
const ADDRESSES = ['href', 'src', 'poster', 'cite'];
const WEB = /^(?:https?|mailto):$/;

/**
 * Converts an article's stored HTML for a feed: addresses become absolute, task list boxes become characters,
 * and everything that needs our styles or scripts is removed. `address` is the article's absolute URL.
 */
export function feedHtml(html: string, address: string): string {
  const tree = parser.parse(html);
  const children = tree.children.flatMap((node) => cleaned(node as ElementContent, address));
  return writer.stringify({ type: 'root', children } satisfies Root);
}

function cleaned(node: RootContent | ElementContent, address: string): ElementContent[] {
  if (node.type === 'text') return [node];
  if (node.type !== 'element') return [];
  if (DROPPED.has(node.tagName) || node.properties['ariaHidden'] === 'true') return [];
  if (node.tagName === 'input') return [{ type: 'text', value: node.properties['checked'] ? '☑' : '☐' }];
  const children = node.children.flatMap((child) => cleaned(child, address));
  const properties = propertiesOf(node, address);
  // Highlighting spans have no use without their classes.
  if (node.tagName === 'span' && Object.keys(properties).length === 0) return children;
  return [{ ...node, properties, children }];
}

function propertiesOf({ properties }: Element, address: string): Properties {
  const kept = Object.entries(properties).flatMap(([name, value]): [string, Properties[string]][] => {
    if (OURS.test(name)) return [];
    if (ADDRESSES.includes(name)) {
      const absolute = absoluteOf(String(value), address);
      return absolute === null ? [] : [[name, absolute]];
    }
    return name === 'srcSet' ? [[name, absoluteSet(String(value), address)]] : [[name, value]];
  });
  return Object.fromEntries(kept);
}

function absoluteOf(written: string, address: string): string | null {
  const url = URL.parse(written, address);
  return url && WEB.test(url.protocol) ? url.href : null;
}

/**
 * Makes the addresses of a `srcset` absolute. Splitting at commas is safe: this site generates them without
 * commas.
 */
const absoluteSet = (set: string, address: string): string =>
  set
    .split(',')
    .flatMap((candidate) => {
      const [url = '', ...descriptors] = candidate.trim().split(/\s+/);
      const absolute = absoluteOf(url, address);
      return absolute === null ? [] : [[absolute, ...descriptors].join(' ')];
    })
    .join(', ');
