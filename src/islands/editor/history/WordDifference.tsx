import { useMemo } from 'react';
import { wordDifference, type Part } from './word-difference.ts';

const CONTEXT_CHARACTERS = 80;

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

/** Part of a diff. Long unchanged text is shortened to its ends. */
export function Stretch({ part, isFirst, isLast }: { part: Part; isFirst: boolean; isLast: boolean }) {
  const { kind, text } = part;
  if (kind === 'removed') return <del className="text-vermilion">{text}</del>;
  if (kind === 'added') return <ins className="bg-wash no-underline">{text}</ins>;
  if (text.length <= 2 * CONTEXT_CHARACTERS + 20) return text;
  const head = isFirst ? '' : text.slice(0, CONTEXT_CHARACTERS).toWellFormed();
  const tail = isLast ? '' : text.slice(-CONTEXT_CHARACTERS).toWellFormed();
  return (
    <>
      {head}
      <span className="text-soft">{' …… '}</span>
      {tail}
    </>
  );
}
