import type { Element, ElementContent } from 'hast';
import { element, isElement, textOf } from './elements.ts';
import { walk } from './walk.ts';

/** Ems within which the texts of a column stay on one line; longer ones have this much room at least. */
const MOST_EMS = 10;
/** What takes the room of a whole em, and about how much anything else takes. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu;
const NARROW_EMS = 0.6;

/** A box that scrolls a large table in itself and can be reached by keyboard. Gives its columns room. */
export function scrollable(table: Element): Element {
  giveRoom(table);
  const properties = { className: ['table-scroll'], role: 'region', ariaLabel: '表格', tabIndex: 0 };
  return element('div', properties, [table]);
}

/** Gives the first cell of each column a class that says how wide the column is at least (tables.css). */
function giveRoom(table: Element): void {
  const rows = rowsOf(table);
  const hasSpans = rows.flat().some(({ properties: { colSpan } }) => colSpan !== undefined);
  if (hasSpans) return;
  const ems: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) ems[column] = Math.max(ems[column] ?? 0, emsOf(cell));
  for (const [column, cell] of (rows[0] ?? []).entries()) {
    const room = Math.ceil(Math.min(ems[column] ?? 0, MOST_EMS));
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

/** About how wide the text of a cell is on one line. */
function emsOf(cell: Element): number {
  const text = textOf(cell).trim();
  const wide = text.match(WIDE)?.length ?? 0;
  return wide + (text.length - wide) * NARROW_EMS;
}
