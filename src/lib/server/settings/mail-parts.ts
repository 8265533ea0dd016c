import type { MailParts, MailSettings } from '../../contract/calls/setting-calls.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { Variables } from '../config/operator-variables.ts';

const NO_MAIL: MailParts = { server: '', port: 465, encryption: 'tls', account: '', secret: '', sender: '' };

/** Reads the parts of SMTP_URL and SMTP_FROM. */
function mailParts({ SMTP_URL: address = '', SMTP_FROM: sender = '' }: Variables): MailParts {
  const url = URL.parse(address);
  if (!url) return NO_MAIL;
  const isTls = url.protocol === 'smtps:';
  const requiresTls = url.searchParams.get('requireTLS') === 'true';
  return {
    server: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isTls ? 465 : 587),
    encryption: isTls ? 'tls' : requiresTls ? 'starttls' : 'any',
    account: decodeURIComponent(url.username),
    secret: decodeURIComponent(url.password),
    sender,
  };
}

/**
 * Returns the variables with the changed parts; none without a server. Refuses with FIELD_INVALID. A stored
 * password is sent only to the server and for the account that it was given for.
 */
export function changeMail(texts: Variables, changes: Partial<MailParts>): Variables {
  const before = mailParts(texts);
  const after: MailParts = { ...before, ...changes };
  if (after.server === '') return {};
  const isMoved = after.server !== before.server || after.account !== before.account;
  if (changes.secret === undefined && isMoved) after.secret = '';
  if (after.sender === '') refuse('FIELD_INVALID', { field: 'sender', text: '请填写发件人' });
  if (after.account !== '' && after.secret === '')
    refuse('FIELD_INVALID', {
      field: 'secret',
      text: before.secret === '' ? '请填写登录密码' : '换了服务器或登录名，请重新填写登录密码',
    });
  if (after.account === '' && changes.secret)
    refuse('FIELD_INVALID', { field: 'account', text: '有登录密码，也要填写登录名' });
  return { SMTP_URL: addressOf(after), SMTP_FROM: after.sender };
}

function addressOf({ server, port, encryption, account, secret }: MailParts): string {
  const host = URL.parse(`http://${server.includes(':') ? `[${server}]` : server}`)?.hostname ?? '';
  const login = account === '' ? '' : `${encodeURIComponent(account)}:${encodeURIComponent(secret)}@`;
  const scheme = encryption === 'tls' ? 'smtps' : 'smtp';
  return `${scheme}://${login}${host}:${port}${encryption === 'starttls' ? '?requireTLS=true' : ''}`;
}

/** Parts as the console shows them. */
export function shownMail(texts: Variables): Omit<MailSettings, 'fixed' | 'is_broken' | 'is_on'> {
  const { secret, ...parts } = mailParts(texts);
  return { ...parts, has_secret: secret !== '' };
}
