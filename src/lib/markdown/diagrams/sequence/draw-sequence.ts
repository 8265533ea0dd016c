import type { Element, ElementContent } from 'hast';
import { element } from '../../elements.ts';
import { noteWidth, placeColumns, SEQUENCE, type Column, type Placed } from './columns.ts';
import type { Label } from './label.ts';
import type { Sequence, SequenceEvent } from './read-sequence.ts';

const LINE_PX = 15;
const MARGIN_PX = 10;
const HEAD_PX = 22;
/** Room below the label of a block or of a part of it. */
const BAND_PX = 9;
const BAR_PX = 10;

type Message = Extract<SequenceEvent, { kind: 'message' }>;
type Note = Extract<SequenceEvent, { kind: 'note' }>;

type Looks = Record<string, string | number | string[]>;

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Makes an element; numbers are rounded to hundredths. */
function shape(tagName: string, looks: Looks, children: ElementContent[] = []): Element {
  const properties = Object.entries(looks).map(
    ([name, value]) => [name, typeof value === 'number' ? rounded(value) : value] as const,
  );
  return element(tagName, Object.fromEntries(properties), children);
}

const ink = (name: 'fill' | 'stroke', opacity: number): Looks => ({
  [name]: 'currentColor',
  ...(opacity < 1 ? { [`${name}Opacity`]: opacity } : {}),
});
const LINE = { ...ink('stroke', 0.55), strokeWidth: 1 };
const EDGE = { ...ink('stroke', 0.4), strokeWidth: 1 };
const GROUND = { fill: 'none', className: ['diagram-ground'] };
/** Keeps a text legible over the lifelines and bars that it crosses. */
const OVER = { className: ['diagram-over'] };
const DASHED = { strokeDashArray: '6 4' };
/** Draws a box that covers what is behind it. */
const plate = (box: Looks): Element[] => [
  shape('rect', { ...box, ...EDGE, ...GROUND }),
  shape('rect', { ...box, ...EDGE, ...ink('fill', 0.06) }),
];

/**
 * Draws a sequence diagram as SVG in the text colour. beautiful-mermaid places lifelines 140 px apart however
 * long the labels are, and leaves out notes before the first message.
 */
export function drawSequence(sequence: Sequence): Element {
  const { columns, placed } = placeColumns(sequence);
  const layers: Record<'blocks' | 'bars' | 'tabs' | 'front', ElementContent[]> = {
    blocks: [],
    bars: [],
    tabs: [],
    front: [],
  };
  const head = Math.max(...columns.map(heightOfName));
  const open: { top: number; left: number; right: number; label: Label; lines: [number, Label][] }[] = [];
  const bars = new Map<number, number[]>();
  let [left, right] = [0, 0];
  let y = MARGIN_PX + head + MARGIN_PX;
  /** Height of the last arrow, at which activations begin and end. */
  let last = y;

  const xOf = (index: number) => columns[index]?.x ?? 0;
  const reserve = (from: number, to: number) => {
    [left, right] = [Math.min(left, from), Math.max(right, to)];
    for (const block of open) {
      block.left = Math.min(block.left, from);
      block.right = Math.max(block.right, to);
    }
  };
  for (const { x, width } of columns) reserve(x - width / 2, x + width / 2);

  function drawMessage({ from, to, isDashed, head: sign }: Message, label: Label): void {
    const [start, end] = [xOf(from), xOf(to)];
    const looks = {
      ...LINE,
      ...(isDashed ? DASHED : {}),
      ...(sign === 'none' ? {} : { markerEnd: `url(#${sign})` }),
    };
    const height = label.lines.length * LINE_PX;
    if (from === to) {
      const { width, height: loop } = SEQUENCE.loop;
      const top = y + Math.max(0, (height - loop) / 2);
      const points = [
        [start, top],
        [start + width, top],
        [start + width, top + loop],
        [start, top + loop],
      ];
      layers.front.push(
        shape('polyline', {
          points: points.map((each) => each.map(rounded)).join(' '),
          fill: 'none',
          ...looks,
        }),
      );
      const x = start + width + SEQUENCE.pad / 2;
      layers.front.push(textAt(label, x, top + loop / 2, { textAnchor: 'start' }));
      reserve(start, x + label.width);
      last = top + loop;
      y = Math.max(last, top + (loop + height) / 2) + LINE_PX;
      return;
    }
    layers.front.push(textAt(label, (start + end) / 2, y + height / 2 - 2, OVER));
    last = y + height + 3;
    layers.front.push(shape('line', { x1: start, y1: last, x2: end, y2: last, ...looks }));
    reserve(Math.min(start, end) - BAR_PX, Math.max(start, end) + BAR_PX);
    y = last + LINE_PX;
  }

  function drawNote({ side, first, last: final }: Note, label: Label): void {
    const width = first < final ? xOf(final) - xOf(first) + 2 * SEQUENCE.reach : noteWidth(label);
    const middle = (xOf(first) + xOf(final)) / 2;
    const shift = side === 'over' ? 0 : (width / 2 + SEQUENCE.pad) * (side === 'left' ? -1 : 1);
    const height = label.lines.length * LINE_PX + SEQUENCE.pad;
    const from = middle + shift - width / 2;
    layers.front.push(...plate({ x: from, y, width, height }));
    layers.front.push(textAt(label, middle + shift, y + height / 2));
    reserve(from, from + width);
    y += height + SEQUENCE.pad;
  }

  function closeBlock(): void {
    const block = open.pop();
    if (!block) return;
    if (block.left > block.right) [block.left, block.right] = [xOf(0), xOf(columns.length - 1)];
    const from = block.left - SEQUENCE.pad;
    const to = Math.max(
      block.right + SEQUENCE.pad,
      ...[block.label, ...block.lines.map(([, each]) => each)].map(
        ({ width }) => from + width + 2 * SEQUENCE.pad,
      ),
    );
    const box = { x: from, y: block.top, width: to - from };
    const band = block.label.lines.length * LINE_PX + 4;
    layers.blocks.push(shape('rect', { ...box, height: y - block.top, fill: 'none', ...EDGE }));
    layers.tabs.push(...plate({ ...box, width: block.label.width + SEQUENCE.pad, height: band }));
    const start = { textAnchor: 'start' };
    layers.front.push(
      textAt(block.label, from + SEQUENCE.pad / 2, block.top + band / 2, { ...start, fontWeight: 600 }),
    );
    for (const [at, label] of block.lines) {
      layers.blocks.push(shape('line', { x1: from, y1: at, x2: to, y2: at, ...LINE, ...DASHED }));
      layers.front.push(
        textAt(label, from + SEQUENCE.pad / 2, at + (label.lines.length * LINE_PX) / 2 + 2, {
          ...start,
          ...OVER,
        }),
      );
    }
    reserve(from, to);
    y += SEQUENCE.pad;
  }

  function drawBar(person: number): void {
    const starts = bars.get(person) ?? [];
    const top = starts.pop() ?? last;
    const x = xOf(person) - BAR_PX / 2 + 4 * starts.length;
    layers.bars.push(...plate({ x, y: top, width: BAR_PX, height: Math.max(0, last - top) }));
  }

  function draw({ event, label }: Placed): void {
    const band = label.lines.length * LINE_PX + BAND_PX;
    switch (event.kind) {
      case 'message':
        return drawMessage(event, label);
      case 'note':
        return drawNote(event, label);
      case 'open':
        open.push({ top: y, left: Infinity, right: -Infinity, label, lines: [] });
        y += band;
        return undefined;
      case 'divide':
        open.at(-1)?.lines.push([y, label]);
        y += band;
        return undefined;
      case 'close':
        return closeBlock();
      case 'begin':
        return void bars.set(event.person, [...(bars.get(event.person) ?? []), last]);
      case 'end':
        return drawBar(event.person);
    }
  }

  for (const each of placed) draw(each);
  last = y;
  for (const [person, starts] of bars) while (starts.length > 0) drawBar(person);
  const lines = columns.map(({ x }) =>
    shape('line', { x1: x, y1: MARGIN_PX + head, x2: x, y2: y, ...LINE, strokeWidth: 0.8, ...DASHED }),
  );
  const width = Math.ceil(right - left + 2 * MARGIN_PX);
  const height = Math.ceil(y + MARGIN_PX);
  const viewBox = `${Math.floor(left - MARGIN_PX)} 0 ${width} ${height}`;
  const names = columns.flatMap((column) => drawName(column, head));
  const { blocks, bars: plates, tabs, front } = layers;
  const children = [DEFS, ...blocks, ...lines, ...plates, ...tabs, ...front, ...names];
  return shape('svg', { viewBox, width, height }, children);
}

