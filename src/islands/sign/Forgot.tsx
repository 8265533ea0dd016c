import { useState } from 'react';
import { call } from '../../lib/stores/api.ts';
import { SettingsForm } from '../settings/SettingsForm.tsx';
import { island } from '../ui/island.tsx';
import { Field, VERBATIM } from './Field.tsx';

export default island(function Forgot() {
  const [answer, setAnswer] = useState('');
  const send = async ({ account = '' }: Record<string, string>) =>
    setAnswer(await call('passwordForgot', { account }, { quiet: true }));
  return (
    <>
      {answer === '' ? (
        <SettingsForm label="忘记密码" action="发送链接" call="passwordForgot" send={send}>
          {({ idOf, errors }) => (
            <Field
              id={idOf('account')}
              label="用户名或邮箱"
              name="account"
              autoComplete="username"
              {...VERBATIM}
              required
              error={errors['account']}
            />
          )}
        </SettingsForm>
      ) : (
        <output className="block">{answer}，打开里面的链接就能设新密码。</output>
      )}
      <p className="mt-6 text-sm text-soft">
        没有确认过邮箱，或者收不到邮件？请联系站长，站长核实后可以给你一个设新密码的链接。
      </p>
    </>
  );
});
