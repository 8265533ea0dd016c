/** Folds a name for comparison: NFKC and case folding, as CONTRACT.md requires for usernames. */
export function foldName(name: string): string {
  // Upper then lower case approximates full case folding (ß → ss, final sigma), which ECMAScript lacks.
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);

/** Returns a lookup that ignores case and width, and returns the matching entry of `names` or undefined. */
export function amongNames(names: readonly string[]): (text: string) => string | undefined {
  const known = new Map(names.map((name) => [foldName(name), name]));
  return (text) => known.get(foldName(text));
}

/**
 * Characters refused in names and titles: controls, invisible format characters, line and paragraph
 * separators. `hasHiddenCharacter` allows the joiner U+200D between emoji.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;
const EMOJI_JOIN =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu;

export function hasHiddenCharacter(text: string): boolean {
  return HIDDEN.test(text.replace(EMOJI_JOIN, ''));
}

export interface TextRule {
  /** Converts typed text to the only accepted spelling, before it is judged. */
  fold?(text: string): string;
  accepts(text: string): boolean;
  readonly says: string;
  /** Accepted values, for the description of the API, where `says` does not name them. */
  readonly hint?: string;
}

export const nameRule = (label: string): TextRule => ({
  accepts: (text) => !hasHiddenCharacter(text),
  says: `${label}不能包含控制字符或零宽字符`,
});

export const countGraphemes = (text: string): number =>
  [...new Intl.Segmenter('zh', { granularity: 'grapheme' }).segment(text)].length;

/** Accepts web addresses without credentials, and the empty string. */
export const linkRule: TextRule = {
  accepts: (text) => text === '' || isWebAddress(text),
  says: '网址应以 http:// 或 https:// 开头，不能带用户名、密码和空格',
};

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s\\@]+$/i.test(text) || hasHiddenCharacter(text)) return false;
  return URL.parse(text)?.hostname.includes('.') ?? false;
}

/** Accepts addresses of uploaded pictures; the server checks that the picture exists. */
export const pictureRule: TextRule = {
  accepts: (text) => /^(?:\/api\/file\/[\w.-]+)?$/.test(text),
  says: '封面只能用上传到本站的图片',
};
