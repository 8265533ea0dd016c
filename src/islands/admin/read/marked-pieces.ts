/** Start and end in UTF-16 units; marks may overlap. */
export type Marks = readonly (readonly [number, number])[];

interface Piece {
  piece: string;
  isMarked: boolean;
}

/** Splits a text into its marked and other parts. */
export function piecesOf(text: string, marks: Marks): Piece[] {
  const pieces: Piece[] = [];
  const add = (piece: string, isMarked: boolean) => {
    if (piece !== '') pieces.push({ piece, isMarked });
  };
  let at = 0;
  for (const [start, end] of marks.toSorted(([one], [other]) => one - other)) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    add(text.slice(at, from), false);
    add(text.slice(from, end), true);
    at = end;
  }
  add(text.slice(at), false);
  return pieces;
}
