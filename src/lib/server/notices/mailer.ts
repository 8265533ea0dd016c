import type { Transporter } from 'nodemailer';
import { Refused, Undeliverable } from './outbox.ts';

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

/**
 * Sends a mail and returns the server's answer; throws why not, in words for the operator: `Undeliverable`,
 * `Refused`, or an error that may pass. Aborts when the signal does.
 */
export type SendMail = (mail: Mail, signal: AbortSignal) => Promise<string>;

const CONNECT_TIMEOUT_MS = 10_000;
const SOCKET_TIMEOUT_MS = 20_000;

/**
 * Sends mail through an SMTP server. It connects only to send: a server that is down delays nothing else.
 * @param placeNow returns the server as it is set now; null if mail is off
 * @param host name of the site, for the mails' ids
 */
export function createMailer(placeNow: () => Promise<SmtpPlace | null>, host: string): SendMail {
  let opened: { url: string; transporter: Promise<Transporter> } | null = null;
  const open = async (url: string): Promise<Transporter> => {
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
    const place = await placeNow();
    if (!place) throw new Error('没有设置发信的邮件服务器');
    const { url, from } = place;
    if (opened?.url !== url) opened = { url, transporter: open(url) };
    const transporter = await opened.transporter;
    try {
      const { response } = await transporter.sendMail({
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
      return response ?? '';
    } catch (error) {
      throw explained(error as SmtpError);
    }
  };
}

/** An error of nodemailer. `response` is the server's answer, `command` what it answered to. */
type SmtpError = Error & { code?: unknown; command?: unknown; responseCode?: unknown; response?: unknown };

function explained(error: SmtpError): Error {
  const { responseCode: status, response } = error;
  const told = `${placeOf(error)}：${typeof response === 'string' ? response : error.message}`;
  if (typeof status !== 'number' || status < 500) return new Error(told, { cause: error });
  const isAboutReceiver = !(isAboutSender(error) || isAboutLogin(error));
  // The server will never accept mail to this address (RFC 5321 §4.2.1). The operator can mend a failed login
  // or a refused sender.
  const isForGood = error.code === 'EENVELOPE' && status >= 550 && status < 560;
  return isForGood ? new Undeliverable(told, isAboutReceiver) : new Refused(told, isAboutReceiver);
}

const isAboutLogin = ({ code, command }: SmtpError): boolean =>
  code === 'EAUTH' || String(command).startsWith('AUTH');
const isAboutSender = ({ command }: SmtpError): boolean => command === 'MAIL FROM';

function placeOf(error: SmtpError): string {
  if (isAboutLogin(error)) return '登录不了发信的邮箱，请检查登录名和密码';
  if (isAboutSender(error)) return '邮件服务器不接受发件人';
  if (error.command === 'RCPT TO') return '邮件服务器不接受收件人';
  return typeof error.responseCode === 'number' ? '邮件服务器没有收下邮件' : '和邮件服务器的连接失败';
}
