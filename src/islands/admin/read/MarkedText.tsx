import { piecesOf, type Marks } from './marked-pieces.ts';

interface Props {
  text: string;
  marks: Marks;
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
