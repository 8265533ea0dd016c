import { picturesIn } from '../../contract/rules/pictures.ts';
import { formOf } from './canonical.ts';
import { chineseDigitOf } from './digits.ts';
import { parse } from 'tldts';

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

/**
 * Folds a text like `canonicalise`, but keeps its signs, in their usual width, and its line breaks: letters
 * that look Latin, digits of any script and circled letters become ASCII, invisible characters are dropped.
 */
function foldContacts(text: string): string {
  let folded = '';
  for (const character of text) {
    const form = formOf(character.codePointAt(0) as number);
    folded += typeof form === 'string' ? form : signOf(character);
  }
  return joinSpelt(folded);
}

const signs = new Map<string, string>();

function signOf(character: string): string {
  const known = signs.get(character);
  if (known !== undefined) return known;
  const plain = character.normalize('NFKC');
  const sign = character === '\n' ? '\n' : /^\s*$/u.test(plain) ? ' ' : plain;
  signs.set(character, sign);
  return sign;
}

/** Joins Latin letters and digits that are written one by one: `e x a m p l e . c o m`. */
const joinSpelt = (text: string): string =>
  text.replace(/(?<![a-z0-9])(?:[a-z0-9][ .@:/_-]{1,3}){5,}[a-z0-9](?![a-z0-9])/g, (spelt) =>
    /[a-z]/.test(spelt) ? spelt.replaceAll(' ', '') : spelt,
  );

/** Returns a folded text with Chinese digits, and letters in the place of digits, as ASCII digits. */
function foldDigits(folded: string): string {
  let digits = '';
  for (const character of folded) digits += chineseDigitOf(character) ?? character;
  return digits.replace(/[0-9oil|]{7,}/g, (run) =>
    run.replace(/[0-9]/g, '').length * 3 > run.length * 2
      ? run
      : run.replaceAll('o', '0').replaceAll(/[il|]/g, '1'),
  );
}

const LABEL = '[\\p{L}\\p{N}-]{1,63}';
const BEFORE = '(?<![a-z0-9_@-])';
/** `example.com`, also 例子.中国. */
const PLAIN = new RegExp(`${BEFORE}${LABEL}(?:\\.${LABEL})+`, 'gu');
/** `example点com`, `example (dot) com`, `example . com`, `example。com`. */
const DOT = [
  '\\s{0,2}点\\s{0,2}',
  '(?<=[a-z0-9])\\s{0,2}[。丶·•]\\s{0,2}(?=[a-z0-9])',
  '[\\s([{<【「]{1,3}(?:dot|d0t|点|\\.)[\\s)\\]}>】」]{1,3}',
].join('|');
const DISGUISED = new RegExp(`${BEFORE}${LABEL}(?:(?:\\.|${DOT})${LABEL})+`, 'gu');
const SPLIT = new RegExp(`\\.|${DOT}`, 'u');
const CHINESE = /\p{Script=Han}/u;
/** Suffixes after which a disguised dot is read as one: those of most addresses in advertisements. */
const USUAL = new Set(
  'com net org cn cc top xyz vip club shop site online store info biz io me tv app dev link live ltd work fun pro wang icu buzz win bid ink ren 中国 公司 网络 网址'.split(
    ' ',
  ),
);
/** Suffixes that mostly are names in code and of files; with them a name needs a path, or `www.`. */
const NAMES = new Set(
  (
    'md sh py rs ps pl so java zip next data fail ms properties events date map stream auto id name storage pid how read foo ' +
    'host target report final post in new is it to no as at by do am call open show run bar style search select group map ' +
    'mov box java now page prof'
  ).split(' '),
);
/** Last characters of a Chinese label, which identify it: the ones before may belong to the sentence. */
const CHINESE_LABEL_CHARACTERS = 2;
const MAX_CHINESE_SUFFIX = 4;

/** Domain names in a folded text, however their dots are written. */
function* hostsIn(folded: string): Generator<string> {
  for (const { 0: written, index } of folded.matchAll(PLAIN)) {
    const next = folded.slice(index + written.length, index + written.length + 1);
    if (next !== '(') yield* hostOf(written.split('.'), next === '/' && written.includes('.'));
  }
  for (const [written] of folded.matchAll(DISGUISED)) {
    const labels = written.split(SPLIT);
    if (labels.join('.') === written) continue;
    if (USUAL.has(suffixIn(labels.at(-1) ?? ''))) yield* hostOf(labels, true);
  }
}

function* hostOf(labels: readonly string[], hasPath: boolean): Generator<string> {
  const last = suffixIn(labels.at(-1) ?? '');
  const before = labels.slice(0, -1).map((label) => (CHINESE.test(label) ? latinEnd(label) : label));
  const name = [...before.slice(before.lastIndexOf('') + 1), last].join('.');
  if (last === '' || before.at(-1) === '') return;
  const { domain, isIcann } = parse(name);
  if (domain === null || (isIcann !== true && !name.includes('xn--'))) return;
  if (NAMES.has(last) && !hasPath && !name.startsWith('www.')) return;
  yield name;
}

