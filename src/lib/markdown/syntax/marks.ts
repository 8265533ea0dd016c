import { cjkFriendlyExtension } from 'micromark-extension-cjk-friendly';
import { gfmStrikethroughCjkFriendly } from 'micromark-extension-cjk-friendly-gfm-strikethrough';
import type { Code, Construct, Extension, Token } from 'micromark-util-types';
import type { Processor } from 'unified';
import { CHINESE_QUOTES_AND_DASHES } from '../../shared/signs.ts';

const ASTERISK = 42;
const UNDERSCORE = 95;
const TILDE = 126;

const test = (pattern: RegExp, code: Code): boolean =>
  code !== null && code >= 0 && pattern.test(String.fromCharCode(code));
const isChineseSign = (code: Code): boolean => test(CHINESE_QUOTES_AND_DASHES, code);
/** Negative codes are white space, null is the end of the text. */
const isEdge = (code: Code): boolean => code === null || code < 0 || test(/[\s\p{P}\p{S}]/u, code);

/** Lets a mark begin or end between a Chinese quotation mark or dash and a letter. */
function openAtSign(mark: Token, previous: Code, next: Code): void {
  if (isChineseSign(next)) mark._open = true;
  if (isChineseSign(previous)) mark._close = true;
}

/** A single tilde also writes a range (`10~20元`), so a letter must not be on its outer side. */
function strike(mark: Token, previous: Code, next: Code): void {
  openAtSign(mark, previous, next);
  if (mark.end.offset - mark.start.offset > 1) return;
  mark._open &&= isEdge(previous);
  mark._close &&= isEdge(next);
}

/** Lets `settle` correct which sides a mark may have after `construct` has tokenized it. */
const settled = (construct: Construct, settle: typeof strike): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    const { previous } = this;
    const settleLast = (next: Code) => {
      const mark = this.events.at(-1)?.[1];
      if (mark) settle(mark, previous, next);
      return ok(next);
    };
    return construct.tokenize.call(this, effects, settleLast, nok);
  },
});

function constructOf({ text }: Extension, code: number): Construct {
  const found = text?.[code];
  if (!found || Array.isArray(found)) throw new Error(`no single construct for character ${code}`);
  return found;
}

const emphasis = cjkFriendlyExtension();
const strikethrough = gfmStrikethroughCjkFriendly();

const emphasisSyntax: Extension = {
  ...emphasis,
  text: {
    [ASTERISK]: settled(constructOf(emphasis, ASTERISK), openAtSign),
    [UNDERSCORE]: constructOf(emphasis, UNDERSCORE),
  },
};
const strikethroughSyntax: Extension = {
  ...strikethrough,
  text: { [TILDE]: settled(constructOf(strikethrough, TILDE), strike) },
};

/** Remark plugin: emphasis and strikethrough for text whose words have no spaces. */
export function remarkMarks(this: Processor): void {
  (this.data().micromarkExtensions ??= []).push(emphasisSyntax, strikethroughSyntax);
}
