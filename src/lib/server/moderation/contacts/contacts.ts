import { picturesIn } from '../../../contract/rules/pictures.ts';
import { foldContacts, foldDigits } from './fold-contacts.ts';
import { hostsIn } from './hosts.ts';
import { chineseNumbersIn, numbersIn } from './numbers.ts';

/** What readers see: texts, and the HTML that the site wrote of one of them (lib/markdown). */
export interface Seen {
  texts: readonly string[];
  html: string;
}

const HERE = 'https://here.invalid';
/** Hosts of this machine, of private networks and of documentation, and names without a dot. */
const LOCAL =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|\[)|^[^.]+$/;

const ADDRESS = /[a-z][a-z0-9+.-]{0,20}:\s?[/\\](?:\s?[/\\]){1,2}\s?([\p{L}\p{N}][\p{L}\p{N}.-]{0,252})/gu;
const MAIL =
  /(?<![a-z0-9._+-])[a-z0-9._+-]{1,64}(?:\s{0,2}@\s{0,2}|\s{0,2}[([{<【「]\s?(?:at|@)\s?[)\]}>】」]\s{0,2}|\s{0,2}艾特\s{0,2})([a-z0-9-]{1,63}(?:\s{0,2}(?:\.|点|。)\s{0,2}[a-z0-9-]{1,63}){1,5})/g;

const SIGNS = '[^\\p{L}\\p{N}\\n]{0,2}';
const spaced = (name: string): string => [...name].join(SIGNS);
const SERVICES = [
  ...'微信 薇信 威信 徽信 维信 微芯 企鹅 扣扣 口口 电报 飞机 抖音 小红书 快手 公众号 手机 电话 邮箱'
    .split(' ')
    .map(spaced),
  ...'weixin wechat wx vx v信 qq q群 telegram tg whatsapp skype line tel phone'
    .split(' ')
    .map((name) => `(?<![a-z0-9])${spaced(name)}(?![a-z])`),
  `加${SIGNS}[vqw](?![a-z])`,
].join('|');
/** A name or number of an account, after the name of a service. */
const ACCOUNT = new RegExp(
  `([加搜找]|联系)?${SIGNS}(?:${SERVICES})((?:${SIGNS}(?:号码|[号群是为搜加:]|id))*)${SIGNS}([a-z0-9][a-z0-9_-]{4,29}|\\d{1,5}(?:[ -]\\d{1,5}){1,5})(?![a-z0-9_(.-])`,
  'gu',
);

/** Returns every address, picture, mailbox, telephone number and account of a text, in linear time. */
export function contactsIn({ texts, html }: Seen): Set<string> {
  const contacts = new Set<string>(addressesIn(html));
  for (const text of [...texts, ...labelsIn(html)]) {
    const folded = foldContacts(text);
    const digits = foldDigits(folded);
    for (const number of numbersIn(folded, digits)) contacts.add(number);
    for (const number of chineseNumbersIn(folded, digits)) contacts.add(number);
    for (const host of writtenHosts(folded)) contacts.add(host);
    for (const [, host = ''] of folded.matchAll(MAIL))
      contacts.add(`@${host.replaceAll(/[\s点。.]+/g, '.')}`);
    for (const [mail] of folded.matchAll(MAIL)) contacts.add(mail.replaceAll(/\s/g, ''));
    for (const [, verb, mark = '', id = ''] of digits.matchAll(ACCOUNT))
      if (verb || mark !== '' || /[\d_]/.test(id))
        contacts.add(/[a-z]/.test(id) ? id : id.replaceAll(/[ -]/g, ''));
    for (const picture of picturesIn({ content: text })) contacts.add(picture);
  }
  return contacts;
}

/**
 * Whether a text has a way out that an earlier one had not. Looks at lines that are new, so a small change of
 * a long text costs little.
 */
export function hasNewContact(before: Seen, after: Seen): boolean {
  const known = new Set(addressesIn(before.html));
  if (addressesIn(after.html).some((address) => !known.has(address))) return true;
  const lines = new Set(linesOf(before));
  const added = linesOf(after).flatMap((line, at, all) =>
    line.length >= MIN_LINE && lines.has(line) ? [] : [[all[at - 1], line, all[at + 1]].join('\n')],
  );
  const found = contactsIn({ texts: added, html: '' });
  return found.size > 0 && !found.isSubsetOf(contactsIn(before));
}

/** Shorter lines may be single characters of a number. */
const MIN_LINE = 4;

const linesOf = ({ texts, html }: Seen): string[] =>
  [...texts, ...labelsIn(html)].flatMap((text) => text.split('\n'));

/** Number of links to other sites, also of those that are only written. */
export function countLinks({ texts, html }: Seen): number {
  const addresses = [...addressesIn(html)].filter((address) => address.includes('//'));
  const linked = new Set(addresses.map((address) => URL.parse(address)?.hostname));
  const written = texts.flatMap((text) => [...writtenHosts(foldContacts(text))]);
  return addresses.length + written.filter((host) => !linked.has(host)).length;
}

function* writtenHosts(folded: string): Generator<string> {
  const rest = folded.replace(ADDRESS, (address) => ' '.repeat(address.length));
  for (const [, host = ''] of folded.matchAll(ADDRESS)) if (!LOCAL.test(host)) yield bare(host);
  for (const host of hostsIn(rest)) yield bare(host);
}

const bare = (host: string): string => host.replace(/^www\./, '').replace(/\.+$/, '');

/** Addresses of other sites, and pictures of this one, in HTML. */
function* addressesIn(html: string): Generator<string> {
  for (const [, written = ''] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
    const address = unescaped(written);
    const url = URL.parse(address, HERE);
    if (!url) yield address;
    else if (url.origin === HERE) yield* picturesIn({ content: url.pathname });
    else if (url.host === '') yield url.href;
    else if (!LOCAL.test(url.hostname))
      yield `${url.protocol.replace('s:', ':')}//${bare(url.host)}${url.pathname.replace(/\/$/, '')}${url.search}`;
  }
}

/** Texts of HTML that are attributes: descriptions and titles. */
export const labelsIn = (html: string): string[] =>
  Array.from(html.matchAll(/\s(?:alt|title)="([^"]+)"/g), ([, label = '']) => unescaped(label));

const unescaped = (attribute: string): string =>
  attribute
    .replaceAll(/&#x([0-9a-f]{1,6});/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
