import type { Element, ElementContent, Root } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { isElement } from '../elements.ts';
import { walk } from '../walk.ts';

/** Attributes in which scripts find the address of a picture that is loaded late. */
const LAZY = [
  'dataSrc',
  'dataOriginal',
  'dataLazySrc',
  'dataLazyload',
  'dataLazy',
  'dataActualsrc',
  'dataActualSrc',
  'dataEcho',
  'dataUrl',
  'dataOriginalSrc',
  'file',
];
const SETS = ['dataSrcset', 'dataLazySrcset', 'srcSet'];
/** Shorter `data:` addresses are the blank pictures that stand for others. */
const MIN_EMBEDDED_CHARACTERS = 200;

/** Whether an address is a picture of some size in itself. */
export const isEmbedded = (address: string): boolean =>
  address.length >= MIN_EMBEDDED_CHARACTERS && /^data:image\//i.test(address.trimStart());

/**
 * Gives lazily loaded pictures their real address as `src`, in place. The picture in a `noscript` next to
 * a picture is the same one; alone it takes the place of the `noscript`.
 */
export function readLazyPictures(tree: Root): void {
  readNoscripts(tree as { children: ElementContent[] });
  walk<ElementContent>(tree as { children: ElementContent[] }, (node) => {
    if (isElement(node) && node.children.some((child) => isElement(child, 'noscript'))) readNoscripts(node);
    if (isElement(node, 'img')) node.properties = withAddress(node);
  });
}

const tags = unified().use(rehypeParse, { fragment: true }).use(rehypeStringify).freeze();

/** Returns the source of an `img` tag with its real address as `src`. */
export function writeLazyTag(source: string): string {
  const tree = tags.parse(source);
  readLazyPictures(tree);
  return tags.stringify(tree);
}

function readNoscripts(parent: { children: ElementContent[] }): void {
  const rest: ElementContent[] = [];
  let last: Element | undefined;
  for (const node of parent.children) {
    const inside = isElement(node, 'noscript') ? pictureIn(node) : undefined;
    if (!inside) {
      rest.push(node);
      if (node.type !== 'text' || node.value.trim() !== '') last = isElement(node, 'img') ? node : undefined;
    } else if (!last) rest.push(inside);
    else if (addressOf(last) === '') last.properties.src = addressOf(inside);
  }
  parent.children = rest;
}

function pictureIn(node: Element): Element | undefined {
  let found: Element | undefined;
  walk<ElementContent>(node, (each) => {
    if (isElement(each, 'img')) found ??= each;
  });
  return found;
}

function withAddress(image: Element): Element['properties'] {
  const others = Object.entries(image.properties).filter(
    ([name]) => !LAZY.includes(name) && !SETS.includes(name),
  );
  const src = addressOf(image) || textOf(image, 'src');
  return { ...Object.fromEntries(others), ...(src === '' ? {} : { src }) };
}

/** Returns the real address of a picture, or ''. */
function addressOf(image: Element): string {
  const named = LAZY.map((name) => textOf(image, name));
  const src = textOf(image, 'src');
  const sets = SETS.map((name) => largestIn(textOf(image, name)));
  const isReal = (address: string) => /^(?:https?:)?\/\/|^[^:\s]+\.\w{2,5}(?:[?#].*)?$/i.test(address);
  return (
    named.find(isReal) ??
    (isReal(src) || /^(?:file:|cid:|[a-z]:\\)/i.test(src) ? src : undefined) ??
    sets.find((address) => address !== '') ??
    (/^data:/i.test(src) ? '' : src)
  );
}

function textOf({ properties }: Element, name: string): string {
  const value: unknown = properties[name];
  return typeof value === 'string' ? value.trim() : Array.isArray(value) ? value.join(', ') : '';
}

/** Returns the largest candidate of a `srcset` that is not in itself a picture, or ''. */
function largestIn(set: string): string {
  const candidates = set.split(/,\s+/).map((each) => {
    const [address = '', size = '1'] = each.trim().split(/\s+/);
    return { address, size: Number.parseFloat(size) || 0 };
  });
  const real = candidates.filter(({ address }) => address !== '' && !/^data:/i.test(address));
  return real.toSorted((one, other) => other.size - one.size)[0]?.address ?? '';
}
