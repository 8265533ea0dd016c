import { refuse } from '../../contract/rules/errors.ts';
import { newId } from '../shared/ids.ts';
import type { SendMail } from './mailer.ts';
import { Refused, type Outbox } from './outbox.ts';

const TEST_TIMEOUT_MS = 8_000;
export const TEST_TEXT = '看到这条消息，说明通知可以送到这里。';

/** Mails whose result a request waits for; `sendMail` is null if mail is off. */
export function createAskedMail({
  outbox,
  sendMail,
  site,
}: {
  outbox: Pick<Outbox, 'outcomeOf'>;
  sendMail: SendMail | null;
  site: { readonly title: string };
}) {
  return {
    /**
     * Waits a few seconds for an awaited mail. Refuses with MAIL_FAILED if the mail server refuses it; the
     * reason is shown if it concerns the receiver.
     */
    async requireAccepted(delivery: string | null): Promise<void> {
      const error = delivery === null ? null : await outbox.outcomeOf(delivery);
      if (!(error instanceof Refused)) return;
      const reason = error.isAboutReceiver ? error.message : '网站发信的设置有问题，请告诉站长';
      refuse('MAIL_FAILED', { text: `邮件没能发出去。${reason}` });
    },

    /** Sends a mail immediately: the operator waits for the result. Refuses with MAIL_OFF, MAIL_FAILED. */
    async testMail(to: string): Promise<void> {
      if (!sendMail) refuse('MAIL_OFF');
      const mail = { id: newId(), to, subject: `「${site.title}」的测试邮件`, text: `${TEST_TEXT}\n` };
      try {
        await sendMail(mail, AbortSignal.timeout(TEST_TIMEOUT_MS));
      } catch (error) {
        refuse('MAIL_FAILED', { text: `邮件没能发出去。${(error as Error).message}` });
      }
    },
  };
}
