import type { markdown } from '@codemirror/lang-markdown';

type Extension = NonNullable<NonNullable<Parameters<typeof markdown>[0]>['extensions']>;

const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;
const SIGN = /[\p{P}\p{S}]/u;
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
        if (!CJK.test(before) && !CJK.test(after)) return -1;
        const [isSignBefore, isSignAfter] = [SIGN.test(before), SIGN.test(after)];
        const [isEndBefore, isEndAfter] = [SPACE.test(before), SPACE.test(after)];
        const canOpen = !isEndAfter && (!isSignAfter || isEndBefore || isSignBefore || CJK.test(before));
        const canClose = !isEndBefore && (!isSignBefore || isEndAfter || isSignAfter || CJK.test(after));
        const { emphasisAsterisk } = context.constructor as typeof import('@lezer/markdown').InlineContext;
        return context.addDelimiter(emphasisAsterisk, start, end, canOpen, canClose);
      },
    },
  ],
};
