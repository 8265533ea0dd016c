import { addressOf } from '../../lib/contract/pictures.ts';

/** A picture of another site in a markdown text: where its address stands, and as it is written there. */
export interface OutsidePicture {
  from: number;
  to: number;
  written: string;
}

// All repetitions are bounded, so that hostile text takes no quadratic time.
const ALT = String.raw`!\[(?:[^\[\]\\\n]|\\.|\[[^\[\]\n]{0,200}\]){0,500}\]`;
const ADDRESS = String.raw`<[^<>\n]{1,2048}>|[^\s()<>]{1,2048}(?:\([^\s()]{0,200}\)[^\s()<>]{0,2048}){0,5}`;
const INLINE = new RegExp(String.raw`${ALT}\(\s{0,20}(${ADDRESS})`, 'dg');
const TAG =
  /<img\b[^<>]{0,1000}?\ssrc\s{0,9}=\s{0,9}(?:"([^"\n]{0,2048})"|'([^'\n]{0,2048})'|([^\s"'<>]{1,2048}))/dgi;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const CODE_SPAN = /(?<!`)(`{1,5})(?!`)[^\n]{1,2000}?(?<!`)\1(?!`)/g;

/**
 * The pictures of other sites in `text`, in order: `![](…)` and `<img src>` outside fences and code spans.
 * It looks at characters alone: parsing a long text after each key would take longer than a frame.
 * @param origin of this site, whose addresses are none of others
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

/** The text with spaces for code, every other character where it was. */
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
