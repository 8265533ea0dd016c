/** Folds a name for comparison: NFKC, then case-folded, as CONTRACT.md asks of usernames. */
export function foldName(name: string): string {
  // Upper before lower approximates full case folding (ß → ss, final sigma), which ECMAScript lacks.
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Whether two names are the same user's: case and width do not tell names apart. */
export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);

/** Finds the one of `names` that a text is, whatever its case and width; undefined where it is none. */
export function amongNames(names: readonly string[]): (text: string) => string | undefined {
  const known = new Map(names.map((name) => [foldName(name), name]));
  return (text) => known.get(foldName(text));
}

/**
 * What names and titles refuse: controls, invisible format characters, line and paragraph separators.
 * `hasHiddenCharacter` lets the joiner U+200D through between emoji.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;
const EMOJI_JOIN =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/gu;

/** Whether `text` holds a control or invisible character other than the joiner inside an emoji sequence. */
export function hasHiddenCharacter(text: string): boolean {
  return HIDDEN.test(text.replace(EMOJI_JOIN, ''));
}

/** What a text must be besides its length, and what is said of one that is not. */
export interface TextRule {
  accepts(text: string): boolean;
  /** In Chinese. */
  readonly says: string;
}

/** Names and titles refuse controls and invisible characters; `label` is what the field is called. */
export const nameRule = (label: string): TextRule => ({
  accepts: (text) => !hasHiddenCharacter(text),
  says: `${label}不能包含控制字符或零宽字符`,
});

/** The address an upload has been answered with; whether there is such a picture, the server looks up. */
export const pictureRule: TextRule = {
  accepts: (text) => /^(?:\/api\/file\/[\w.-]+)?$/.test(text),
  says: '封面只能用上传到本站的图片',
};
