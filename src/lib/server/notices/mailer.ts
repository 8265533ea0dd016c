import type { Transporter } from 'nodemailer';
import { Undeliverable } from './outbox.ts';

export interface SmtpPlace {
  /** `smtp://user:password@host:port` or `smtps://…`. Contains a password: never show it. */
  url: string;
  from: string;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string | undefined;
  id: string;
  /** URL that ends these mails with one click and without a sign-in (RFC 8058). */
  unsubscribe?: string | undefined;
}

/** Sends a mail; throws the server's error. Aborts when the signal does. */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<void>;

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 20_000;

/**
 * Sends mail through an SMTP server. It connects only to send: a server that is down delays nothing else.
 * @param host name of the site, for the mails' ids
 */
export function createMailer({ url, from }: SmtpPlace, host: string): SendMail {
  let opened: Promise<Transporter> | null = null;
  const open = async (): Promise<Transporter> => {
    // Loaded only by sites that send mail.
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      dnsTimeout: CONNECT_TIMEOUT_MS,
      // User text must not open files or URLs.
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

/**
 * Whether the server will never accept mail to this address (RFC 5321 §4.2.1). A failed login can be fixed.
 */
function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (
    code === 'EENVELOPE' && typeof responseCode === 'number' && responseCode >= 550 && responseCode < 560
  );
}
