import { Problem } from '../../markdown-file/problem.ts';
import { MIB } from '../../contract/rules/units.ts';

/** A keyword, number or bare name; a name in backticks; a string without its quotes; any other sign. */
export type TokenKind = 'word' | 'name' | 'string' | 'sign';
export type TakeToken = (kind: TokenKind, text: string) => void;

type Mode = 'plain' | 'word' | 'string' | 'name' | 'line' | 'block' | 'delimiter' | 'foreign';

/** Maximum characters of a token: more than any article. */
const MAX_TOKEN_CHARACTERS = 64 * MIB;
const SPACE = /\s+/y;
const WORD = /[\w$@.\u0080-\uffff]+/y;
const ESCAPED = { "'": /\\([^])|''/g, '"': /\\([^])|""/g, '`': /``/g } as const;
const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
  // MySQL decodes these only in LIKE.
  '%': String.raw`\%`,
  _: String.raw`\_`,
};
const BACK_TO_SEMICOLON = /^\s*DELIMITER\s+;\s*$/i;
const MAX_LINE_CHARACTERS = MIB;

/**
 * Splits MySQL's SQL into tokens, from chunks of any size, reading each character once. Skips comments, and
 * routines between `DELIMITER` lines, whose bodies are not statements of the dump.
 */
export class SqlLexer {
  readonly #take: TakeToken;
  #mode: Mode = 'plain';
  /** Text whose meaning depends on the next chunk: the first half of `''`, `\n`, `--`. */
  #rest = '';
  #parts: string[] = [];
  #length = 0;
  #quote: keyof typeof ESCAPED = "'";
  #isAtStart = true;

  constructor(take: TakeToken) {
    this.#take = take;
  }

  /** @throws Problem for a token that is too long */
  feed(piece: string): void {
    const text = this.#rest + piece;
    this.#rest = '';
    for (let at = 0; at < text.length;) at = this.#step(text, at);
  }

  /** @returns whether the text ended between tokens */
  end(): boolean {
    this.feed('\n');
    return this.#mode === 'plain' || this.#mode === 'foreign';
  }

  #step(text: string, at: number): number {
    switch (this.#mode) {
      case 'plain':
        return this.#plain(text, at);
      case 'word':
        return this.#word(text, at);
      case 'string':
      case 'name':
        return this.#quoted(text, at);
      case 'block':
        return this.#block(text, at);
      case 'line':
      case 'delimiter':
      case 'foreign':
        return this.#line(text, at);
    }
  }

  #plain(text: string, at: number): number {
    SPACE.lastIndex = at;
    const from = SPACE.test(text) ? SPACE.lastIndex : at;
    const sign = text[from];
    if (sign === undefined) return from;
    if (sign === "'" || sign === '"' || sign === '`') {
      this.#quote = sign;
      return this.#enter(sign === '`' ? 'name' : 'string', from + 1);
    }
    if (sign === '#') return this.#enter('line', from + 1);
    if (sign === '-' || sign === '/') {
      const next = text[from + 1];
      if (next === undefined) return this.#wait(text, from);
      if (sign === '-' && next === '-') return this.#enter('line', from + 2);
      if (sign === '/' && next === '*') return this.#enter('block', from + 2);
    }
    WORD.lastIndex = from;
    if (WORD.test(text)) return this.#enter('word', from);
    this.#give('sign', sign);
    return from + 1;
  }

  #word(text: string, at: number): number {
    WORD.lastIndex = at;
    const end = WORD.test(text) ? WORD.lastIndex : at;
    this.#keep(text.slice(at, end));
    if (end === text.length) return end;
    const word = this.#collect();
    if (this.#isAtStart && /^delimiter$/i.test(word)) return this.#enter('delimiter', end);
    this.#mode = 'plain';
    this.#give('word', word);
    return end;
  }

  /** Only searches for the end; escape sequences are decoded once the whole string is there. */
  #quoted(text: string, at: number): number {
    const quote = this.#quote;
    for (let from = at; ;) {
      const found = text.indexOf(quote, from);
      if (found < 0) return this.#leaveOpen(text, at, text.length);
      const isEscaped = quote !== '`' && isOdd(backslashesBefore(text, found, at));
      if (isEscaped) {
        from = found + 1;
        continue;
      }
      if (found + 1 === text.length) return this.#leaveOpen(text, at, found);
      if (text[found + 1] === quote) {
        from = found + 2;
        continue;
      }
      this.#keep(text.slice(at, found));
      const kind = this.#mode === 'name' ? 'name' : 'string';
      this.#mode = 'plain';
      this.#give(kind, this.#unescaped());
      return found + 1;
    }
  }

  #leaveOpen(text: string, at: number, end: number): number {
    const isHalf = this.#quote !== '`' && end === text.length && isOdd(backslashesBefore(text, end, at));
    const kept = isHalf ? end - 1 : end;
    this.#keep(text.slice(at, kept));
    return this.#wait(text, kept);
  }

  #unescaped(): string {
    const text = this.#collect();
    const quote = this.#quote;
    if (!text.includes('\\') && !text.includes(quote)) return text;
    return text.replace(ESCAPED[quote], (_pair, escaped?: string) =>
      typeof escaped === 'string' ? (ESCAPES[escaped] ?? escaped) : quote,
    );
  }

  #block(text: string, at: number): number {
    const end = text.indexOf('*/', at);
    if (end >= 0) return this.#enter('plain', end + 2);
    return text.endsWith('*') ? this.#wait(text, text.length - 1) : text.length;
  }

  #line(text: string, at: number): number {
    const end = text.indexOf('\n', at);
    if (end < 0) {
      if (this.#mode === 'line') return text.length;
      return text.length - at > MAX_LINE_CHARACTERS ? text.length : this.#wait(text, at);
    }
    const line = text.slice(at, end);
    if (this.#mode === 'delimiter') this.#mode = line.trim() === ';' ? 'plain' : 'foreign';
    else if (this.#mode === 'line' || BACK_TO_SEMICOLON.test(line)) this.#mode = 'plain';
    return end + 1;
  }

  #enter(mode: Mode, at: number): number {
    this.#mode = mode;
    return at;
  }

  #wait(text: string, at: number): number {
    this.#rest = text.slice(at);
    return text.length;
  }

  #keep(part: string): void {
    this.#length += part.length;
    if (this.#length > MAX_TOKEN_CHARACTERS)
      throw new Problem('SQL 转储里有超过 64 MiB 的值，不是博客的数据');
    if (part !== '') this.#parts.push(part);
  }

  #collect(): string {
    const text = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    return text;
  }

  #give(kind: TokenKind, text: string): void {
    this.#isAtStart = kind === 'sign' && text === ';';
    this.#take(kind, text);
  }
}

const isOdd = (count: number): boolean => count % 2 === 1;

function backslashesBefore(text: string, end: number, from: number): number {
  let at = end;
  while (at > from && text[at - 1] === '\\') at -= 1;
  return end - at;
}
