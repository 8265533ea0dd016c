import type { Code, Construct, Effects, State, Tokenizer } from 'micromark-util-types';
import { AFTER_NO_FORMULA } from '../../shared/signs.ts';

/**
 * Parses TeX between dollars by pandoc's rule, which excludes prices, and by GitHub's, which excludes names.
 * micromark-extension-math has no such rules and depends on KaTeX.
 */

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathText: 'mathText';
    mathFlow: 'mathFlow';
    mathData: 'mathData';
  }
}

const DOLLAR = 36;
const BACKSLASH = 92;
const UNDERSCORE = 95;
const BACKTICK = 96;

const isLineEnd = (code: Code): boolean => code !== null && code < -2;
const isSpace = (code: Code): boolean => code === -2 || code === -1 || code === 32;
const beginsName = (code: Code): boolean =>
  code !== null && code >= 0 && AFTER_NO_FORMULA.test(String.fromCharCode(code));

/**
 * Texts, identified by their event lists, in which a search found no closing dollar (first set) or pair of
 * dollars (second). The search is not repeated for them.
 */
const fruitless = [new WeakSet<object>(), new WeakSet<object>()] as const;

/**
 * Inline formulas. `$x$`: no white space after the first dollar or before the last, and no digit, Latin
 * letter, `_`, `{` or `(` after the last. `$$x$$` within a line of text. A backtick ends the search: code
 * takes precedence.
 */
const tokenizeText: Tokenizer = function (effects, ok, nok) {
  const { previous, events } = this;
  const line = createTaker(effects);
  const isAfterFormula = events.at(-1)?.[1].type === 'mathText';
  let size = 0;
  let closing = 0;
  let isBlank = true;
  let isAfterSpace = false;

  const open: State = (code) => {
    if (code === DOLLAR && size < 2) {
      if (size === 0) effects.enter('mathText');
      size += 1;
      line.take(code);
      return open;
    }
    if (code === DOLLAR || fruitless[size - 1]?.has(events)) return nok(code);
    return size === 1 && (isSpace(code) || isLineEnd(code)) ? nok(code) : inside(code);
  };

  const inside: State = (code) => {
    if (code === null) fruitless[size - 1]?.add(events);
    if (code === null || code === BACKTICK) return nok(code);
    if (isLineEnd(code)) {
      line.takeLineEnd(code);
      isAfterSpace = true;
      return inside;
    }
    if (code === DOLLAR) {
      // A price; pandoc also stops there.
      if (size === 1 && isAfterSpace) return nok(code);
      closing = 0;
      return close(code);
    }
    isAfterSpace = isSpace(code);
    isBlank &&= isAfterSpace;
    line.take(code);
    return code === BACKSLASH ? escaped : inside;
  };

  const escaped: State = (code) => {
    if (code === null || isLineEnd(code)) return inside(code);
    isAfterSpace = isSpace(code);
    line.take(code);
    return inside;
  };

  const close: State = (code) => {
    if (code === DOLLAR && closing < size) {
      closing += 1;
      line.take(code);
      return close;
    }
    // Emphasis may consist of a formula: `_$x$_`.
    const isEmphasis = code === UNDERSCORE && previous === UNDERSCORE;
    if (size === 1 && beginsName(code) && !isEmphasis) return nok(code);
    if (closing < size || isBlank) {
      isAfterSpace = false;
      return inside(code);
    }
    line.endLine();
    effects.exit('mathText');
    return ok(code);
  };

  return (code) => (previous === DOLLAR && !isAfterFormula ? nok(code) : open(code));
};

/**
 * Lines from `$$` to a line that ends with `$$`. If the first line has only the dollars it is a fence: empty
 * lines are allowed, and without an end it extends to the end of its container, as code does. Otherwise the
 * formula has no empty lines and no text after its end.
 */
const tokenizeFlow: Tokenizer = function (effects, ok, nok) {
  const { parser, interrupt } = this;
  const { now } = this;
  const line = createTaker(effects);
  let dollars = 0;
  let isFence = false;
  let isFirstLine = true;
  let isBlankLine = true;
  let isBlank = true;

  const isLazy = () => parser.lazy[now().line] === true;

  const open: State = (code) => {
    if (code === DOLLAR && dollars < 2) {
      if (dollars === 0) effects.enter('mathFlow');
      dollars += 1;
      line.take(code);
      return open;
    }
    return dollars < 2 || code === DOLLAR ? nok(code) : afterOpen(code);
  };

  const afterOpen: State = (code) => {
    if (isSpace(code)) {
      line.take(code);
      return afterOpen;
    }
    if (code === null) return nok(code);
    isFence = isLineEnd(code);
    if (isFence && interrupt) {
      line.endLine();
      effects.exit('mathFlow');
      return ok(code);
    }
    return inside(code);
  };

  const inside: State = (code) => {
    if (code === null) return end(code);
    if (isLineEnd(code)) {
      const isOpen = isFence || (!interrupt && (isFirstLine || !isBlankLine));
      return isOpen ? effects.check({ tokenize: continues, partial: true }, nextLine, end)(code) : nok(code);
    }
    if (code === DOLLAR) {
      dollars = 0;
      return close(code);
    }
    if (!isSpace(code)) isBlankLine = isBlank = false;
    line.take(code);
    return code === BACKSLASH ? escaped : inside;
  };

  const escaped: State = (code) => {
    if (code === null || isLineEnd(code)) return inside(code);
    line.take(code);
    return inside;
  };

  const nextLine: State = (code) => {
    isFirstLine = false;
    isBlankLine = true;
    line.takeLineEnd(code);
    return inside;
  };

  const close: State = (code) => {
    if (code === DOLLAR && dollars < 2) {
      dollars += 1;
      line.take(code);
      return close;
    }
    isBlankLine = false;
    return dollars === 2 ? afterClose(code) : inside(code);
  };

  const afterClose: State = (code) => {
    if (isSpace(code)) {
      line.take(code);
      return afterClose;
    }
    if (code === null || isLineEnd(code)) {
      if (isBlank && !isFence) return nok(code);
      line.endLine();
      effects.exit('mathFlow');
      return ok(code);
    }
    return isFence ? inside(code) : nok(code);
  };

  const end: State = (code) => {
    if (!isFence) return nok(code);
    line.endLine();
    effects.exit('mathFlow');
    return ok(code);
  };

  const continues: Tokenizer = (ahead, yes, no) => (code) => {
    takeLineEnd(ahead, code);
    return (after) => (isLazy() ? no(after) : yes(after));
  };

  return open;
};

/** Creates a helper that splits content into one token per line, as micromark requires. */
function createTaker(effects: Effects) {
  let isOpen = false;
  return {
    take(code: Code): void {
      if (!isOpen) effects.enter('mathData');
      isOpen = true;
      effects.consume(code);
    },
    endLine(): void {
      if (isOpen) effects.exit('mathData');
      isOpen = false;
    },
    takeLineEnd(code: Code): void {
      this.endLine();
      takeLineEnd(effects, code);
    },
  };
}

function takeLineEnd(effects: Effects, code: Code): void {
  effects.enter('lineEnding');
  effects.consume(code);
  effects.exit('lineEnding');
}

const text: Construct = { name: 'mathText', tokenize: tokenizeText };
const flow: Construct = { name: 'mathFlow', tokenize: tokenizeFlow, concrete: true };

export const mathSyntax = { text: { [DOLLAR]: text }, flow: { [DOLLAR]: flow } };
