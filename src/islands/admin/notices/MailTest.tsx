import { useState } from 'react';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FormEnd } from '../../ui/form/FormEnd.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { Section } from '../../ui/Section.tsx';

/** Sends a mail at once, and shows what the mail server says if it refuses. */
export function MailTest() {
  const [to, setTo] = useState('');
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    showNotice(await call('mailTest', { to }, { quiet: true }));
  }, '没能发出去，请再试一次');
  return (
    <Section title="测试邮件">
      <form aria-label="测试邮件" method="post" className="grid gap-4" onSubmit={onSubmit}>
        <LineField label="发到哪个邮箱" type="email" value={to} onChange={setTo} />
        <FormEnd problem={problem} isBusy={isBusy} action="发一封测试邮件" busy="正在发…" />
      </form>
    </Section>
  );
}
