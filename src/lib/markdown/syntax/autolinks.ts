import type { Link, PhrasingContent, Root, RootContent } from 'mdast';
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal';
import type { Code, Construct, Effects, Extension, State } from 'micromark-util-types';
import type { Processor } from 'unified';
import { walk } from '../walk.ts';

// These characters end a bare address in Chinese text, as does a Chinese letter after a Latin one. GFM ends
// one only at white space, so `见 https://a.cn，然后` and `https://a.cn了解更多` would become a link as a whole.
// A path may have Chinese words: `https://a.cn/路径`.
export const CHINESE_PUNCTUATION = '，。；：！？、（）【】「」『』《》〈〉“”‘’…—';
const CODES = new Set([...CHINESE_PUNCTUATION].map((sign) => sign.charCodeAt(0)));
const LETTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
const LATIN = '[0-9A-Za-z]';
const END = new RegExp(`[${CHINESE_PUNCTUATION}]|(?<=${LATIN})${LETTER}`, 'u');
const ADDRESS = new RegExp(`https?://(?:(?!(?<=${LATIN})${LETTER})[^\\s<${CHINESE_PUNCTUATION}])+`, 'giu');

const matches = (pattern: RegExp, code: Code): boolean =>
  code !== null && code > 0 && pattern.test(String.fromCharCode(code));
const IS_LETTER = new RegExp(LETTER, 'u');
const IS_LATIN = new RegExp(LATIN);
const endsAddress = (code: Code, previous: Code): boolean =>
  code !== null && (CODES.has(code) || (matches(IS_LETTER, code) && matches(IS_LATIN, previous)));

/**
 * Runs a construct of GFM as if the text ended where a Chinese text ends an address: its states get the end
 * instead of the character, everything outside of it gets the character.
 */
const endedByPunctuation = (construct: Construct): Construct => ({
  ...construct,
  // The construct of GFM is disabled by its name. Addresses of mail come first, as in GFM.
  name: 'chineseAutolink',
  add: 'after',
  tokenize(effects, ok, nok) {
    let code: Code = null;
    let isDone = false;
    const inside = (inner: Construct): Construct => ({
      ...inner,
      tokenize(_, accept, refuse) {
        return inner.tokenize.call(
          this,
          masked,
          () => accept(code),
          () => refuse(code),
        );
      },
    });
    const masked: Effects = {
      ...effects,
      attempt: (inner, ...states) => effects.attempt(inside(inner as Construct), ...states),
      check: (inner, ...states) => effects.check(inside(inner as Construct), ...states),
    };
    const mask =
      (state: State): State =>
      (next) => {
        code = next;
        const following = state(endsAddress(next, this.previous) ? null : next);
        return following && !isDone ? mask(following) : following;
      };
    const end = (state: State) => () => {
      isDone = true;
      return state(code);
    };
    return mask(construct.tokenize.call(this, masked, end(ok), end(nok)));
  },
});

const NAMES = ['protocolAutolink', 'wwwAutolink'];

const { text: literals = {} } = gfmAutolinkLiteral();
const chineseAutolinks: Extension = {
  disable: { null: NAMES },
  text: Object.fromEntries(
    [...'hHwW'].map((sign) => {
      const found = [literals[sign.charCodeAt(0)] ?? []]
        .flat()
        .filter(({ name = '' }) => NAMES.includes(name));
      return [sign.charCodeAt(0), found.map(endedByPunctuation)];
    }),
  ),
};

/**
 * Remark plugin: ends bare addresses at Chinese punctuation and letters, after which the text continues as
 * Markdown. `[text](address)` and `<address>` are left alone. Must follow remark-gfm.
 */
export function remarkAutolinks(this: Processor) {
  (this.data().micromarkExtensions ??= []).push(chineseAutolinks);
  return (tree: Root): void => {
    walk<RootContent>(tree, (link, index, parent) => {
      if (link.type !== 'link') return;
      const label = labelInText(link);
      const end = label?.search(END) ?? -1;
      if (!label || end < 1) return;
      const excess = label.slice(end);
      link.children = [{ type: 'text', value: label.slice(0, end) }];
      link.url = link.url.slice(0, -excess.length);
      parent.children.splice(index + 1, 0, ...linkAddresses(excess, ADDRESS));
    });
  };
}

/** Returns the label of a link that remark-gfm has made of parsed text, which has no position. */
function labelInText({ children: [child], position, url }: Link): string | undefined {
  return !position && child?.type === 'text' && url.endsWith(child.value) ? child.value : undefined;
}

/** Splits a text at the addresses that the global `pattern` matches, and makes these links. */
export function linkAddresses(text: string, pattern: RegExp): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let position = 0;
  for (const { 0: url, index } of text.matchAll(pattern)) {
    nodes.push({ type: 'text', value: text.slice(position, index) });
    nodes.push({ type: 'link', url, children: [{ type: 'text', value: url }] });
    position = index + url.length;
  }
  nodes.push({ type: 'text', value: text.slice(position) });
  return nodes.filter((node) => node.type !== 'text' || node.value !== '');
}
