import { useState } from 'react';
import type { FieldErrors } from '../../lib/client/check.ts';
import { UsernameField } from './Field.tsx';
import { PasswordTwice } from './PasswordTwice.tsx';

interface Props {
  hint: string;
  errors: FieldErrors;
  isBusy: boolean;
}

export function NewAccountFields({ hint, errors, ...parts }: Props) {
  const [username, setUsername] = useState('');
  return (
    <>
      <UsernameField
        hint={hint}
        error={errors['username']}
        onInput={({ currentTarget }) => setUsername(currentTarget.value)}
      />
      <PasswordTwice name="password" username={username} errors={errors} {...parts} />
    </>
  );
}
