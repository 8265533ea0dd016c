import { describe, expect, test } from 'vitest';
import { listFiles, readText } from './source-files.ts';

/** Every text that is printed as it is, file by file. Whoever adds one says here why it is safe. */
const PRINTED: Record<string, string[]> = {
  // The search's own: escaped text, and <mark> around what was found.
  'src/components/ArticleCard.astro': ['article.highlight.title', 'article.highlight.content'],
  // The article as the sanitiser has left it.
  'src/pages/detail/[id]/[...refresh].astro': ['article.html'],
  // JSON-LD, whose `<` is escaped.
  'src/components/PageMeta.astro': ['data'],
  // Inline scripts: constants.
  'src/layouts/Shell.astro': ['THEME_SCRIPT'],
  // A comment as the sanitiser has left it.
  'src/islands/ui/CommentText.tsx': ['html'],
  // The project's own drawings.
  'src/islands/ui/Icon.tsx': ['shapes'],
  // The preview of an article, as the sanitiser has left it.
  'src/islands/editor/preview-pieces.ts': ['html'],
};
const RAW =
  /set:html=\{([^}]*)\}|dangerouslySetInnerHTML=\{\{ __html: ([^}]*) \}\}|(?:inner|outer)HTML \+?= ([^;]*);|insertAdjacentHTML\(([^)]*)\)/g;
const parts = listFiles('src').filter((path) =>
  /^src\/(components|islands|layouts|pages|lib\/stores)\//.test(path),
);

/** What a file prints as it is, in the order it stands there. */
const rawIn = (text: string) => [...text.matchAll(RAW)].map((match) => match.slice(1).find(Boolean) ?? '');

describe('markup is markup', () => {
  test('nothing is printed without escaping but what the sanitiser, the search or this project has made', () => {
    const found = parts.map((path) => [path, rawIn(readText(path))] as const);
    expect(Object.fromEntries(found.filter(([, raw]) => raw.length > 0))).toEqual(PRINTED);
  });

  test('no part of a page is written as a string', () => {
    const element = /(['"`])\s*<[a-z]+[\s>/]/;
    const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
    const found = parts.filter((path) => element.test(withoutComments(readText(path))));
    expect(found).toEqual([]);
  });

  test('what would be printed without escaping is noticed', () => {
    expect(rawIn('<p set:html={name} /><i dangerouslySetInnerHTML={{ __html: a.b }} />')).toEqual([
      'name',
      'a.b',
    ]);
    expect(rawIn('place.innerHTML = text; place.insertAdjacentHTML("beforeend", text)')).toHaveLength(2);
  });
});
