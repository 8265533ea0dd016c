import { useId, type ReactNode } from 'react';
import { AUTHORED, type FieldValue } from '../../../lib/contract/rules/authored-fields.ts';
import { COVER_FRAME } from '../../ui/form/CoverField.tsx';
import { factOf } from '../history/fact-of.ts';
import { linesOf, type Part } from '../history/word-difference.ts';
import { Stretch } from '../history/WordDifference.tsx';
import { canBeBoth, type Choice, type Piece } from './pieces.ts';

interface Props {
  piece: Piece;
  number: number;
  count: number;
  names: { mine: string; theirs: string };
  choice: Choice | undefined;
  onChoose(choice: Choice): void;
}

const CHOICES: { choice: Choice; text: string }[] = [
  { choice: 'mine', text: '用我的' },
  { choice: 'theirs', text: '用对方的' },
  { choice: 'both', text: '两者都留' },
];

export function ConflictPiece({ piece, number, count, names, choice, onChoose }: Props) {
  const id = useId();
  const what = piece.kind === 'setting' ? AUTHORED[piece.name].label : '正文';
  const choices = CHOICES.filter((each) => each.choice !== 'both' || canBeBoth(piece));
  return (
    <fieldset
      data-piece={number}
      tabIndex={-1}
      aria-labelledby={id}
      className="m-0 px-0 min-w-0 hairline py-3 scroll-mt-4 outline-none"
    >
      <h3 id={id} className="text-sm font-600">
        第 {number + 1} 处，共 {count} 处 · {what}
      </h3>
      <div className="mt-2 grid gap-x-6 gap-y-3 md:grid-cols-2">
        <Side name={names.mine} isTaken={choice !== 'theirs' && choice !== undefined}>
          <SideText piece={piece} side="mine" />
        </Side>
        <Side name={names.theirs} isTaken={choice !== 'mine' && choice !== undefined}>
          <SideText piece={piece} side="theirs" />
        </Side>
      </div>
      <fieldset className="m-0 mt-1 p-0 border-0 flex flex-wrap gap-x-6">
        <legend className="sr-only">第 {number + 1} 处留下哪一份</legend>
        {choices.map((each) => (
          <label key={each.choice} className="inline-flex items-center gap-2 min-h-11 cursor-pointer">
            <input
              type="radio"
              name={id}
              checked={choice === each.choice}
              onChange={() => onChoose(each.choice)}
            />
            {each.text}
          </label>
        ))}
      </fieldset>
    </fieldset>
  );
}

function Side({ name, isTaken, children }: { name: string; isTaken: boolean; children: ReactNode }) {
  return (
    <fieldset
      aria-label={name}
      className={`m-0 min-w-0 py-0 pl-3 pr-0 border-0 border-l-2 border-solid ${isTaken ? 'border-indigo' : 'border-line'}`}
    >
      <p className="text-sm text-soft">{name}</p>
      {children}
    </fieldset>
  );
}

const LACKS = { mine: 'added', theirs: 'removed' } as const;

function SideText({ piece, side }: { piece: Piece; side: 'mine' | 'theirs' }) {
  const value = piece[side];
  if (piece.kind === 'setting' && (piece.words.length === 0 || value === '' || piece.name === 'cover'))
    return <Setting piece={piece} value={value} />;
  if (value === '') return <p className="text-soft">这里没有文字</p>;
  const own: Part[] = piece.words.filter(({ kind }) => kind !== LACKS[side]);
  return (
    <div className="max-h-[50vh] overflow-y-auto whitespace-pre-wrap" dir="auto">
      {own.map(({ kind, text }, index) =>
        kind === 'same' ? (
          <Stretch
            key={index}
            part={{ kind, text }}
            isFirst={index === 0}
            isLast={index === own.length - 1}
          />
        ) : (
          <mark key={index} className="text-inherit">
            {text}
          </mark>
        ),
      )}
    </div>
  );
}

function Setting({ piece, value }: { piece: Piece; value: FieldValue }) {
  if (piece.kind !== 'setting') return null;
  if (piece.name === 'cover' && value !== '')
    return <img src={String(value)} alt="这一份的封面" className={`${COVER_FRAME} object-cover`} />;
  return <p dir="auto">{factOf(piece.name, value)}</p>;
}

const CONTEXT_LINES = 2;

/** Unchanged text between two differences: the lines next to them, and the number of lines left out. */
export function SamePart({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const lines = linesOf(text);
  const head = isFirst ? 0 : CONTEXT_LINES;
  const tail = isLast ? 0 : CONTEXT_LINES;
  const left = lines.length - head - tail;
  const isShort = left <= 1;
  return (
    <div className="hairline py-2 text-soft whitespace-pre-wrap" dir="auto">
      {isShort ? shortened(text) : shortened(lines.slice(0, head).join(''))}
      {!isShort && <p className="text-center">…… {left} 行相同 ……</p>}
      {!isShort && tail > 0 && shortened(lines.slice(-tail).join(''))}
    </div>
  );
}

/** A single line can have the length of a chapter. */
const shortened = (text: string) => (text.length <= 300 ? text : `${text.slice(0, 300).toWellFormed()} ……`);
