interface Props {
  text: string;
  /** Start and end in UTF-16 units; they may overlap. */
  marks: readonly (readonly [number, number])[];
}

/** Text with its listed words highlighted. */
export function MarkedText({ text, marks }: Props) {
  return piecesOf(text, marks).map(({ piece, isMarked }, index) =>
    isMarked ? (
      <mark key={index} className="listed-word">
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}

export function piecesOf(text: string, marks: Props['marks']): { piece: string; isMarked: boolean }[] {
  const pieces: { piece: string; isMarked: boolean }[] = [];
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
