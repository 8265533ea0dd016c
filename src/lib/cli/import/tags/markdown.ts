/** What tags become: the markdown of this site (docs/decisions/0038, 0060). */

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const longestRun = (text: string, run: RegExp): number =>
  Math.max(0, ...[...text.matchAll(run)].map(([marks]) => marks.length));

/** Code within a line. */
export function inlineCode(source: string): string {
  const text = oneLine(source);
  const ticks = '`'.repeat(longestRun(text, /`+/g) + 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** A block of code. @param meta what stands behind the language, such as `title="a.ts" {1,3}` */
export function codeBlock(source: string, language = '', meta = ''): { block: string } {
  const code = source.replace(/^[ \t]*\n/, '').replace(/\s+$/, '');
  const ticks = '`'.repeat(Math.max(3, longestRun(code, /`+/g) + 1));
  const info = [language.toLowerCase().replace(/[^\w+#.-]/g, ''), oneLine(meta).replaceAll('`', '')];
  // A title without a language would be read as one.
  if (info[0] === '' && info[1] !== '') info[0] = 'text';
  return { block: `${ticks}${info.filter((part) => part !== '').join(' ')}\n${code}\n${ticks}` };
}

/** The `title="…"` of a block of code, where there is one. */
export const codeTitle = (title: string): string =>
  title === '' ? '' : `title="${oneLine(title).replaceAll('"', "'")}"`;

/** An address as markdown's parentheses take it. */
function destination(url: string): string {
  const bare = url.trim().replace(/[<>\n]/g, encodeURIComponent);
  return bare === '' || /[\s()]/.test(bare) ? `<${bare}>` : bare;
}

const label = (text: string): string => oneLine(text).replace(/[[\]\\]/g, '\\$&');
const titled = (title: string): string =>
  title === '' ? '' : ` "${oneLine(title).replace(/["\\]/g, '\\$&')}"`;

/** A picture; a title is its caption. */
export const picture = (alt: string, url: string, title = ''): string =>
  `![${label(alt)}](${destination(url)}${titled(oneLine(title))})`;

export const link = (text: string, url: string, title = ''): string =>
  `[${label(text) || url}](${destination(url)}${titled(oneLine(title))})`;

/** A picture, or other markdown of a line, that leads somewhere. */
export const linked = (shown: string, url: string): string => `[${shown}](${destination(url)})`;

/** A box of that kind, with a title of its own or its kind's. */
export function callout(kind: string, title: string, inner: string): { block: string } {
  const colons = ':'.repeat(Math.max(3, longestRun(inner, /^[ \t>]*:{3,}/gm) + 1));
  return { block: `${`${colons} ${kind} ${oneLine(title)}`.trimEnd()}\n${inner.trim()}\n${colons}` };
}

/** What is folded up until it is asked for. */
export const details = (title: string, inner: string): { block: string } => callout('details', title, inner);

/** A quotation, and below it whose it is. */
export function quote(inner: string, source = ''): { block: string } {
  const lines = [...inner.trim().split('\n'), ...(source === '' ? [] : ['', `—— ${source}`])];
  return { block: lines.map((line) => `> ${line}`.trimEnd()).join('\n') };
}

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"\n]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** What another site shows within this one: a card, or a player of those that are known. */
export const frame = (url: string, title = ''): { block: string } => ({
  block: `<iframe src="${escapeAttribute(url)}"${title === '' ? '' : ` title="${escapeAttribute(oneLine(title))}"`}></iframe>`,
});

/** A recording of another site; a file of this one's folder is a link. */
export function medium(kind: 'video' | 'audio', url: string): { block: string } {
  if (!/^(?:https?:)?\/\//i.test(url)) return { block: link(url, url) };
  return { block: `<${kind} src="${escapeAttribute(url.replace(/^\/\//, 'https://'))}"></${kind}>` };
}

/** Lines that stand alone. */
export const paragraph = (text: string): { block: string } => ({ block: text });
