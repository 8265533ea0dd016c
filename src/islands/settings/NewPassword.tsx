import { useState } from 'react';
import { PasswordField } from '../sign/Field.tsx';
import { StrengthHint } from '../sign/StrengthHint.tsx';
import type { FormParts } from './SettingsForm.tsx';

/** A new password, typed twice. */
export function NewPassword({ username, idOf, errors, isBusy }: FormParts & { username: string }) {
  const [typed, setTyped] = useState('');
  return (
    <>
      <PasswordField
        id={idOf('new_password')}
        label="新密码"
        name="new_password"
        autoComplete="new-password"
        isBusy={isBusy}
        hint={<StrengthHint password={typed} username={username} />}
        error={errors['new_password']}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <PasswordField
        id={idOf('repassword')}
        label="再输一次新密码"
        name="repassword"
        autoComplete="new-password"
        isBusy={isBusy}
        error={errors['repassword']}
      />
    </>
  );
}
