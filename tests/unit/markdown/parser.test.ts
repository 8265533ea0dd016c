import type { Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { remarkParser } from '../../../src/lib/markdown/syntax/parser.ts';
import { walk } from '../../../src/lib/markdown/walk.ts';
import { randomFrom } from '../../trial.ts';

const usual = unified().use(remarkParse).use(remarkGfm).freeze();
const ours = unified().use(remarkParser).use(remarkGfm).freeze();

const PIECES =
  '|,-,:, ,\n,\n,a,字,> ,* ,- ,1. ,\t,`,| a | b |\n,|---|---|\n,--- | ---\n,:-:|-:\n,\r\n,\r,x@y.com,a@,@b,mailto:a@b.c,' +
  'xmpp:a@b.c/d,www.a.com,http://a.b/c@d.e,\\,# ,```\n,~,**,[^1],[^1]: ,    ,<b>,[a]: b\n';
const TEXTS = 1_500;

/** Texts of random pieces of syntax, the same in every run. */
function* randomTexts(): Generator<string> {
  const pieces = PIECES.split(',');
  const random = randomFrom(1);
  const next = (limit: number) => Math.floor(random() * limit);
  for (let count = 0; count < TEXTS; count++)
    yield Array.from({ length: 3 + next(25) }, () => pieces[next(pieces.length)]).join('');
}

function countTypes(tree: Root, counts: Map<string, number>): void {
  walk<RootContent>(tree, ({ type }) => void counts.set(type, (counts.get(type) ?? 0) + 1));
}

test('any text is parsed to the same tree as by remark-parse', () => {
  const counts = new Map<string, number>();
  for (const text of randomTexts()) {
    const tree = ours.parse(text) as Root;
    expect(tree, JSON.stringify(text)).toEqual(usual.parse(text));
    countTypes(tree, counts);
  }
  expect(counts.get('table')).toBeGreaterThan(20);
  expect(counts.get('link')).toBeGreaterThan(100);
});

test.each([
  ['after a paragraph', '前文\n\n| a | b |\n| - | - |\n| 1 | 2 |'],
  ['below a line of text', '前文\n| a | b |\n| - | - |\n| 1 | 2 |\n后文'],
  ['in a quote', '> | a |\n> | - |\n> | 1 |\n>\n> 后文'],
  ['in a list', '- 项\n\n  | a |\n  | - |\n  | 1 |'],
  ['that begins a list item', '1. | a |\n   | - |\n   | 1 |'],
  ['without outer bars', 'a | b\n:-: | -\n1 | 2'],
  ['with CRLF', '| a |\r\n| - |\r\n| 1 |'],
  ['with old line ends', '| a |\r| - |\r| 1 |'],
  ['with rows without bars', '| a |\n| - |\n1\n2\n\n3'],
])('a table %s', (_, text) => {
  const tree = ours.parse(text) as Root;
  const counts = new Map<string, number>();
  countTypes(tree, counts);
  expect(counts.get('table')).toBe(1);
  expect(tree).toEqual(usual.parse(text));
});
