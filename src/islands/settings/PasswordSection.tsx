import { use, useState } from 'react';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Check } from '../ui/form/Checks.tsx';
import { Section } from '../ui/Section.tsx';
import { PasswordTwice } from '../sign/PasswordTwice.tsx';
import { CurrentPassword, Proofs, SettingsForm, type FormParts } from './SettingsForm.tsx';
import { useOpened } from './use-opened.ts';
import { QuietButton } from '../ui/Button.tsx';

interface Props {
  username: string;
  hasTokens: boolean;
  onChange(): void;
}

export function PasswordSection({ username, hasTokens, onChange }: Props) {
  const { opened, opener, close, section } = useOpened<'form'>();
  const { hasPassword } = use(Proofs);
  const action = hasPassword ? '修改密码' : '设置密码';
  const send = async (fields: Record<string, string>) => {
    await call('passwordChange', fields as never, { quiet: true });
    showNotice('密码已修改，其他设备已退出登录');
    close();
    onChange();
  };
  return (
    <Section title="密码">
      <div ref={section}>
        <p className="text-sm text-soft">
          {hasPassword ? '修改' : '这个账号还没有密码。设置'}后，其他设备会退出登录，这台不会。
        </p>
        {opened ? (
          <SettingsForm action={action} call="passwordChange" asksCode send={send} onEnd={close}>
            {(parts) => <Passwords {...parts} username={username} hasTokens={hasTokens} />}
          </SettingsForm>
        ) : (
          <QuietButton {...opener('form')} className="mt-3">
            {action}
          </QuietButton>
        )}
      </div>
    </Section>
  );
}

function Passwords({ username, hasTokens, ...parts }: FormParts & { username: string; hasTokens: boolean }) {
  const [isKept, setIsKept] = useState(false);
  return (
    <>
      {/* Password managers save the new password for this username. */}
      <input hidden readOnly autoComplete="username" value={username} />
      <CurrentPassword {...parts} />
      <PasswordTwice name="new_password" {...parts} username={username} />
      {hasTokens && (
        <Check name="keep_tokens" isOn={isKept} onChange={setIsKept}>
          保留访问令牌，不勾选就一并撤销
        </Check>
      )}
    </>
  );
}
