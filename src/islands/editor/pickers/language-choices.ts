import type { LanguageChoice } from '../../../lib/markdown/languages.ts';
import { bestFirst } from './best-first.ts';

/** What is picked for code that is to stay as it is. */
export const PLAIN: LanguageChoice = {
  id: '',
  name: '不指定语言',
  words: ['不指定语言', '纯文本', '无', 'text', 'txt', 'plain', 'none'],
};

/** What most authors look for, before anything is typed. */
const COMMON =
  'javascript typescript python java go c cpp rust bash sql html css json yaml vue jsx tsx csharp php kotlin swift ' +
  'dockerfile diff markdown';

/**
 * What can be picked: without a search the recent ones, none, the common ones and the rest; else those with a
 * name, alias or Chinese word that is, begins with or contains what was typed, the best first.
 * @param recent what was picked before, the newest first
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
