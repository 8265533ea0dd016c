import { useState } from 'react';
import type { ShownNoticeSettings } from '../../lib/contract/calls/notice-calls.ts';
import { NOTICE_MODES, USER_NOTICES } from '../../lib/contract/rules/notice-kinds.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Answered } from '../ui/form/Answered.tsx';
import { Checks } from '../ui/form/Checks.tsx';
import { Choice } from '../ui/form/Choice.tsx';
import { FormEnd } from '../ui/form/FormEnd.tsx';
import { Section } from '../ui/Section.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';

const ask = () => call('noticeSettings', {}, { quiet: true });

export const NoticeSettings = () => (
  <Section title="邮件通知">
    <Answered ask={ask}>{(settings) => <Form settings={settings} />}</Answered>
  </Section>
);

const whyNone = ({ has_mail, address }: ShownNoticeSettings): string => {
  if (!has_mail) return '本站没有设置邮件，站内的消息照旧。';
  return address === '' ? '先在上面填写并确认邮箱，之后才会收到邮件。' : '';
};

function Form({ settings }: { settings: ShownNoticeSettings }) {
  const [mode, setMode] = useState(settings.mode);
  const [kinds, setKinds] = useState(settings.kinds);
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    await call('noticeSettingsChange', { mode, kinds }, { quiet: true });
    showNotice('已保存');
  });
  const why = whyNone(settings);
  if (!settings.has_mail) return <p className="text-sm text-soft">{why}</p>;
  return (
    <form method="post" aria-label="邮件通知" className="grid gap-4" onSubmit={onSubmit}>
      {why !== '' && <p className="m-0 text-sm text-soft">{why}</p>}
      <Choice label="什么时候发" value={mode} options={NOTICE_MODES} onChange={setMode} />
      {mode !== 'off' && <Checks legend="通知什么" names={USER_NOTICES} chosen={kinds} onChange={setKinds} />}
      <FormEnd problem={problem} isBusy={isBusy} />
    </form>
  );
}
