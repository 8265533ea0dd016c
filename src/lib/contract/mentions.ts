import { foldName } from './names.ts';

/** Names that a comment can mention; what comes after them stays words. */
export const MOST_MENTIONS = 10;

/**
 * `@` and a name as accounts have them, up to where it ends: 「@张三你好」 names nobody called 张三. Not inside an
 * address of e-mail or a path.
 */
export const MENTION = /(?<![\w.+/@-])@([\p{L}\p{M}\p{N}_-]{2,20})(?![\p{L}\p{M}\p{N}_-])/gu;

/** The names after an `@` in a text, folded as accounts are compared, each once, the first MOST_MENTIONS. */
export function mentionedNames(text: string): string[] {
  const names = Array.from(text.matchAll(MENTION), ([, name = '']) => foldName(name));
  return [...new Set(names)].slice(0, MOST_MENTIONS);
}
