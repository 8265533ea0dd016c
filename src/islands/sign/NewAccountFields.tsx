import { useState } from 'react';
import type { FieldErrors } from '../../lib/client/check.ts';
import { PasswordField, UsernameField } from './Field.tsx';
import { StrengthHint } from './StrengthHint.tsx';

interface Props {
  /** What is said of the name. */
  hint: string;
  errors: FieldErrors;
  isBusy: boolean;
  /** Whether the form ends with them. */
  isEnd?: boolean;
}

/** The name of a new account, and its password, typed twice. */
export function NewAccountFields({ hint, errors, isBusy, isEnd = false }: Props) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  return (
    <>
      <UsernameField
        hint={hint}
        error={errors['username']}
        onInput={({ currentTarget }) => setUsername(currentTarget.value)}
      />
      <PasswordField
        label="密码"
        name="password"
        autoComplete="new-password"
        enterKeyHint="next"
        isBusy={isBusy}
        hint={<StrengthHint password={password} username={username} />}
        error={errors['password']}
        onInput={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <PasswordField
        label="确认密码"
        name="repassword"
        autoComplete="new-password"
        enterKeyHint={isEnd ? 'go' : 'next'}
        isBusy={isBusy}
        error={errors['repassword']}
      />
    </>
  );
}
