import type { LanguageChoice } from '../../../lib/markdown/code/languages.ts';
import { bestFirst } from './best-first.ts';

/** Choice for code without highlighting. */
export const PLAIN: LanguageChoice = {
  id: '',
  name: '不指定语言',
  words: ['不指定语言', '纯文本', '无', 'text', 'txt', 'plain', 'none'],
};

/** Most used languages, listed before anything is typed. */
const COMMON =
  'javascript typescript python java go c cpp rust bash sql html css json yaml vue jsx tsx csharp php kotlin swift ' +
  'dockerfile diff markdown';

/**
 * Returns the languages to offer. Without a query: recent ones, `PLAIN`, common ones, then the rest. With a
 * query: those whose name, alias or Chinese keyword matches, best match first.
 * @param recent previous picks, newest first
 */
export function languageChoices(
  all: readonly LanguageChoice[],
  recent: readonly string[],
  query: string,
): LanguageChoice[] {
  const wanted = query.trim().toLowerCase();
  const used = [...recent].map((id) => [PLAIN, ...all].find((each) => each.id === id));
  const common = COMMON.split(' ').map((id) => all.find((each) => each.id === id));
  const choices = [...new Set([...used, PLAIN, ...common, ...all])].filter((each) => each !== undefined);
  return bestFirst(choices, wanted, ({ words }) => words);
}
