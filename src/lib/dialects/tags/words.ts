const WORD =
  /([A-Za-z][\w-]*)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|([^\s"'`]\S*))|"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`|(\S+)/g;

/** Splits the text after a tag's name into unquoted words and `name=value` pairs with lower-case names. */
export function readWords(source: string): { words: string[]; named: Map<string, string> } {
  const words: string[] = [];
  const named = new Map<string, string>();
  for (const match of source.matchAll(WORD)) {
    const [, name, ...values] = match;
    const isEscaped = values[0] !== undefined || values[4] !== undefined;
    const value = values.find((each) => each !== undefined) ?? '';
    const text = isEscaped ? value.replace(/\\(["\\])/g, '$1') : value;
    if (name === undefined) words.push(text);
    else named.set(name.toLowerCase(), text);
  }
  return { words, named };
}

export const readParts = (source: string): string[] => source.split(/[,，]/).map((part) => part.trim());
