import { markdownKeymap, markdownLanguage, pasteURLAsLink } from '@codemirror/lang-markdown';
import { Language, LanguageSupport } from '@codemirror/language';
import { Prec } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { styleTags, tags } from '@lezer/highlight';
import type { MarkdownParser } from '@lezer/markdown';
import { cjkEmphasis } from './cjk-emphasis.ts';

const parser = (markdownLanguage.parser as MarkdownParser).configure([
  cjkEmphasis,
  { props: [styleTags({ HTMLTag: tags.tagName })] },
]);

/**
 * Equivalent of `markdown()` without the parsers of HTML and code. They search the whole tree for their parts
 * on every key, which takes two milliseconds in 200,000 characters.
 */
export const articleLanguage = new LanguageSupport(
  // The key bindings check for the data of `markdownLanguage`.
  new Language(markdownLanguage.data, parser, [], 'markdown'),
  [pasteURLAsLink, Prec.high(keymap.of(markdownKeymap))],
);
