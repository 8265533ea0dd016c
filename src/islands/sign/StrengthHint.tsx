import { useEffect, useState } from 'react';
import { BOUNDS, countCharacters } from '../../lib/contract/rules/bounds.ts';
import type { Strength } from './strength.ts';

const [MIN_PASSWORD_CHARACTERS, MAX_PASSWORD_CHARACTERS] = BOUNDS.password;
const STEPS = [1, 2, 3, 4];
const COLOURS = ['bg-vermilion', 'bg-vermilion', 'bg-soft', 'bg-indigo', 'bg-indigo'] as const;

/** Strength of a password that is long enough. The estimator loads with the first character. */
export function StrengthHint({ password, username }: { password: string; username: string }) {
  const [strength, setStrength] = useState<Strength | null>(null);
  const isShort = countCharacters(password) < MIN_PASSWORD_CHARACTERS;
  useEffect(() => {
    if (password === '') return undefined;
    let isOver = false;
    import('./strength.ts').then(
      ({ judgeStrength }) => isOver || setStrength(judgeStrength(password, username)),
      // Only a hint; the form works without it.
      (error: unknown) => console.info(`no strength hint: ${String(error)}`),
    );
    return () => {
      isOver = true;
    };
  }, [password, username]);

  const shown = isShort ? null : strength;
  const reached = shown ? Math.max(1, shown.level) : 0;
  return (
    <>
      <span className="grid grid-cols-4 gap-1 my-1.5" aria-hidden="true">
        {STEPS.map((step) => (
          <span
            key={step}
            className={`h-[3px] rounded-full ${shown && step <= reached ? COLOURS[shown.level] : 'bg-line'}`}
          />
        ))}
      </span>
      {shown
        ? `强度${shown.word}：${shown.advice}`
        : `${MIN_PASSWORD_CHARACTERS}–${MAX_PASSWORD_CHARACTERS} 个字符，几个不相干的词连起来好记又难猜`}
    </>
  );
}
