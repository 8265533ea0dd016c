import { addressOf } from '../../../lib/contract/rules/pictures.ts';

/** Picture from another site in a markdown text: the range of its URL, and the URL as written. */
export interface OutsidePicture {
  from: number;
  to: number;
  written: string;
}

// All repetitions are bounded to prevent quadratic time on hostile text.
const ALT = String.raw`!\[(?:[^\[\]\\\n]|\\.|\[[^\[\]\n]{0,200}\]){0,500}\]`;
const ADDRESS = String.raw`<[^<>\n]{1,2048}>|[^\s()<>]{1,2048}(?:\([^\s()]{0,200}\)[^\s()<>]{0,2048}){0,5}`;
const INLINE = new RegExp(String.raw`${ALT}\(\s{0,20}(${ADDRESS})`, 'dg');
const TAG =
  /<img\b[^<>]{0,1000}?\ssrc\s{0,9}=\s{0,9}(?:"([^"\n]{0,2048})"|'([^'\n]{0,2048})'|([^\s"'<>]{1,2048}))/dgi;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const CODE_SPAN = /(?<!`)(`{1,5})(?!`)[^\n]{1,2000}?(?<!`)\1(?!`)/g;

/**
 * Returns the pictures from other sites in `text`, in order: `![](…)` and `<img src>` outside of code. It
 * uses regular expressions because parsing a long text after each key would take longer than a frame.
 * @param origin origin of this site, whose pictures do not count
 */
export function findOutsidePictures(text: string, origin: string): OutsidePicture[] {
  const visible = withoutCode(text);
  const found: OutsidePicture[] = [];
  for (const pattern of [INLINE, TAG]) {
    for (const { indices } of visible.matchAll(pattern)) {
      const [from, to] = indices?.slice(1).find((range) => range !== undefined) ?? [0, 0];
      const written = text.slice(from, to);
      const url = URL.parse(addressOf(written), origin);
      if (
        url !== null &&
        /^https?:$/.test(url.protocol) &&
        url.origin !== origin &&
        /^(?:<?https?:)?\/\//i.test(written)
      )
        found.push({ from, to, written });
    }
  }
  return found.sort((one, other) => one.from - other.from);
}

/** Returns the text with code replaced by spaces, which keeps all positions. */
function withoutCode(text: string): string {
  const blank = (code: string) => ' '.repeat(code.length);
  let fence = '';
  const lines = text.split('\n').map((line) => {
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence !== '') {
      if (mark.startsWith(fence) && line.trim() === mark) fence = '';
      return blank(line);
    }
    fence = mark;
    return mark === '' && line.includes('`') ? line.replace(CODE_SPAN, blank) : line;
  });
  return lines.join('\n');
}
