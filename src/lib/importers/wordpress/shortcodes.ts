import type { Range } from '../../markdown-file/offsets.ts';

/** A shortcode: `[name a="b"]` or `[name]content[/name]`. */
export interface Shortcode {
  name: string;
  /** Named attributes by lower-case name, others by position. */
  attributes: Record<string, string>;
  content: string | undefined;
  tag: string;
}

/** Matches code, comments and HTML tags, in which shortcodes are ignored, and tags of shortcodes. */
const PIECE =
  /<!--[\s\S]*?-->|<(pre|code|script|style|textarea)\b[\s\S]*?<\/\1\s*>|<\/?[a-z][^>]*>|\[(\[?)(\/?)([a-z][\w-]{0,60})((?:[\s=][^[\]]*)?)\](\]?)/gi;
/** A name of this form always marks a shortcode. */
const TWO_WORDS = /^[a-z]{2,}[_-]\w{2,}/i;
const MAX_LEVELS = 20;

/**
 * Replaces shortcodes: those with known names, and others that are unambiguous because they have a named
 * value, an end tag, or a name of two words.
 * @param replace receives the content with its shortcodes replaced; returns HTML
 */
export function replaceShortcodes(
  html: string,
  isKnown: (name: string) => boolean,
  replace: (code: Shortcode) => string,
  level = 0,
): string {
  const lastEnds = new Map<string, number>();
  let result = '';
  let position = 0;
  const pieces = new RegExp(PIECE);
  for (let match = pieces.exec(html); match; match = pieces.exec(html)) {
    const [whole, , escape = '', slash = '', written = '', behind = '', escapeEnd = ''] = match;
    if (written === '') continue;
    if (escape !== '' && escapeEnd !== '') {
      // `[[name]]` shows `[name]`.
      result += html.slice(position, match.index) + whole.slice(1, -1);
      position = pieces.lastIndex;
      continue;
    }
    if (slash !== '') continue;
    const start = match.index + escape.length;
    const tagEnd = pieces.lastIndex - escapeEnd.length;
    const name = written.toLowerCase();
    const end = /\/\s*$/.test(behind) ? undefined : endOf(html, name, tagEnd, lastEnds);
    const attributes = readAttributes(behind);
    const isNamed = Object.keys(attributes).some((key) => /\D/.test(key));
    if (!isKnown(name) && !end && !isNamed && !TWO_WORDS.test(name)) continue;
    const inside = end && html.slice(tagEnd, end.start);
    const content =
      inside === undefined || level >= MAX_LEVELS
        ? inside
        : replaceShortcodes(inside, isKnown, replace, level + 1);
    result +=
      html.slice(position, start) + replace({ name, attributes, content, tag: html.slice(start, tagEnd) });
    position = end?.end ?? tagEnd;
    pieces.lastIndex = position;
  }
  return result + html.slice(position);
}

function endOf(html: string, name: string, from: number, lastEnds: Map<string, number>): Range | undefined {
  const last = lastEnds.get(name) ?? html.toLowerCase().lastIndexOf(`[/${name}]`);
  lastEnds.set(name, last);
  if (last < from) return undefined;
  const tags = new RegExp(String.raw`\[(/?)${name}(?=[\s\]=/])[^[\]]*\]`, 'gi');
  tags.lastIndex = from;
  let open = 1;
  let first: Range | undefined;
  for (let match = tags.exec(html); match; match = tags.exec(html)) {
    const span = { start: match.index, end: tags.lastIndex };
    if (match[1] === '') open += 1;
    else {
      open -= 1;
      first ??= span;
      if (open === 0) return span;
    }
  }
  // A nested one was never closed: uses the first end tag.
  return first;
}

const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]\S*))|"([^"]*)"|'([^']*)'|([^\s/=]\S*)/g;

export function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  let place = 0;
  for (const match of text.replace(/&quot;|[“”″]/g, '"').matchAll(ATTRIBUTE)) {
    const [, name, double, single, bare, ...others] = match;
    const value = double ?? single ?? bare;
    if (name !== undefined && value !== undefined) attributes[name.toLowerCase()] = value;
    else attributes[String(place++)] = others.find((each) => each !== undefined) ?? '';
  }
  return attributes;
}
