import { useState } from 'react';
import { call } from '../../lib/stores/api.ts';
import { forgetSignIn } from '../../lib/stores/account/session.ts';
import { PasswordTwice } from './PasswordTwice.tsx';
import { SettingsForm } from '../settings/SettingsForm.tsx';
import { island } from '../ui/island.tsx';
import { useSecret } from '../ui/use-browser.ts';

/** Form of /reset. `signInPath` is where the new password signs in. */
export default island(function Reset({ signInPath }: { signInPath: string }) {
  const token = useSecret();
  const [isDone, setDone] = useState(false);
  const send = async (fields: Record<string, string>) => {
    await call('passwordReset', fields as never, { quiet: true });
    // All sessions of the account have ended, perhaps including one of this browser.
    forgetSignIn();
    setDone(true);
  };
  return isDone ? (
    <output className="block">
      密码已重设，所有设备都已退出登录。
      <a href={signInPath} className="inline-flex items-center min-h-11 px-1">
        用新密码登录
      </a>
    </output>
  ) : (
    <SettingsForm action="设置新密码" call="passwordReset" fixed={{ token }} send={send}>
      {(parts) => <PasswordTwice name="new_password" {...parts} username="" />}
    </SettingsForm>
  );
});
