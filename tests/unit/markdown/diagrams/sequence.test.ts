import type { Element } from 'hast';
import { describe, expect, test } from 'vitest';
import { isElement, textOf } from '../../../../src/lib/markdown/elements.ts';
import { readDiagram } from '../../../../src/lib/markdown/diagrams/diagrams.ts';
import { drawSequence } from '../../../../src/lib/markdown/diagrams/sequence/draw-sequence.ts';
import { walk } from '../../../../src/lib/markdown/walk.ts';

function draw(...lines: string[]): Element | null {
  const source = readDiagram(['sequenceDiagram', ...lines].join('\n'));
  return source && 'sequence' in source ? drawSequence(source.sequence) : null;
}

const all = (svg: Element, tagName: string): Element[] => {
  const found: Element[] = [];
  walk(svg, (node) => void (isElement(node, tagName) && found.push(node)));
  return found;
};
const number = (node: Element, name: string) => Number(node.properties[name]);

/** Left and right end of a line of text, with narrow estimates of its characters. */
function endsOf(line: Element, text: Element): [left: number, right: number] {
  const size = number(text, 'fontSize');
  const characters = Array.from(textOf(line), (each) => (/[\u2e80-\uffef]/.test(each) ? 1 : 0.5));
  const width = size * characters.reduce((sum, each) => sum + each, 0);
  const x = number(line, 'x');
  return text.properties['textAnchor'] === 'start' ? [x, x + width] : [x - width / 2, x + width / 2];
}

/** x of the lifelines, from left to right. */
const lifelines = (svg: Element): number[] =>
  all(svg, 'line')
    .filter((line) => line.properties['x1'] === line.properties['x2'])
    .map((line) => number(line, 'x1'))
    .toSorted((a, b) => a - b);

/** The lines of all texts that contain `words`, as ranges. */
const rangesOf = (svg: Element, words: string) =>
  all(svg, 'text')
    .filter((text) => textOf(text).includes(words))
    .flatMap((text) => all(text, 'tspan').map((line) => endsOf(line, text)));

const URL = 'POST /api/page/limitpagelist?type=create_user&content=%E6%9E%97&page=1&pageSize=999';
const LONG = '一段很长很长的说明，写的是为什么要在这里等待，以及等到了以后还要做哪些事情，最后怎样结束';

describe('the lifelines of a sequence diagram leave room for', () => {
  test.each([
    ['a message', [`A->>B: ${URL}`, 'B-->>A: ok'], URL.slice(0, 9), 0],
    ['a message back', ['A->>B: hi', `B-->>A: ${LONG}`], LONG.slice(0, 4), 0],
    ['a message over another lifeline', ['A->>B: 1', 'B->>C: 2', `A->>C: ${URL}`], 'POST', 0],
    ['a message to itself', ['A->>B: 1', `A->>A: ${URL}`], 'POST', 0],
    ['a note on the right', ['A->>B: 1', `Note right of A: ${LONG}`], '一段', 0],
    ['a note on the left', ['A->>B: 1', `Note left of B: ${LONG}`], '一段', 0],
  ])('%s', (_, lines, words, from) => {
    const svg = draw(...lines);
    if (!svg) throw new Error('not drawn');
    const places = lifelines(svg);
    const to = lines.some((line) => line.startsWith('A->>C')) ? 2 : 1;
    const ranges = rangesOf(svg, words);
    expect(ranges.length).toBeGreaterThan(0);
    for (const [left, right] of ranges) {
      expect(left).toBeGreaterThan(places[from] ?? NaN);
      expect(right).toBeLessThan(places[to] ?? NaN);
    }
  });

  test('each name, above its lifeline and apart from the others', () => {
    const svg = draw(
      'participant A as 一个名字很长很长的服务',
      'participant B as AnotherVeryLongServiceName',
      'A->>B: x',
    );
    if (!svg) throw new Error('not drawn');
    const boxes = all(svg, 'rect').map((box) => [number(box, 'x'), number(box, 'x') + number(box, 'width')]);
    expect(boxes).toHaveLength(2);
    expect(boxes[0]?.[1]).toBeLessThan(boxes[1]?.[0] ?? NaN);
  });
});

test('long labels have lines of about the same width', () => {
  const svg = draw(`A->>B: ${LONG.slice(0, 27)}`, `B->>A: ${URL}`);
  if (!svg) throw new Error('not drawn');
  for (const words of ['一段', 'POST']) {
    const widths = rangesOf(svg, words).map(([left, right]) => right - left);
    expect(widths.length).toBeGreaterThan(1);
    expect(Math.min(...widths)).toBeGreaterThan(Math.max(...widths) / 2);
  }
});

