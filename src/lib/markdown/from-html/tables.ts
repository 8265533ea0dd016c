import type { Element, ElementContent } from 'hast';
import { element, isElement, textOf } from '../elements.ts';
import { styleOf } from './styles.ts';

/** Lower than in browsers: a cell that spans a million columns would be filled with that many cells. */
const MAX_SPAN = 100;

/**
 * Converts a table to one that markdown supports: the first row is the head, paragraphs in cells become
 * lines. A table with a single cell is page layout and is replaced by the cell's content.
 */
export function cleanTable(table: Element): ElementContent[] {
  const rows = rowsOf(table);
  const cells = rows.map((row) => row.children.filter((cell) => isElement(cell, 'td', 'th')));
  const [first = []] = cells;
  if (rows.length === 1 && first.length === 1) return (first[0] as Element).children;
  const kept = cells
    .filter((row) => row.length > 0)
    .map((row, index) => row.map((cell) => cleanCell(cell, index === 0)));
  if (kept.length === 0) return [];
  return [
    element(
      'table',
      {},
      kept.map((row) => element('tr', {}, row)),
    ),
  ];
}

const rowsOf = (parent: Element): Element[] =>
  parent.children.flatMap((child) => {
    if (isElement(child, 'tr')) return [child];
    return isElement(child) && !isElement(child, 'table', 'caption') ? rowsOf(child) : [];
  });

function cleanCell(cell: Element, isHead: boolean): Element {
  const { colSpan, rowSpan } = cell.properties;
  const align = [cell.properties['align'], styleOf(cell, 'text-align')].find(
    (each) => each === 'center' || each === 'right',
  );
  const spans = { ...spanOf('colSpan', colSpan), ...spanOf('rowSpan', rowSpan) };
  const children = linesOf(cell.children);
  const properties = { ...(align ? { align } : {}), ...spans };
  return isHead ? element('th', properties, withoutBold(children)) : element('td', properties, children);
}

/** A table's head is always bold. */
const withoutBold = (nodes: ElementContent[]): ElementContent[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return [node];
    const children = withoutBold(node.children);
    return ['b', 'strong'].includes(node.tagName) ? children : [{ ...node, children }];
  });

function spanOf(name: string, value: unknown): Record<string, number> {
  const span = Math.min(Number(value), MAX_SPAN);
  return span > 1 ? { [name]: span } : {};
}

function linesOf(nodes: ElementContent[]): ElementContent[] {
  const lines: ElementContent[] = [];
  const isOpen = () => lines.length > 0 && !isElement(lines.at(-1), 'br');
  for (const node of nodes) {
    if (isElement(node, 'p', 'div', 'section', 'li', 'ul', 'ol', 'blockquote', 'pre', 'table', 'tr')) {
      const inner = node.tagName === 'pre' ? [codeOf(node)] : linesOf(node.children);
      if (textOf(element('p', {}, inner)).trim() === '' && !inner.some((each) => isElement(each, 'img')))
        continue;
      if (isOpen()) lines.push(element('br', {}));
      lines.push(...inner);
      lines.push(element('br', {}));
    } else if (node.type === 'text' && node.value.trim() === '' && !isOpen()) continue;
    else lines.push(node);
  }
  while (isElement(lines.at(-1), 'br')) lines.pop();
  return lines;
}

const codeOf = (pre: Element) =>
  element('code', {}, [{ type: 'text', value: textOf(pre).replace(/\s+/g, ' ').trim() }]);
