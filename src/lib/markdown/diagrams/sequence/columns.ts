import { labelOf, type Label } from './label.ts';
import type { Sequence, SequenceEvent } from './read-sequence.ts';

/** Sizes in pixels of the current text size of diagrams. */
export const SEQUENCE = {
  name: 13,
  text: 11,
  /** Widest line of a name and of another text. */
  nameWidth: 170,
  textWidth: 280,
  /** Room on both sides of a text in its box. */
  pad: 12,
  /** Smallest width of a name's box, and smallest room between two. */
  box: 80,
  gap: 24,
  /** Width and height of the arrow from a lifeline to itself. */
  loop: { width: 30, height: 20 },
  /** How far a note reaches beyond the outer lifelines it is about. */
  reach: 24,
} as const;

export interface Column {
  name: Label;
  width: number;
  isActor: boolean;
  x: number;
}

export type Placed = { event: SequenceEvent; label: Label };

/** Lays out the labels, and places the lifelines so far apart that every label has room. */
export function placeColumns({ people, events }: Sequence): { columns: Column[]; placed: Placed[] } {
  const placed = events.map((event) => ({
    event,
    label: labelOf('label' in event ? event.label : '', SEQUENCE.text, SEQUENCE.textWidth),
  }));
  const columns = people.map(({ label, isActor }): Column => {
    const name = labelOf(label, SEQUENCE.name, SEQUENCE.nameWidth);
    return { name, width: Math.max(SEQUENCE.box, name.width + 2 * SEQUENCE.pad), isActor, x: 0 };
  });
  const rooms = placed.flatMap(roomsOf);
  for (const [index, column] of columns.entries()) {
    const before = columns[index - 1];
    if (!before) continue;
    const wanted = rooms.flatMap(({ from, to, room }) =>
      to === index ? (columns[from]?.x ?? 0) + room : [],
    );
    column.x = Math.max(before.x + (before.width + column.width) / 2 + SEQUENCE.gap, ...wanted);
  }
  return { columns, placed };
}

export const noteWidth = (label: Label): number => label.width + 2 * SEQUENCE.pad;

/** Returns how far apart pairs of lifelines have to be for a label. */
function roomsOf({ event, label }: Placed): { from: number; to: number; room: number }[] {
  if (event.kind === 'message') {
    const [from, to] = [Math.min(event.from, event.to), Math.max(event.from, event.to)];
    const loop = SEQUENCE.loop.width + SEQUENCE.pad;
    return from < to
      ? [{ from, to, room: label.width + 2 * SEQUENCE.pad }]
      : [{ from, to: from + 1, room: loop + label.width + SEQUENCE.pad }];
  }
  if (event.kind !== 'note') return [];
  const { side, first, last } = event;
  if (first < last) return [{ from: first, to: last, room: noteWidth(label) - 2 * SEQUENCE.reach }];
  const room = (side === 'over' ? noteWidth(label) / 2 : noteWidth(label) + SEQUENCE.pad) + SEQUENCE.pad;
  return [
    ...(side === 'right' ? [] : [{ from: first - 1, to: first, room }]),
    ...(side === 'left' ? [] : [{ from: first, to: first + 1, room }]),
  ];
}
