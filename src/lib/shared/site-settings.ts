// Rules for the settings of both servers and edge fronts.

import { NO_LOOK } from './look-sheet.ts';

export const SITE_DEFAULTS = {
  title: '墨页',
  description: '把想法写下来，让文字自己说话。',
  beian: '',
  police_beian: '',
  footer: '',
  licence: '',
  nav: {},
  links: [],
  logo: null,
  icons: '',
  accent: '',
  look: NO_LOOK,
  style: '',
  seal: '',
  providers: [],
  sso_only: false,
  verification: {},
  indexnow_key: '',
  timeZone: 'Asia/Shanghai',
};

/** Minimum characters of a signing secret. */
export const MIN_SECRET_CHARACTERS = 32;

/** Returns the origin of a web address, or null if it is not one or has more parts. */
export function parseOrigin(text: string): string | null {
  const url = URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol);
  const isBare = url?.pathname === '/' && !url.search && !url.hash && !url.username && !url.password;
  return isWeb && isBare ? url.origin : null;
}
export const notAnOrigin = (name: string): string =>
  `${name} must be an origin such as https://example.com, without a path`;

/** Parses comma-separated hostnames; `*` is allowed. Null if one is invalid. */
export function parseHosts(text: string): string[] | null {
  const hosts = text
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
  return hosts.every((host) => host === '*' || URL.parse(`http://${host}/`)?.host === host) ? hosts : null;
}
export const notHosts = (name: string): string =>
  `${name} must be names such as byteimg.com,qpic.cn or * for all`;

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
export const notATimeZone = (name: string): string => `${name} must be an IANA name such as Asia/Shanghai`;

/** Whether `key` is a valid IndexNow key; the site publishes it at `/{key}.txt`. */
export const isIndexNowKey = (key: string): boolean => /^[a-zA-Z0-9-]{8,128}$/.test(key);
export const notAnIndexNowKey = (name: string): string =>
  `${name} must be 8 to 128 letters, digits and hyphens: openssl rand -hex 16`;

/** Whether `token` may be the token with which a site submits its pages to Baidu. */
export const isBaiduToken = (token: string): boolean => /^[\w-]{1,64}$/.test(token);

/** Whether `text` is a mail address, or a name and an address in `<>`. */
export const isMailSender = (text: string): boolean =>
  /^(?:[^<>@\r\n]+ )?<[^<>@\s]+@[^<>@\s]+>$|^[^<>@\s]+@[^<>@\s]+$/.test(text);

/** Whether `text` is the name or address of a host, without a port. */
export const isHost = (text: string): boolean =>
  URL.parse(`http://${text.includes(':') ? `[${text}]` : text}/`)?.port === '' && !/[/?#@\\\s[\]]/.test(text);

export const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) < 65_536;

/** Whether `text` is an interval such as 30m, 6h or 1d. */
export const isInterval = (text: string): boolean => /^[1-9]\d{0,5}[smhd]$/.test(text);

/** Minimum characters of the passphrase of backups: shorter ones could be guessed from the archive. */
export const MIN_PASSPHRASE_CHARACTERS = 12;
