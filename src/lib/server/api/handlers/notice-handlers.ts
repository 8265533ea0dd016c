import { refuse } from '../../../contract/rules/errors.ts';
import { ONE_CLICK_PATH, UNSUBSCRIBE_PATH } from '../../notices/notice-service.ts';
import type { Services } from '../../services.ts';
import { answerWith, type ApiRoutes, type Handlers } from '../handler.ts';

export const noticeHandlers = ({ notices, notifications, noticeConsole, ownWebhooks }: Services) =>
  ({
    notificationList: ({ input, viewer }) => notifications.list(input, viewer),
    notificationRead: async ({ input, viewer }) => ({
      unread: await notifications.markRead(input, viewer),
    }),
    ownWebhookList: ({ viewer }) => ownWebhooks.list(viewer),
    ownWebhookSave: ({ input: { id, is_on, ...fields }, viewer }) =>
      ownWebhooks.save(id ?? null, { ...fields, isOn: is_on }, viewer),
    ownWebhookDelete: answerWith('已删除', ({ input, viewer }) => ownWebhooks.remove(input.id, viewer)),
    ownWebhookTest: answerWith('对方已经收下', ({ input, viewer }) => ownWebhooks.test(input.id, viewer)),
    ownWebhookLog: ({ input, viewer }) => ownWebhooks.log(input.id, input, viewer),
    ownWebhookRetry: async ({ input, viewer }) =>
      `${await ownWebhooks.retry(input.id, input.ids, viewer)} 条通知会再发一次`,
    noticeSettings: ({ viewer }) => notices.shownSettings(viewer.id),
    noticeSettingsChange: async ({ input, viewer }) => {
      await notices.saveSettings(viewer.id, input);
      return notices.shownSettings(viewer.id);
    },
    noticeOverview: () => noticeConsole.overview(),
    webhookSave: ({ input: { id, is_on, ...fields }, viewer }) =>
      noticeConsole.saveWebhook(id ?? null, { ...fields, isOn: is_on }, viewer.id),
    webhookDelete: answerWith('已删除', ({ input, viewer }) =>
      noticeConsole.removeWebhook(input.id, viewer.id),
    ),
    webhookTest: answerWith('对方已经收下', ({ input }) => notices.testWebhook(input.id)),
    webhookLog: ({ input }) => noticeConsole.log(input.id, input),
    mailTest: async ({ input }) =>
      `邮件服务器已经收下（${await notices.testMail(input.to)}），请到邮箱里看看`,
    deliveryRetry: async ({ input }) => `${await noticeConsole.retry(input.ids)} 条通知会再发一次`,
    deliveryDiscard: async ({ input }) => `丢弃了 ${await noticeConsole.discard(input.ids)} 条通知`,
  }) satisfies Partial<Handlers>;

/**
 * Handles one-click unsubscribe without a sign-in (RFC 8058): mail programs post to the URL in a mail's
 * header; the form on the page posts there too and is redirected back. A GET is redirected to the page.
 */
export function serveUnsubscribe(api: ApiRoutes, { notices }: Services): void {
  const pageOf = (query: string) => `${UNSUBSCRIBE_PATH}?${query}`;
  api.get(ONE_CLICK_PATH, ({ req, redirect }) =>
    redirect(pageOf(new URLSearchParams({ token: req.query('token') ?? '' }).toString())),
  );
  api.post(ONE_CLICK_PATH, async ({ req, redirect }) => {
    const token = req.query('token') ?? '';
    const isAll = req.query('all') !== undefined;
    const isDone = await notices.unsubscribe(token, isAll);
    if (req.query('page') === undefined)
      return isDone ? Response.json({ code: 'OK', data: '已退订' }) : refuse('UNSUBSCRIBE_UNKNOWN');
    const result = isDone ? { token, done: isAll ? 'all' : 'kinds' } : { failed: '1' };
    return redirect(pageOf(new URLSearchParams(result).toString()), 303);
  });
}