const heightOfName = ({ name, isActor }: Column): number =>
  name.lines.length * 17 + (isActor ? HEAD_PX + 6 : 2 * SEQUENCE.pad);

/** Draws a name at the bottom of the head: in a box, or below a figure. */
function drawName(column: Column, head: number): ElementContent[] {
  const { name, width, isActor, x } = column;
  const height = heightOfName(column);
  const top = MARGIN_PX + head - height;
  const looks = { fillOpacity: 1, fontWeight: 500 };
  if (!isActor) {
    const box = { x: x - width / 2, y: top, width, height, rx: 4, ry: 4 };
    const words = textAt(name, x, top + height / 2, looks, SEQUENCE.name);
    return [shape('rect', { ...box, ...EDGE, ...ink('fill', 0.04) }), words];
  }
  return [
    shape('circle', { cx: x, cy: top + 6, r: 5, fill: 'none', ...LINE }),
    shape('path', { d: `M${x - 10},${top + HEAD_PX} a10,10 0 0 1 20,0 Z`, fill: 'none', ...LINE }),
    textAt(name, x, top + HEAD_PX + 3 + (name.lines.length * 17) / 2, looks, SEQUENCE.name),
  ];
}

/** Draws a label whose lines are centred around `y`. */
function textAt(
  label: Label,
  x: number,
  y: number,
  looks: Looks = {},
  size: number = SEQUENCE.text,
): Element {
  const step = size + 4;
  const first = y - ((label.lines.length - 1) * step) / 2 + size * 0.35;
  const lines = label.lines.map((line, index) =>
    shape('tspan', { x, y: first + index * step }, [{ type: 'text', value: line }]),
  );
  const properties = {
    fontSize: size,
    textAnchor: 'middle',
    ...ink('fill', 0.8),
    ...looks,
  };
  return shape('text', properties, lines);
}

const marker = (id: string, refX: number, children: ElementContent[]): Element =>
  shape(
    'marker',
    { id, markerWidth: 10, markerHeight: 8, refX, refY: 4, orient: 'auto-start-reverse' },
    children,
  );

const DEFS = shape('defs', {}, [
  marker('filled', 9, [shape('polygon', { points: '1 1, 9 4, 1 7', ...ink('fill', 0.85) })]),
  marker('open', 9, [
    shape('polyline', { points: '1 1, 9 4, 1 7', fill: 'none', ...ink('stroke', 0.85), strokeWidth: 1 }),
  ]),
  marker('cross', 8, [
    shape('path', { d: 'M2,1 L8,7 M8,1 L2,7', fill: 'none', ...ink('stroke', 0.85), strokeWidth: 1 }),
  ]),
]);
