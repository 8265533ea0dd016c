import type { Element, ElementContent } from 'hast';
import { element, isElement, textOf } from '../elements.ts';
import { styleOf } from './styles.ts';

const ORDERED = /^[(（]?(?:\d{1,4}|[a-z]{1,4}|[一二三四五六七八九十]{1,3})[.)、）．]/i;

/** Returns the level of a Word list paragraph, 1 for the outermost; 0 if it is not one. */
const levelOf = (node: ElementContent | undefined): number =>
  isElement(node, 'p', 'h1', 'h2', 'h3') ? Number(/level(\d)/.exec(styleOf(node, 'mso-list'))?.[1] ?? 0) : 0;

const isSign = (node: Element) => styleOf(node, 'mso-list') === 'ignore';

const isBlank = (node: ElementContent) => node.type === 'text' && node.value.trim() === '';

/** Converts the paragraphs that Word and WPS write for list items to lists. */
export function joinWordLists(children: ElementContent[]): ElementContent[] {
  if (!children.some((node) => levelOf(node) > 0)) return children;
  const result: ElementContent[] = [];
  let open: { list: Element; level: number }[] = [];
  for (const node of children) {
    const level = levelOf(node);
    if (level === 0) {
      // Line breaks of the markup between two items.
      if (isBlank(node) && open.length > 0) continue;
      open = [];
      result.push(node);
      continue;
    }
    const { sign, item } = itemOf(node as Element);
    const name = ORDERED.test(sign) ? 'ol' : 'ul';
    open = open.filter((each) => each.level <= level);
    let last = open.at(-1);
    if (!last || last.level < level || (open.length === 1 && last.list.tagName !== name)) {
      const list = element(name, {});
      const above = last && last.level < level ? last.list.children.at(-1) : undefined;
      if (above && isElement(above)) above.children.push(list);
      else {
        open = [];
        result.push(list);
      }
      last = { list, level };
      open.push(last);
    }
    last.list.children.push(item);
  }
  return result;
}

function itemOf(paragraph: Element): { sign: string; item: Element } {
  let sign = '';
  const strip = (nodes: ElementContent[]): ElementContent[] =>
    nodes.flatMap((node): ElementContent[] => {
      if (!isElement(node)) return [node];
      if (!isSign(node)) return [{ ...node, children: strip(node.children) }];
      sign ||= textOf(node).trim();
      return [];
    });
  const children = strip(paragraph.children);
  return { sign, item: element('li', {}, children) };
}
