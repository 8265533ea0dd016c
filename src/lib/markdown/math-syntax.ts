import type { ElementContent } from 'hast';
import type { Node } from 'mdast';
import type { CompileContext, Extension as FromMarkdownExtension, Token } from 'mdast-util-from-markdown';
import type { Code, Construct, Effects, State, TokenizeContext, Tokenizer } from 'micromark-util-types';
import type { Processor } from 'unified';

/**
 * TeX between dollars by pandoc's rule, under which prices are none; micromark-extension-math has no such rule
 * and brings KaTeX.
 */

/** A formula; `value` is its TeX without the dollars. */
export interface InlineMath extends Node {
  type: 'inlineMath';
  value: string;
}

/** A formula that is a block of its own. */
export interface Math extends Node {
  type: 'math';
  value: string;
}

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathText: 'mathText';
    mathFlow: 'mathFlow';
    mathData: 'mathData';
  }
}

declare module 'mdast' {
  interface RootContentMap {
    inlineMath: InlineMath;
    math: Math;
  }
  interface PhrasingContentMap {
    inlineMath: InlineMath;
  }
}

const DOLLAR = 36;
const BACKSLASH = 92;
const BACKTICK = 96;

const isLineEnd = (code: Code): boolean => code !== null && code < -2;
const isSpace = (code: Code): boolean => code === -2 || code === -1 || code === 32;
const isDigit = (code: Code): boolean => code !== null && code >= 48 && code <= 57;

/** Texts in which a search to the end has found no closing dollars, by how many: none is begun again. */
const fruitless = [new WeakSet<TokenizeContext>(), new WeakSet<TokenizeContext>()] as const;

/**
 * `$x$`, where no white space follows the first dollar or precedes the last, and no digit follows that; `$$x$$`
 * among other words. A backtick ends the search: code goes before.
 */
const tokenizeText: Tokenizer = function (effects, ok, nok) {
  const { previous } = this;
  const whole = this;
  const line = createTaker(effects);
  const isAfterFormula = this.events.at(-1)?.[1].type === 'mathText';
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
    if (code === DOLLAR || fruitless[size - 1]?.has(whole)) return nok(code);
    return size === 1 && (isSpace(code) || isLineEnd(code)) ? nok(code) : inside(code);
  };

  const inside: State = (code) => {
    if (code === null) fruitless[size - 1]?.add(whole);
    if (code === null || code === BACKTICK) return nok(code);
    if (isLineEnd(code)) {
      line.takeLineEnd(code);
      isAfterSpace = true;
      return inside;
    }
    if (code === DOLLAR) {
      // A price: pandoc gives up there too.
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
    if (size === 1 && isDigit(code)) return nok(code);
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
 * Lines from `$$` to one that ends with `$$`. Where the first has nothing but the dollars it is a fence: empty
 * lines may follow, and without an end it goes on to the end of its container, as code does. Else there is no
 * empty line in it, nor text after the end.
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

  /** The text or the container ends without closing dollars. */
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

/** Takes what stands in lines: micromark wants a token on each. */
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

/**
 * The TeX as `code` of the language math, in a `pre` if it is a block: readers without MathML, the sanitiser
 * and formulas.ts know what that is.
 */
function codeOf(value: string, isBlock: boolean): ElementContent {
  const className = ['language-math', ...(isBlock ? ['math-display'] : [])];
  return { type: 'element', tagName: 'code', properties: { className }, children: [{ type: 'text', value }] };
}

function enterText(this: CompileContext, token: Token): undefined {
  const source = this.sliceSerialize(token);
  const dollars = source.startsWith('$$') ? 2 : 1;
  const value = source.slice(dollars, -dollars).trim();
  const { properties, children } = codeOf(value, dollars === 2) as ElementContent & { type: 'element' };
  this.enter(
    { type: 'inlineMath', value, data: { hName: 'code', hProperties: properties, hChildren: children } },
    token,
  );
}

function enterFlow(this: CompileContext, token: Token): undefined {
  const value = this.sliceSerialize(token)
    .replace(/^\$\$|\$\$[ \t]*$/g, '')
    .trim();
  this.enter({ type: 'math', value, data: { hName: 'pre', hChildren: [codeOf(value, true)] } }, token);
}

const fromMarkdown: FromMarkdownExtension = {
  enter: { mathText: enterText, mathFlow: enterFlow },
  exit: {
    mathText(token) {
      this.exit(token);
    },
    mathFlow(token) {
      this.exit(token);
    },
  },
};

/** Plugin: TeX between dollars becomes `inlineMath` and `math`. */
export function remarkMath(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };
  (data.micromarkExtensions ??= []).push({ text: { [DOLLAR]: text }, flow: { [DOLLAR]: flow } });
  (data.fromMarkdownExtensions ??= []).push(fromMarkdown);
}
