const SVG = 'http://www.w3.org/2000/svg';

/**
 * Converts diagrams in place to what 公众号 keeps: the picture without its source, with each arrowhead
 * drawn at the end of its line, because 公众号 removes the ids of markers.
 */
export function plainDiagrams(root: Element): void {
  for (const figure of root.querySelectorAll('.diagram')) {
    const svg = figure.querySelector('svg');
    if (!svg) continue;
    drawHeads(svg);
    for (const ground of svg.querySelectorAll('.diagram-ground')) ground.setAttribute('fill', '#ffffff');
    figure.replaceChildren(svg);
  }
}

interface Point {
  x: number;
  y: number;
}

function drawHeads(svg: SVGSVGElement): void {
  for (const line of svg.querySelectorAll('line, polyline')) {
    const points = pointsOf(line);
    const [first, second] = points;
    const [last, before] = [points.at(-1), points.at(-2)];
    if (!first || !second || !last || !before) continue;
    const start = headOf(svg, line, 'marker-start', first, { from: first, to: second });
    const end = headOf(svg, line, 'marker-end', last, { from: before, to: last });
    line.after(...[start, end].filter((head) => head !== null));
  }
  // The rest are markers of other shapes.
  for (const name of ['marker-end', 'marker-start'])
    for (const line of svg.querySelectorAll(`[${name}]`)) line.removeAttribute(name);
  for (const defs of svg.querySelectorAll('defs')) defs.remove();
}

function pointsOf(line: Element): Point[] {
  const number = (name: string) => Number(line.getAttribute(name) ?? 0);
  if (line.localName === 'line')
    return [
      { x: number('x1'), y: number('y1') },
      { x: number('x2'), y: number('y2') },
    ];
  const pairs = (line.getAttribute('points') ?? '').trim().split(/\s+/);
  return pairs.map((pair) => {
    const [x = 0, y = 0] = pair.split(',').map(Number);
    return { x, y };
  });
}

/** Draws the marker of a line at `at`, rotated along the line as SVG defines; null if it has no marker. */
function headOf(
  svg: Element,
  line: Element,
  place: 'marker-start' | 'marker-end',
  at: Point,
  { from, to }: { from: Point; to: Point },
): Element | null {
  const id = /^url\(#(.+)\)$/.exec(line.getAttribute(place) ?? '')?.[1];
  const marker = id === undefined ? null : svg.querySelector(`marker[id="${CSS.escape(id)}"]`);
  if (!marker) return null;
  const isReversed = place === 'marker-start' && marker.getAttribute('orient') === 'auto-start-reverse';
  const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI + (isReversed ? 180 : 0);
  const [scale, refX, refY] = [line.getAttribute('stroke-width') ?? '1', ...refOf(marker)];
  const head = document.createElementNS(SVG, 'g');
  head.setAttribute(
    'transform',
    `translate(${at.x} ${at.y}) rotate(${angle.toFixed(1)}) scale(${scale}) translate(-${refX} -${refY})`,
  );
  head.append(...Array.from(marker.children, (child) => child.cloneNode(true)));
  return head;
}

const refOf = (marker: Element): [string, string] => [
  marker.getAttribute('refX') ?? '0',
  marker.getAttribute('refY') ?? '0',
];
