import { describe, expect, test } from 'vitest';
import { listFiles, readText } from './source-files.ts';

/** Every expression that is printed unescaped, by file. A comment must say why it is safe. */
const PRINTED: Record<string, string[]> = {
  // Escaped by the search, with <mark> around the hits.
  'src/components/article/ArticleCard.astro': ['article.highlight.title', 'article.highlight.content'],
  // The article's sanitized HTML.
  'src/components/article/ArticleBody.astro': ['piece'],
  // JSON-LD with escaped `<`.
  'src/components/PageMeta.astro': ['data'],
  // Inline scripts, which are constants.
  'src/layouts/Shell.astro': ['THEME_SCRIPT'],
  // A comment's sanitized HTML.
  'src/islands/ui/CommentText.tsx': ['html'],
  // The project's own icons.
  'src/islands/ui/Icon.tsx': ['shapes'],
  // The preview's sanitized HTML.
  'src/islands/editor/preview/preview-pieces.ts': ['html'],
};
const RAW =
  /set:html=\{([^}]*)\}|dangerouslySetInnerHTML=\{\{ __html: ([^}]*) \}\}|(?:inner|outer)HTML \+?= ([^;]*);|insertAdjacentHTML\(([^)]*)\)/g;
const parts = listFiles('src').filter((path) =>
  /^src\/(components|islands|layouts|pages|lib\/stores)\//.test(path),
);

/** Unescaped expressions of a file, in order. */
const rawIn = (text: string) => [...text.matchAll(RAW)].map((match) => match.slice(1).find(Boolean) ?? '');

describe('unescaped markup', () => {
  test('only output of the sanitiser, the search or this project is printed unescaped', () => {
    const found = parts.map((path) => [path, rawIn(readText(path))] as const);
    expect(Object.fromEntries(found.filter(([, raw]) => raw.length > 0))).toEqual(PRINTED);
  });

  test('no part of a page is built as a string', () => {
    const element = /(['"`])\s*<[a-z]+[\s>/]/;
    const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
    const found = parts.filter((path) => element.test(withoutComments(readText(path))));
    expect(found).toEqual([]);
  });

  test('unescaped output is detected', () => {
    expect(rawIn('<p set:html={name} /><i dangerouslySetInnerHTML={{ __html: a.b }} />')).toEqual([
      'name',
      'a.b',
    ]);
    expect(rawIn('place.innerHTML = text; place.insertAdjacentHTML("beforeend", text)')).toHaveLength(2);
  });
});

test('pages, mails and commands address people with 你 alone', () => {
  // Names of emoji are Unicode's.
  const texts = [...listFiles('src'), ...listFiles('tools')].filter((path) => !path.endsWith('.json'));
  expect(texts.filter((path) => readText(path).includes('您'))).toEqual([]);
});
