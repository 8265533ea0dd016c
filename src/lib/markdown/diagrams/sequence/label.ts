/** Text of a label in lines, and the width of the widest in pixels. */
export interface Label {
  lines: string[];
  width: number;
}

/** Places at which a line may break: spaces, both sides of Chinese characters, after the signs of URLs. */
const BREAKS =
  /(?<=[\s/?&=,;，。；、：])|(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])|(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/u;

/** Lays out a label at `size` pixels. Lines wider than `most` are broken. */
export function labelOf(text: string, size: number, most: number): Label {
  const lines = text.split(/<br\s*\/?>|\\n/i).flatMap((line) => wrapped(decoded(line.trim()), size, most));
  return { lines, width: Math.max(0, ...lines.map((line) => widthOf(line, size))) };
}

/** Breaks a text into as few lines as possible, of about the same width. */
function wrapped(text: string, size: number, most: number): string[] {
  const pieces = text.split(BREAKS).flatMap((piece) => (widthOf(piece, size) > most ? [...piece] : [piece]));
  const lines = filled(pieces, size, most);
  for (let width = widthOf(text, size) / lines.length; width < most; width += size) {
    const even = filled(pieces, size, width);
    if (even.length === lines.length) return even;
  }
  return lines;
}

function filled(pieces: readonly string[], size: number, most: number): string[] {
  const lines = [''];
  for (const piece of pieces) {
    const line = lines.at(-1) ?? '';
    if (line === '' || widthOf(`${line}${piece}`.trimEnd(), size) <= most)
      lines[lines.length - 1] = line + piece;
    else lines.push(piece.trimStart());
  }
  return lines.map((line) => line.trimEnd());
}

/** Mermaid's escapes for signs that it would read: `#59;`, `#quot;`, `#35;`. */
const decoded = (text: string): string =>
  text.replace(/#(?:(\d{1,7})|(quot|lt|gt|amp));/g, (whole, code?: string, name?: string) => {
    if (name !== undefined) return { quot: '"', lt: '<', gt: '>', amp: '&' }[name] ?? whole;
    const point = Number(code);
    return point > 31 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });

/** Upper bounds for system fonts, as shares of the font size. */
const NARROW = /[iljtfrI.,:;'|!()[\]{} ]/;
const WIDE = /[mwMW@%&—…]/;
const CAPITAL = /[A-Z\d_=+<>~#$?]/;

function widthOf(text: string, size: number): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    if ((character.codePointAt(0) ?? 0) >= 0x1100) width += 1;
    else if (NARROW.test(character)) width += 0.36;
    else if (WIDE.test(character)) width += 1;
    else width += CAPITAL.test(character) ? 0.7 : 0.6;
  }
  return width * size;
}
