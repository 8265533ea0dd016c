import { call } from '../../../lib/stores/api.ts';
import { WEBHOOK_NOTICES } from '../../../lib/contract/rules/notice-kinds.ts';
import { LOG_PAGE, type WebhookCalls } from '../../ui/webhooks/webhook-calls.ts';
import { Webhooks } from '../../ui/webhooks/Webhooks.tsx';
import { consoleAnswer } from '../console-answer.tsx';
import { DeadDeliveries } from './DeadDeliveries.tsx';

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
      <p className="meta">
        {overview.has_mail ? '邮件已经设置好' : '没有设置邮件'}（<a href="/admin/options/mail">邮件的设置</a>
        ），
        {overview.waiting === 0 ? '没有等着发的通知' : `${overview.waiting} 条通知等着发`}
      </p>
      <Webhooks calls={CALLS} webhooks={overview.webhooks} onChange={reload} />
      <DeadDeliveries deliveries={overview.dead} total={overview.dead_total} onChange={reload} />
    </div>
  ),
);
