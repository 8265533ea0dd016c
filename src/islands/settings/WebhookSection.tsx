import type { CallInput } from '../../lib/contract/calls/calls.ts';
import { AUTHOR_NOTICES } from '../../lib/contract/rules/notice-kinds.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { call } from '../../lib/stores/api.ts';
import { Answered } from '../ui/form/Answered.tsx';
import { LOG_PAGE, type WebhookCalls } from '../ui/webhooks/webhook-calls.ts';
import { Webhooks } from '../ui/webhooks/Webhooks.tsx';

const CALLS: WebhookCalls = {
  notices: AUTHOR_NOTICES,
  chosen: ['article.published'],
  empty: '还没有通知地址。自己的文章公开、修改，或者有了评论时，可以告诉自己的程序或群聊。',
  save: (fields) => call('ownWebhookSave', fields as CallInput<'ownWebhookSave'>, { quiet: true }),
  remove: (id) => call('ownWebhookDelete', { id }),
  test: (id) => call('ownWebhookTest', { id }),
  log: (id) => call('ownWebhookLog', { id, ...LOG_PAGE }, { quiet: true }),
  retry: (id, ids) => call('ownWebhookRetry', { id, ids }),
};

const ask = () => call('ownWebhookList', {}, { quiet: true });

/** Webhooks that report changes of the author's own public articles. */
export function WebhookSection() {
  if (!isOffered('ownWebhookList')) return null;
  return (
    <Answered ask={ask}>
      {(webhooks, reload) => <Webhooks calls={CALLS} webhooks={webhooks} onChange={reload} />}
    </Answered>
  );
}
