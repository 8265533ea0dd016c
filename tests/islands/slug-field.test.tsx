import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SlugField } from '../../src/islands/editor/settings/SlugField.tsx';

const TOO_LONG = '地址不能超过 100 个字符';
const NO_SLUG = '地址只能用小写字母、数字、汉字，中间可以有 - _ .，不能以它们开头或结尾';

/** The problem that the field shows; null for none. */
function problemOf(slug: string, error?: string): string | null {
  const field = { slug, title: '标题', articleId: null, error, onChange: () => undefined };
  const html = renderToStaticMarkup(<SlugField {...field} />);
  expect(html).toContain('aria-describedby');
  const [, problem = ''] = /role="alert"[^>]*>([^<]*)</.exec(html) ?? [];
  expect(html).toContain(`aria-invalid="${problem !== ''}"`);
  return problem === '' ? null : problem;
}

test.for([
  ['', null],
  ['hello-world', null],
  ['Hello', null],
  ['你好.世界_2', null],
  ['字'.repeat(100), null],
  ['a/b', NO_SLUG],
  ['..', NO_SLUG],
  ['-a', NO_SLUG],
  ['🌸', NO_SLUG],
  ['字'.repeat(101), TOO_LONG],
] as const)('the slug %j has the problem %j', ([slug, problem]) => {
  expect(problemOf(slug)).toBe(problem);
});

test('the server’s refusal is shown, unless the text itself is no slug', () => {
  expect(problemOf('taken', '这个地址已经有别的文章用了')).toBe('这个地址已经有别的文章用了');
  expect(problemOf('a/b', '这个地址已经有别的文章用了')).toBe(NO_SLUG);
});
