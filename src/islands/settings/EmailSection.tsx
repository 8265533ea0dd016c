import { useState } from 'react';
import type { Safety } from '../../lib/contract/account-entities.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Field } from '../sign/Field.tsx';
import { Section } from '../ui/Section.tsx';
import { CurrentPassword, SettingsForm } from './SettingsForm.tsx';
import { useOpened } from './use-opened.ts';
import { QuietButton } from '../ui/Button.tsx';

export function EmailSection({ safety, onChange }: { safety: Safety; onChange(): void }) {
  const { opened, opener, close, section } = useOpened<'set' | 'remove'>();
  const [sentTo, setSentTo] = useState('');
  const { email, can_mail: canMail } = safety;
  const set = async ({ email: typed = '', password = '', code }: Record<string, string>) => {
    await call('emailSet', { email: typed, password, code }, { quiet: true });
    setSentTo(typed.trim());
    close();
  };
  const remove = async ({ password = '', code }: Record<string, string>) => {
    await call('emailRemove', { password, code }, { quiet: true });
    showNotice('邮箱已移除');
    close();
    onChange();
  };
  return (
    <Section title="邮箱">
      <div ref={section}>
        <p className="text-sm text-soft [overflow-wrap:anywhere]">
          {email === '' ? (
            '还没有邮箱。'
          ) : (
            <>
              已确认 <bdi className="text-ink">{email}</bdi>。
            </>
          )}
          {canMail
            ? '忘记密码时，用它找回账号；别的读者看不到。'
            : '这个网站没有设置发信；忘记密码时请联系站长。'}
        </p>
        {sentTo !== '' && (
          <output className="block mt-2 text-sm [overflow-wrap:anywhere]">
            确认邮件已发往 <bdi>{sentTo}</bdi>，请在 24 小时内打开里面的链接。
          </output>
        )}
        {opened === 'set' && (
          <SettingsForm
            label="填写邮箱"
            action="发送确认邮件"
            call="emailSet"
            asksCode
            send={set}
            onEnd={close}
          >
            {(parts) => (
              <>
                <Field
                  id={parts.idOf('email')}
                  label="邮箱"
                  name="email"
                  type="email"
                  inputMode="email"
                  autoComplete="email"
                  error={parts.errors['email']}
                />
                <CurrentPassword {...parts} />
              </>
            )}
          </SettingsForm>
        )}
        {opened === 'remove' && (
          <SettingsForm
            action="移除邮箱"
            isDangerous
            call="emailRemove"
            asksCode
            send={remove}
            onEnd={close}
          />
        )}
        {opened === null && (canMail || email !== '') && (
          <p className="mt-3 flex flex-wrap gap-3">
            {canMail && (
              <QuietButton {...opener('set')}>{email === '' ? '填写邮箱' : '换一个邮箱'}</QuietButton>
            )}
            {email !== '' && <QuietButton {...opener('remove')}>移除</QuietButton>}
          </p>
        )}
      </div>
    </Section>
  );
}