test('labels of blocks lie above lifelines and activations', () => {
  const svg = draw(
    'A->>+B: 1',
    'loop 每一页',
    'alt 找到',
    'B->>C: 2',
    'else 没有找到',
    'B->>C: 3',
    'end',
    'end',
  );
  if (!svg) throw new Error('not drawn');
  const covers = svg.children.flatMap((child, index) =>
    isElement(child, 'rect') && child.properties['className'] !== undefined ? [{ index, child }] : [],
  );
  const bar = covers.find(({ child }) => number(child, 'width') === 10);
  const tabs = covers.filter(({ child }) => number(child, 'height') === 19);
  expect(tabs).toHaveLength(2);
  for (const { index } of tabs) expect(index).toBeGreaterThan(bar?.index ?? NaN);
  expect(all(svg, 'text').find((text) => textOf(text) === '没有找到')?.properties['className']).toEqual([
    'diagram-over',
  ]);
});

describe('a sequence diagram keeps', () => {
  const SOURCE = [
    'autonumber',
    'actor U as 用户<br/>浏览器',
    'participant A as 前端 #quot;app#quot;',
    'Note over A: 第一条消息之前',
    'Note over U,A: 跨两个',
    `U->>+A: ${URL}`,
    `A->>A: ${LONG}`,
    'loop 每 10 秒 [最多 3 次]',
    'alt 成功',
    'A-)U: async',
    'else 没有成功，因为等得太久而对方一直没有回应任何消息',
    'A--xU: lost',
    'end',
    'end',
    'critical 必须完成',
    'U->A: no head',
    'option 超时',
    'U-->A: dashed',
    'end',
    'A-->>-U: 200 OK',
    'activate U',
    'deactivate U',
    `Note left of U: ${LONG}`,
    `Note right of A: ${URL}`,
  ];
  const WORDS = [
    '用户', '浏览器', '前端"app"', '第一条消息之前', '跨两个', `1.${URL}`, `2.${LONG}`, 'loop每10秒[最多3次]', 'alt成功',
    '3.async', '没有成功，因为等得太久而对方一直没有回应任何消息', '4.lost', 'critical必须完成', '5.nohead', '超时', '6.dashed',
    '7.200OK', LONG, URL,
  ]; // prettier-ignore

  test('every word, inside of the picture', () => {
    const svg = draw(...SOURCE);
    if (!svg) throw new Error('not drawn');
    const drawn = textOf(svg).replace(/\s/g, '');
    for (const words of WORDS) expect(drawn).toContain(words.replace(/\s/g, ''));
    const [left = 0, top = 0, width = 0, height = 0] = String(svg.properties['viewBox'])
      .split(' ')
      .map(Number);
    for (const text of all(svg, 'text')) {
      for (const line of all(text, 'tspan')) {
        const [from, to] = endsOf(line, text);
        expect([textOf(line), from >= left, to <= left + width]).toEqual([textOf(line), true, true]);
        expect(number(line, 'y')).toBeGreaterThan(top);
        expect(number(line, 'y')).toBeLessThan(top + height);
      }
    }
  });

  test('text as text, whatever it looks like', () => {
    const svg = draw('A->>B: <b>x</b> & "y" <script>alert(1)</script>', 'Note over A: a<br>b<br/>c');
    expect(svg && textOf(svg)).toContain('<b>x</b> & "y" <script>alert(1)</script>');
    expect(svg && all(svg, 'script')).toEqual([]);
    expect(svg && all(svg, 'text').some((text) => all(text, 'tspan').length === 3)).toBe(true);
  });
});

test.each([
  ['a box around names', ['box 组', 'participant A', 'end', 'A->>B: 1']],
  ['a background', ['rect rgb(1, 2, 3)', 'A->>B: 1', 'end']],
  ['a name that is created later', ['A->>B: 1', 'create participant C', 'B->>C: 2']],
  ['arrows in both directions', ['A<<->>B: 1']],
  ['a title', ['title 标题', 'A->>B: 1']],
  ['a link', ['A->>B: 1', 'link A: 文档 @ https://a.example']],
  ['a message without a colon', ['A->>B']],
  ['an end too many', ['A->>B: 1', 'end']],
  ['an end too few', ['loop x', 'A->>B: 1']],
  ['an else outside of a block', ['A->>B: 1', 'else x']],
  ['an activation that ends before it begins', ['A->>B: 1', 'deactivate B']],
  ['a word that is no statement', ['A->>B: 1', '随便写写']],
  ['nothing', []],
])('a sequence diagram with %s stays code', (_, lines) => {
  expect(draw(...lines)).toBeNull();
});
