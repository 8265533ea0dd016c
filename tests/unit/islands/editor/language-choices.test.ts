import { expect, test } from 'vitest';
import { languageChoices } from '../../../../src/islands/editor/pickers/language-choices.ts';
import { findLanguage, listLanguages } from '../../../../src/lib/markdown/code/languages.ts';

const all = listLanguages();
const firstOf = (query: string, recent: string[] = []) => languageChoices(all, recent, query)[0]?.id;

test.each([
  ['js', 'javascript'],
  ['JS', 'javascript'],
  ['golang', 'go'],
  ['c++', 'cpp'],
  ['sh', 'bash'],
  ['汇编', 'asm'],
  ['数据库', 'sql'],
  ['命令行', 'shellsession'],
  ['文言', 'wenyan'],
  ['纯文本', ''],
  ['txt', ''],
])('%j finds %j first', (query, id) => expect(firstOf(query)).toBe(id));

test('recent languages come first, then none, then common ones, each once', () => {
  const ids = languageChoices(all, ['rust', 'gone', 'sql'], '').map(({ id }) => id);
  expect(ids.slice(0, 4)).toEqual(['rust', 'sql', '', 'javascript']);
  expect(ids).toHaveLength(new Set(ids).size);
  expect(ids).toHaveLength(all.length + 1);
});

test('an unknown language finds nothing', () => {
  expect(languageChoices(all, [], '没有这种')).toEqual([]);
});

test('every selectable language is highlighted', () => {
  expect(all.filter(({ id }) => !findLanguage(id)).map(({ id }) => id)).toEqual([]);
});
