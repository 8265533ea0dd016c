import type { Element, ElementContent } from 'hast';
import { classesOf, element, isElement, textOf } from '../elements.ts';
import { styleOf } from './styles.ts';

/** Classes of the outline levels that have no element in HTML, and which become headings. */
const DEEP_HEADING = /^MsoHeading([7-9])$/i;

/** Returns the level of a Word list paragraph, 1 for the outermost; 0 if it is not one. */
const levelOf = (node: ElementContent | undefined): number =>
  isElement(node, 'p') && !classesOf(node).some((name) => DEEP_HEADING.test(name))
    ? Number(/level(\d)/.exec(styleOf(node, 'mso-list'))?.[1] ?? 0)
    : 0;

const isSign = (node: Element) => styleOf(node, 'mso-list') === 'ignore';

const isBlank = (node: ElementContent) => node.type === 'text' && node.value.trim() === '';

/** A list that takes further items of its level. */
interface OpenList {
  list: Element;
  level: number;
}

/**
 * Converts the paragraphs that Word and WPS write for list items to lists. A number that is not the next one
 * starts another list. Signs that Markdown cannot write (第一条, 1.1, ①) stay as text: at the outermost level
 * of a paragraph, further inside of an item.
 */
export function joinWordLists(children: ElementContent[]): ElementContent[] {
  if (!children.some((node) => levelOf(node) > 0 || isDeepHeading(node))) return children;
  const result: ElementContent[] = [];
  let open: OpenList[] = [];
  for (const node of children) {
    const level = levelOf(node);
    if (level > 0) {
      open = open.filter((each) => each.level <= level);
      open = addItem(result, open, { node: node as Element, level });
    } else if (!isBlank(node) || open.length === 0) {
      // Blank text is a line break of the markup between two items.
      open = [];
      result.push(isDeepHeading(node) ? { ...node, tagName: 'h6' } : node);
    }
  }
  return result;
}

const isDeepHeading = (node: ElementContent): node is Element =>
  isElement(node, 'p') && classesOf(node).some((name) => DEEP_HEADING.test(name));

function addItem(
  result: ElementContent[],
  open: OpenList[],
  { node, level }: { node: Element; level: number },
): OpenList[] {
  const { sign, item } = itemOf(node);
  const number = numberOf(sign);
  const isOther = number === null && !isBullet(sign);
  const last = open.at(-1);
  if (isOther && (!last || (open.length === 1 && last.level === level))) {
    result.push(element('p', node.properties, [...signText(sign), ...item.children]));
    return [];
  }
  if (isOther) item.children.unshift(...signText(sign));
  const name = number === null ? 'ul' : 'ol';
  if (last?.level === level && (open.length > 1 || last.list.tagName === name)) {
    last.list.children.push(item);
    return open;
  }
  const start = number === null || number === 1 ? {} : { start: number };
  const list = element(name, start, [item]);
  const above = last && last.level < level ? last.list.children.at(-1) : undefined;
  if (isElement(above)) {
    above.children.push(list);
    return [...open, { list, level }];
  }
  result.push(list);
  return [{ list, level }];
}

const signText = (sign: string): ElementContent[] => [{ type: 'text', value: `${sign} ` }];

/** A sign, or a letter of the fonts of symbols. */
const isBullet = (sign: string): boolean => /^(?:|[^\p{L}\p{N}]|[olnuvqwü§Ø])$/u.test(sign);

const DIGITS = '一二三四五六七八九';
const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** Returns the number of an item of a numbered list; null for other signs. */
function numberOf(sign: string): number | null {
  const [, digits, letters = '', chinese = ''] =
    /^[(（]?(?:(\d{1,9})|([a-z]{1,8})|([一二三四五六七八九十]{1,3}))[.)、）．]$/i.exec(sign) ?? [];
  if (digits !== undefined) return Number(digits);
  if (chinese !== '') return fromChinese(chinese);
  if (letters === '') return null;
  const lower = letters.toLowerCase();
  if (/^(?:[ivx]|[ivxlcdm]{2,})$/.test(lower)) return fromRoman(lower);
  return lower.length === 1 ? lower.charCodeAt(0) - 96 : null;
}

function fromChinese(written: string): number {
  const [tens, ones] = written.includes('十') ? written.split('十') : ['', written];
  const digit = (text = '') => DIGITS.indexOf(text) + 1;
  const ten = written.includes('十') ? (tens === '' ? 1 : digit(tens)) : 0;
  return ten * 10 + (ones === '' ? 0 : digit(ones));
}

function fromRoman(written: string): number {
  const values = [...written].map((sign) => ROMAN[sign] ?? 0);
  return values.reduce((sum, value, at) => (value < (values[at + 1] ?? 0) ? sum - value : sum + value), 0);
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
