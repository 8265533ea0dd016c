import { useState } from 'react';
import type { FieldErrors } from '../../lib/client/check.ts';
import { PasswordField } from './Field.tsx';
import { StrengthHint } from './StrengthHint.tsx';

interface Props {
  /** Name of the first field; the second is `repassword`. */
  name: 'password' | 'new_password';
  labels: readonly [first: string, second: string];
  /** Username of the account: a password similar to it is weak. */
  username: string;
  errors: FieldErrors;
  isBusy: boolean;
  idOf?: (name: string) => string;
}

export function PasswordTwice(props: Props) {
  const { name, labels, username, errors, isBusy, idOf = (each) => each } = props;
  const [typed, setTyped] = useState('');
  return (
    <>
      <PasswordField
        id={idOf(name)}
        label={labels[0]}
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
        label={labels[1]}
        name="repassword"
        autoComplete="new-password"
        enterKeyHint="go"
        isBusy={isBusy}
        error={errors['repassword']}
      />
    </>
  );
}
