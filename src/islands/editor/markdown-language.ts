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
 * What `markdown()` gives, but for parsers of HTML and of code: they search the whole tree at every key for
 * what is theirs, two milliseconds in 200,000 characters.
 */
export const articleLanguage = new LanguageSupport(
  // The keys ask for text of `markdownLanguage`, which is known by its data.
  new Language(markdownLanguage.data, parser, [], 'markdown'),
  [pasteURLAsLink, Prec.high(keymap.of(markdownKeymap))],
);
