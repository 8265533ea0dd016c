import { useMemo } from 'react';
import { wordDifference, type Part } from './word-difference.ts';

/** Characters of what is the same that stand on each side of a change. */
const CONTEXT = 80;

/** Two texts in one: what `after` lacks is struck through, what it adds has a ground of its own. */
export function WordDifference({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => wordDifference(before, after), [before, after]);
  if (before === after) return <p className="text-soft">正文和现在一样。</p>;
  return (
    <p className="whitespace-pre-wrap" dir="auto">
      {parts.map((part, index) => (
        <Stretch key={index} part={part} isFirst={index === 0} isLast={index === parts.length - 1} />
      ))}
    </p>
  );
}

/** A part of a difference; of what is the same its ends. */
export function Stretch({ part, isFirst, isLast }: { part: Part; isFirst: boolean; isLast: boolean }) {
  const { kind, text } = part;
  if (kind === 'removed') return <del className="text-vermilion">{text}</del>;
  if (kind === 'added') return <ins className="version-own no-underline">{text}</ins>;
  if (text.length <= 2 * CONTEXT + 20) return text;
  const head = isFirst ? '' : text.slice(0, CONTEXT).toWellFormed();
  const tail = isLast ? '' : text.slice(-CONTEXT).toWellFormed();
  return (
    <>
      {head}
      <span className="text-soft">{' …… '}</span>
      {tail}
    </>
  );
}
