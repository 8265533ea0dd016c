import { useState } from 'react';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FormEnd } from '../../ui/form/FormEnd.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { Section } from '../../ui/Section.tsx';
import { settingsPage } from './settings-page.tsx';

const quiet = { quiet: true };

/** Mail server and sender, and a test mail. */
export default settingsPage({
  label: '邮件',
  group: 'mail',
  more: (texts) => texts['SMTP_HOST'] !== '' && <MailTest />,
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
