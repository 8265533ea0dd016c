import { useState } from 'react';
import type { MailSettings } from '../../../lib/contract/calls/setting-calls.ts';
import { MAIL_ENCRYPTION_NAMES } from '../../../lib/contract/rules/site-rules.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { FormEnd } from '../../ui/form/FormEnd.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { Section } from '../../ui/Section.tsx';
import { SecretField } from './SecretField.tsx';
import { settingsPage } from './settings-page.tsx';

const quiet = { quiet: true };
/** Usual port of each kind of encryption. Choosing a kind replaces a port that is usual for another one. */
const PORTS = { tls: '465', starttls: '587', any: '25' } as const;

const valuesOf = ({ server, port, encryption, account, sender }: MailSettings) => ({
  server,
  port: String(port),
  encryption,
  account,
  secret: '' as string | null,
  sender,
});

/** Mail server and sender, and a test mail. */
export default settingsPage('邮件', {
  ask: () => call('mailSettings', {}, quiet),
  valuesOf,
  save: (fields) => call('mailSettingsChange', fields, quiet),
  fields: ({ values, set, frame }, { has_secret }) => (
    <>
      <LineField
        {...frame('server', '邮箱服务商给的 SMTP 地址，如 smtp.example.com。清空就不再发信。')}
        label="邮件服务器"
        value={values.server}
        onChange={(server) => set({ server })}
      />
      <Choice
        {...frame('encryption')}
        label="加密"
        value={values.encryption}
        options={MAIL_ENCRYPTION_NAMES}
        onChange={(encryption) => {
          const isUsual = Object.values<string>(PORTS).includes(values.port);
          set({ encryption, ...(isUsual && { port: PORTS[encryption] }) });
        }}
      />
      <LineField
        {...frame('port')}
        label="端口"
        inputMode="numeric"
        value={values.port}
        onChange={(port) => set({ port })}
      />
      <LineField
        {...frame('account', '多半就是发信的邮箱地址。')}
        label="登录名"
        value={values.account}
        onChange={(account) => set({ account })}
      />
      <SecretField
        {...frame('secret', '许多邮箱要用单独的授权码，不是登录网页的密码。')}
        label="登录密码或授权码"
        isSet={has_secret}
        value={values.secret}
        onChange={(secret) => set({ secret })}
      />
      <LineField
        {...frame('sender', '如 blog@example.com，或 墨页 <blog@example.com>。')}
        label="发件人"
        value={values.sender}
        onChange={(sender) => set({ sender })}
      />
    </>
  ),
  more: ({ is_on }) => is_on && <MailTest />,
});

/** Sends a mail at once, and shows the mail server's answer. */
function MailTest() {
  const [to, setTo] = useState<string | null>(null);
  const [answer, setAnswer] = useState('');
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    setAnswer('');
    const { email } = to === null ? await call('safety', {}, quiet) : { email: to };
    const told = await call('mailTest', { to: email }, quiet);
    setAnswer(told);
    showNotice('邮件服务器已经收下');
  }, '没能发出去，请再试一次');
  return (
    <Section title="测试邮件">
      <form aria-label="测试邮件" method="post" className="grid gap-4" onSubmit={onSubmit}>
        <LineField
          label="发到哪个邮箱"
          hint="不填就发到你自己确认过的邮箱。"
          type="email"
          value={to ?? ''}
          onChange={(value) => setTo(value === '' ? null : value)}
        />
        <FormEnd problem={problem} isBusy={isBusy} action="发一封测试邮件" busy="正在发…" />
        <output className="text-sm text-soft wrap-anywhere empty:hidden">{answer}</output>
      </form>
    </Section>
  );
}
