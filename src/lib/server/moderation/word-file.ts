import {
  ACTION_NAMES,
  LIST_ACTIONS,
  WORD_BOUNDS,
  type ListAction,
  type ListedWord,
} from '../../contract/rules/moderation.ts';
import { textField } from '../../contract/fields.ts';
import { canonicalise } from './canonical.ts';

/** A word with its canonical form. */
export interface FormedWord extends ListedWord<ListAction> {
  form: string;
}

interface WordProblem {
  /** From 1. */
  line: number;
  text: string;
  problem: string;
}

const MAX_SHOWN_CHARACTERS = 60;
const wordField = textField('词语', WORD_BOUNDS.word);
const categoryField = textField('分类', WORD_BOUNDS.category);
const UNKNOWN_ACTION = `第二列应为处理方式：${Object.values(ACTION_NAMES).join('、')}`;

/**
 * Reads a file of words: one per line, optionally followed by an action and a category, separated by tabs or,
 * in lines without one, by commas. Blank lines are skipped; of equal words the last one counts.
 */
export function readWordFile(text: string, defaults: Pick<ListedWord<ListAction>, 'action' | 'category'>) {
  const byForm = new Map<string, FormedWord>();
  const problems: WordProblem[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line, defaults);
    if (typeof read === 'string')
      problems.push({ line: index + 1, text: line.trim().slice(0, MAX_SHOWN_CHARACTERS), problem: read });
    else byForm.set(read.form, read);
  }
  return { words: [...byForm.values()], problems };
}

/** Returns the word of a line, or the reason why the line is bad. */
function readLine(
  line: string,
  defaults: Pick<ListedWord<ListAction>, 'action' | 'category'>,
): FormedWord | string {
  const [first = '', second = '', third = '', ...rest] = line
    .split(line.includes('\t') ? '\t' : /[,，]/)
    .map((field) => field.trim());
  if (rest.some((field) => field !== '')) return '最多三列：词语、处理方式、分类';
  const word = wordField.safeParse(first);
  if (!word.success) return word.error.issues[0]?.message ?? '';
  const category = categoryField.safeParse(third);
  if (!category.success) return category.error.issues[0]?.message ?? '';
  const action = second === '' ? defaults.action : actionOf(second);
  if (action === undefined) return UNKNOWN_ACTION;
  const form = canonicalise(word.data).text;
  if (form === '') return '没有文字，无法查找';
  return { word: word.data, form, action, category: category.data || defaults.category };
}

/** An action by its name or its label. */
const actionOf = (text: string): ListAction | undefined =>
  LIST_ACTIONS.find((action) => action === text.toLowerCase() || ACTION_NAMES[action] === text);

/** Writes words as `readWordFile` reads them. */
export const toWordFile = (words: readonly ListedWord<ListAction>[]): string =>
  words
    .map(({ word, action, category }) =>
      [word, ACTION_NAMES[action], category]
        .map((field) => field.replaceAll(/\s+/g, ' '))
        .join('\t')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
