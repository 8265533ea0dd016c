import { useEffect, useState } from 'react';
import { BOUNDS, countCharacters } from '../../lib/contract/rules/bounds.ts';
import type { FieldErrors } from '../../lib/client/check.ts';
import type { Strength } from './strength.ts';
import { PasswordField } from './Field.tsx';

const [MIN_PASSWORD_CHARACTERS, MAX_PASSWORD_CHARACTERS] = BOUNDS.password;
const STEPS = [1, 2, 3, 4];
const COLOURS = ['bg-vermilion', 'bg-vermilion', 'bg-soft', 'bg-indigo', 'bg-indigo'] as const;

/** Strength of a password that is long enough. The estimator loads with the first character. */
function StrengthHint({ password, username }: { password: string; username: string }) {
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

const LABELS = { password: ['密码', '确认密码'], new_password: ['新密码', '再输一次新密码'] } as const;

interface Props {
  /** Name of the first field; the second is `repassword`. */
  name: keyof typeof LABELS;
  /** Username of the account: a password similar to it is weak. */
  username: string;
  errors: FieldErrors;
  isBusy: boolean;
  idOf?: (name: string) => string;
}

export function PasswordTwice(props: Props) {
  const { name, username, errors, isBusy, idOf = (each) => each } = props;
  const [typed, setTyped] = useState('');
  return (
    <>
      <PasswordField
        id={idOf(name)}
        label={LABELS[name][0]}
        name={name}
        autoComplete="new-password"
        enterKeyHint="next"
        isBusy={isBusy}
        hint={<StrengthHint password={typed} username={username} />}
        error={errors[name]}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <PasswordField
        id={idOf('repassword')}
        label={LABELS[name][1]}
        name="repassword"
        autoComplete="new-password"
        enterKeyHint="go"
        isBusy={isBusy}
        error={errors['repassword']}
      />
    </>
  );
}