/** Returns the suffix with which a last label begins: `com` of `com即可`; '' if none. */
function suffixIn(label: string): string {
  const latin = /^[a-z][a-z0-9-]*/.exec(label)?.[0];
  if (latin !== undefined) return latin;
  const lengths = Array.from({ length: MAX_CHINESE_SUFFIX - 1 }, (_, at) => MAX_CHINESE_SUFFIX - at);
  const found = lengths.find((length) => parse(`a.${label.slice(0, length)}`).isIcann === true);
  return found === undefined || !CHINESE.test(label) ? '' : label.slice(0, found);
}

/** The end of a label in which a Chinese sentence goes over into the name: `example` of 请看example. */
const latinEnd = (label: string): string =>
  /[a-z0-9-]+$/.exec(label)?.[0] ?? label.slice(-CHINESE_LABEL_CHARACTERS);

/** Digits that signs, spaces or single line breaks may separate, and what is no number of a person. */
const RUN = /\d(?:[^\p{L}\p{N}\n]{0,3}(?:\n[^\p{L}\p{N}\n]{0,3})?\d)+/gu;
const DATE = /(?<!\d)(?:19|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])(?!\d)/g;
const TIME = /(?<!\d)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?!\d)/g;
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IP_ADDRESS = new RegExp(`(?<![\\d.])${OCTET}(?:\\.${OCTET}){3}(?:[:/]\\d{1,5})?(?![\\d.])`, 'g');
const VERSION = /(?<![\d.])(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){1,3}(?![\d.])/g;
const MONEY = /(?<![\d,])\d{1,3}(?:,\d{3}){1,2}(?:\.\d{1,2})?(?![\d,])/g;
const FORMATS = [DATE, TIME, IP_ADDRESS, VERSION, MONEY];

const MOBILE = /^(?:86|0086)?1[3-9]\d{9}$/;
const SERVICE = /^[48]00\d{7}$/;
const LANDLINE = /^0[1-9]\d{8,10}$/;
const MIN_SPELT = 8;
const MAX_DIGITS = 15;
const MAX_MIXED_GROUPS = 4;

/**
 * Numbers by which a person can be reached: telephone numbers however their digits are separated, and plain
 * numbers of five or more digits. Excludes dates, times, versions, addresses of machines and amounts.
 * @param plain a folded text
 * @param digits the text with all digits in ASCII (`foldDigits`)
 */
function* numbersIn(plain: string, digits: string): Generator<string> {
  for (const [number] of plain.matchAll(/\d{5,}/g)) yield number;
  const text = FORMATS.reduce((part, format) => part.replace(format, 'x'), digits);
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const groups = run.match(/\d+/g) ?? [];
    const hasStop = /[,;:!?、。]/.test(run);
    const isForeign = text[index - 1] === '+';
    yield* telephonesIn(groups, { hasStop, isForeign });
    yield* speltIn(groups, hasStop);
  }
}

/** Telephone numbers that begin at one group and end at another. */
function* telephonesIn(
  groups: readonly string[],
  { hasStop, isForeign }: { hasStop: boolean; isForeign: boolean },
): Generator<string> {
  for (let from = 0; from < groups.length; from += 1) {
    let number = '';
    for (let to = from; to < groups.length && number.length < MAX_DIGITS; to += 1) {
      number += groups[to] ?? '';
      if (number.length < 10 || number.length > MAX_DIGITS) continue;
      if (!isEven(groups.slice(from, to + 1), hasStop)) continue;
      const isNamed = MOBILE.test(number) || SERVICE.test(number) || LANDLINE.test(number);
      if (isNamed || (isForeign && from === 0 && to === groups.length - 1))
        yield number.replace(/^(?:00)?86(?=1)/, '');
    }
  }
}

/** Whether groups look like one number: a few, or digits one by one, or parts of two or more digits. */
function isEven(groups: readonly string[], hasStop: boolean): boolean {
  if (groups.every(({ length }) => length === 1)) return true;
  if (hasStop) return groups.length === 1;
  return groups.length <= MAX_MIXED_GROUPS || groups.slice(0, -1).every(({ length }) => length > 1);
}

/** Digits that are written one by one, unless they count up or down, or are bits. */
function* speltIn(groups: readonly string[], hasStop: boolean): Generator<string> {
  if (hasStop) return;
  let chain = '';
  for (const group of [...groups, '']) {
    if (group.length === 1) {
      chain += group;
      continue;
    }
    if (chain.length >= MIN_SPELT && !isCounting(chain)) yield chain;
    chain = '';
  }
}

const isCounting = (chain: string): boolean => {
  const steps = Array.from(chain.slice(1), (digit, at) => Number(digit) - Number(chain[at]));
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0) || /^[01]+$/.test(chain);
};

/** Numbers of seven or more Chinese digits, unless they count. */
function* chineseNumbersIn(folded: string, digits: string): Generator<string> {
  const isChinese = (at: number) => folded[at] !== digits[at];
  for (const { 0: run, index } of digits.matchAll(/\d{7,}/g)) {
    if (!Array.from(run).every((_, at) => isChinese(index + at)) || isCounting(run)) continue;
    yield run;
  }
}
