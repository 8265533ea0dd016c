import { PasswordTwice } from '../sign/PasswordTwice.tsx';
import type { FormParts } from './SettingsForm.tsx';

export const NewPassword = (parts: FormParts & { username: string }) => (
  <PasswordTwice name="new_password" labels={['新密码', '再输一次新密码']} {...parts} />
);
