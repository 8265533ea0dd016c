const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const longestRun = (text: string, run: RegExp): number =>
  Math.max(0, ...[...text.matchAll(run)].map(([marks]) => marks.length));

export function inlineCode(source: string): string {
  const text = oneLine(source);
  const ticks = '`'.repeat(longestRun(text, /`+/g) + 1);
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** @param meta text after the language, such as `title="a.ts" {1,3}` */
export function codeBlock(source: string, language = '', meta = ''): { block: string } {
  const code = source.replace(/^[ \t]*\n/, '').replace(/\s+$/, '');
  const ticks = '`'.repeat(Math.max(3, longestRun(code, /`+/g) + 1));
  const info = [language.toLowerCase().replace(/[^\w+#.-]/g, ''), oneLine(meta).replaceAll('`', '')];
  // Without a language, the title would be read as the language.
  if (info[0] === '' && info[1] !== '') info[0] = 'text';
  return { block: `${ticks}${info.filter((part) => part !== '').join(' ')}\n${code}\n${ticks}` };
}

export const codeTitle = (title: string): string =>
  title === '' ? '' : `title="${oneLine(title).replaceAll('"', "'")}"`;

function destination(url: string): string {
  const bare = url.trim().replace(/[<>\n]/g, encodeURIComponent);
  return bare === '' || /[\s()]/.test(bare) ? `<${bare}>` : bare;
}

const label = (text: string): string => oneLine(text).replace(/[[\]\\]/g, '\\$&');
const titled = (title: string): string =>
  title === '' ? '' : ` "${oneLine(title).replace(/["\\]/g, '\\$&')}"`;

export const picture = (alt: string, url: string, title = ''): string =>
  `![${label(alt)}](${destination(url)}${titled(oneLine(title))})`;

export const link = (text: string, url: string, title = ''): string =>
  `[${label(text) || url}](${destination(url)}${titled(oneLine(title))})`;

export const linked = (shown: string, url: string, title = ''): string =>
  `[${shown}](${destination(url)}${titled(title)})`;

/** An empty title shows the name of the kind. */
export function callout(kind: string, title: string, inner: string): { block: string } {
  const colons = ':'.repeat(Math.max(3, longestRun(inner, /^[ \t>]*:{3,}/gm) + 1));
  return { block: `${`${colons} ${kind} ${oneLine(title)}`.trimEnd()}\n${inner.trim()}\n${colons}` };
}

export const details = (title: string, inner: string): { block: string } => callout('details', title, inner);

export function quote(inner: string, source = ''): { block: string } {
  const lines = [...inner.trim().split('\n'), ...(source === '' ? [] : ['', `—— ${source}`])];
  return { block: lines.map((line) => `> ${line}`.trimEnd()).join('\n') };
}

const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"\n]/g, (sign) => `&#${sign.codePointAt(0)};`);

/** Embeds a page of another site: as a card, or as a player if the site is known. */
export const frame = (url: string, title = ''): { block: string } => ({
  block: `<iframe src="${escapeAttribute(url)}"${title === '' ? '' : ` title="${escapeAttribute(oneLine(title))}"`}></iframe>`,
});

/** Embeds media of another site; links a file of the imported folder. */
export function medium(kind: 'video' | 'audio', url: string): { block: string } {
  if (!/^(?:https?:)?\/\//i.test(url)) return { block: link(url, url) };
  return { block: `<${kind} src="${escapeAttribute(url.replace(/^\/\//, 'https://'))}"></${kind}>` };
}

export const paragraph = (text: string): { block: string } => ({ block: text });
