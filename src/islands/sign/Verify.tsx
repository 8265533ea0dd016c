import { useState } from 'react';
import { call } from '../../lib/stores/api.ts';
import { SettingsForm } from '../settings/SettingsForm.tsx';
import { island } from '../ui/island.tsx';
import { useSecret } from '../ui/use-browser.ts';

/** /verify: confirms an e-mail address. Requires a click, because mail scanners open links too. */
export default island(function Verify() {
  const token = useSecret();
  const [email, setEmail] = useState('');
  const send = async (fields: Record<string, string>) => {
    setEmail((await call('emailVerify', { token: fields['token'] ?? '' }, { quiet: true })).email);
  };
  return email === '' ? (
    <SettingsForm label="确认邮箱" action="这是我的邮箱" call="emailVerify" fixed={{ token }} send={send}>
      {() => <p className="mb-4">确认之后，忘记密码时可以用这个邮箱找回账号。</p>}
    </SettingsForm>
  ) : (
    <output className="block" data-done>
      <span className="block page-title">邮箱已确认</span>
      <span className="block mt-3 mb-6">
        <bdi>{email}</bdi> 现在是你的邮箱。
      </span>
      <a href="/user/settings" className="button">
        回到账号设置
      </a>
    </output>
  );
});
