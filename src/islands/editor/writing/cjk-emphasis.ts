import type { markdown } from '@codemirror/lang-markdown';
import { CHINESE_QUOTES_AND_DASHES } from '../../../lib/shared/signs.ts';

type Extension = NonNullable<NonNullable<Parameters<typeof markdown>[0]>['extensions']>;

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const isCjk = (sign: string): boolean => WIDE.test(sign) || CHINESE_QUOTES_AND_DASHES.test(sign);
const isLatinSign = (sign: string): boolean => /[\p{P}\p{S}]/u.test(sign) && !isCjk(sign);
const SPACE = /^$|\s/u;
const ASTERISK = 42;

/**
 * Parses emphasis next to Chinese text like remark-cjk-friendly: `**重点。**接着写` is bold, unlike in
 * CommonMark.
 */
export const cjkEmphasis: Extension = {
  parseInline: [
    {
      name: 'CjkEmphasis',
      before: 'Emphasis',
      parse(context, next, start) {
        if (next !== ASTERISK) return -1;
        let end = start + 1;
        while (context.char(end) === ASTERISK) end++;
        const [before, after] = [context.slice(start - 1, start), context.slice(end, end + 1)];
        if (!isCjk(before) && !isCjk(after)) return -1;
        const [isSignBefore, isSignAfter] = [isLatinSign(before), isLatinSign(after)];
        const [isEndBefore, isEndAfter] = [SPACE.test(before), SPACE.test(after)];
        const canOpen = !isEndAfter && (!isSignAfter || isEndBefore || isSignBefore || isCjk(before));
        const canClose = !isEndBefore && (!isSignBefore || isEndAfter || isSignAfter || isCjk(after));
        const { emphasisAsterisk } = context.constructor as typeof import('@lezer/markdown').InlineContext;
        return context.addDelimiter(emphasisAsterisk, start, end, canOpen, canClose);
      },
    },
  ],
};
