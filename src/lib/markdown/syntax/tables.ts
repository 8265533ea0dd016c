import type { Element, ElementContent } from 'hast';
import { element, isElement, textOf } from '../elements.ts';
import { emsOf } from '../text-width.ts';
import { walk } from '../walk.ts';

/** Maximum of a column's minimum width, in ems; texts up to this width stay on one line. */
const MAX_COLUMN_EMS = 10;

export function scrollable(table: Element): Element {
  giveRoom(table);
  const properties = { className: ['table-scroll'], role: 'region', ariaLabel: '表格', tabIndex: 0 };
  return element('div', properties, [table]);
}

/** Sets each column's minimum width with a class on its first cell (tables.css). */
function giveRoom(table: Element): void {
  const rows = rowsOf(table);
  const hasSpans = rows.flat().some(({ properties: { colSpan } }) => colSpan !== undefined);
  if (hasSpans) return;
  const ems: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      ems[column] = Math.max(ems[column] ?? 0, emsOf(textOf(cell).trim()));
  for (const [column, cell] of (rows[0] ?? []).entries()) {
    const room = Math.ceil(Math.min(ems[column] ?? 0, MAX_COLUMN_EMS));
    if (room > 1) cell.properties.className = [`ems-${room}`];
  }
}

function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = [];
  walk<ElementContent>(table, (node) => {
    if (!isElement(node) || node.tagName === 'table') return 'skip';
    if (node.tagName === 'tr') rows.push(node.children.filter((cell) => isElement(cell, 'td', 'th')));
    return undefined;
  });
  return rows;
}
