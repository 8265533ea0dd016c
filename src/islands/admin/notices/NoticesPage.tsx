import { useState } from 'react';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FormEnd } from '../../ui/form/FormEnd.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { Section } from '../../ui/Section.tsx';
import type { NoticeOverview } from '../../../lib/contract/calls/notice-calls.ts';
import { WEBHOOK_NOTICES } from '../../../lib/contract/rules/notice-kinds.ts';
import { LOG_PAGE, type WebhookCalls } from '../../ui/webhooks/webhook-calls.ts';
import { Webhooks } from '../../ui/webhooks/Webhooks.tsx';
import { consoleAnswer } from '../console-answer.tsx';
import { DeadDeliveries } from './DeadDeliveries.tsx';

/** Sends a mail at once, and shows what the mail server says if it refuses. */
function MailTest() {
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

const CALLS: WebhookCalls = {
  notices: WEBHOOK_NOTICES,
  chosen: ['held', 'report'],
  empty: '还没有通知地址。有人举报、有内容等着审核时，可以发到企业微信、钉钉、飞书的群里，或者你自己的程序。',
  save: (fields) => call('webhookSave', fields, { quiet: true }),
  remove: (id) => call('webhookDelete', { id }),
  test: (id) => call('webhookTest', { id }),
  log: (id) => call('webhookLog', { id, ...LOG_PAGE }, { quiet: true }),
  retry: (_, ids) => call('deliveryRetry', { ids }),
};

export default consoleAnswer(
  () => call('noticeOverview', {}, { quiet: true }),
  (overview, reload) => (
    <div className="pb-16">
      <p className="meta">{mailFact(overview)}</p>
      {overview.has_mail && <MailTest />}
      <Webhooks calls={CALLS} webhooks={overview.webhooks} onChange={reload} />
      <DeadDeliveries deliveries={overview.dead} total={overview.dead_total} onChange={reload} />
    </div>
  ),
);

const mailFact = ({ has_mail, waiting }: NoticeOverview) =>
  [
    has_mail ? '邮件已经设置好' : '没有设置邮件（环境变量 SMTP_URL 和 SMTP_FROM）',
    waiting === 0 ? '没有等着发的通知' : `${waiting} 条通知等着发`,
  ].join('，');
