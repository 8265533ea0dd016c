import type { Transporter } from 'nodemailer';
import { Undeliverable } from './outbox.ts';

/** How mail leaves: an SMTP server, and whom it comes from. */
export interface SmtpPlace {
  /** `smtp://user:password@host:port` or `smtps://…`. Holds a password: never to be shown. */
  url: string;
  /** An address, with a name before it or not. */
  from: string;
}

/** One mail to one address. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string | undefined;
  /** Stays the same when it is sent again: receivers show one mail. */
  id: string;
  /** Where one click, and no sign-in, ends mails of this kind (RFC 8058). */
  unsubscribe?: string | undefined;
}

/** Sends a mail; throws what the server said. Breaks off when the signal aborts. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<void>;

const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

/**
 * Mail through an SMTP server, which is asked when there is a mail: one that is down holds nothing up.
 * @param host name of the site, for the mails' ids
 */
export function createMailer({ url, from }: SmtpPlace, host: string): SendMail {
  let opened: Promise<Transporter> | null = null;
  const open = async (): Promise<Transporter> => {
    // Only sites that send mail load it.
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      dnsTimeout: CONNECT_MS,
      // A text is a text: no name of a file or an address in it is opened.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  return async ({ to, subject, text, html, id, unsubscribe }, signal) => {
    const transporter = await (opened ??= open());
    try {
      await transporter.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        ...(html === undefined ? {} : { html }),
        messageId: `<${id}@${host}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Moye-Delivery': id,
          ...(unsubscribe === undefined
            ? {}
            : {
                'List-Unsubscribe': `<${unsubscribe}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }),
        },
        signal,
      });
    } catch (error) {
      throw isRefusedForGood(error) ? new Undeliverable((error as Error).message) : error;
    }
  };
}

/** Whether the server will never take a mail to this address (RFC 5321 §4.2.1); a login may be mended. */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (
    code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 550 && responseCode < 560
  );
}
