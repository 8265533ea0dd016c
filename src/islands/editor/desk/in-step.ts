import type { LinedPane } from '../writing/writing.ts';

/**
 * Synchronizes scrolling of source and preview by source line. The pane with the last pointer or key event
 * leads. Returns a function that stops it.
 */
export function scrollInStep(one: LinedPane, other: LinedPane): () => void {
  let leader: LinedPane | undefined;
  const stop = new AbortController();
  const listen = (pane: LinedPane, follower: LinedPane) => {
    const options = { signal: stop.signal, passive: true, capture: true } as const;
    const lead = () => (leader = pane);
    for (const event of ['pointerenter', 'pointerdown', 'wheel', 'touchstart', 'keydown', 'focusin']) {
      pane.element.addEventListener(event, lead, options);
    }
    pane.element.addEventListener('scroll', () => leader === pane && follow(pane, follower), options);
  };
  listen(one, other);
  listen(other, one);
  // Blocks of the preview get their final height only when they become visible.
  const laidOut = new ResizeObserver(() => leader === one && follow(one, other));
  if (other.element.firstElementChild) laidOut.observe(other.element.firstElementChild);
  return () => {
    stop.abort();
    laidOut.disconnect();
  };
}

/**
 * Scrolls `follower` to the line at the top of `leader`. If `leader` is at its start or end, so is
 * `follower`.
 */
function follow(leader: LinedPane, follower: LinedPane): void {
  const [from, to] = [leader.scroller, follower.scroller];
  if (!from || !to) return;
  const room = from.scrollHeight - from.clientHeight;
  if (from.scrollTop <= 0) return to.scrollTo({ top: 0 });
  if (from.scrollTop >= room - 1) return to.scrollTo({ top: to.scrollHeight });
  const line = leader.lineAt(from.getBoundingClientRect().top);
  to.scrollBy({ top: follower.heightOf(line) - to.getBoundingClientRect().top });
}

/** Group of preview elements, and the source lines at which some of them start. `anchors` is never empty. */
export interface AnchorGroup {
  readonly element: Element;
  readonly anchors: readonly { line: number; element: Element }[];
}

/**
 * Returns the groups that have anchors. `lines` holds the source line of each top-level element, across all
 * groups.
 */
export function anchorsOf(
  groups: readonly { group: Element; elements: readonly Element[] }[],
  lines: readonly (number | null)[],
): AnchorGroup[] {
  let before = 0;
  return groups.flatMap(({ group, elements }) => {
    const first = before;
    before += elements.length;
    const anchors = elements.flatMap((element, index) => {
      const line = lines[first + index];
      return line === null || line === undefined ? [] : [{ line, element }];
    });
    return anchors.length > 0 ? [{ element: group, anchors }] : [];
  });
}

/**
 * Maps between source lines and heights in a preview. Measures only one group, so the others need no layout.
 */
export function linedPreview(
  scroller: HTMLElement,
  root: HTMLElement,
  groupsOf: () => readonly AnchorGroup[],
): LinedPane {
  const topOf = (element: Element) => element.getBoundingClientRect().top;
  const lineOf = ({ anchors }: AnchorGroup) => anchors[0]?.line ?? 1;

  /**
   * Returns the anchors of the last group that starts at or before `value`, and the start of the next one.
   */
  function anchorsAt(value: number, measure: (group: AnchorGroup) => number): Anchor[] {
    const groups = groupsOf();
    const at = Math.max(
      lastWithin(groups, (group) => measure(group) <= value),
      0,
    );
    const [group, next] = [groups[at], groups[at + 1]];
    const found = group?.anchors.map(({ line, element }) => ({ line, top: topOf(element) })) ?? [];
    const end = next
      ? { line: lineOf(next), top: topOf(next.element) }
      : { line: (found.at(-1)?.line ?? 1) + 1, top: root.getBoundingClientRect().bottom };
    return [...found, end];
  }

  return {
    element: scroller,
    get scroller() {
      return scroller.scrollHeight > scroller.clientHeight + 1 ? scroller : null;
    },
    lineAt: (edge) =>
      interpolate(
        anchorsAt(edge, ({ element }) => topOf(element)),
        'top',
        'line',
        edge,
      ),
    heightOf: (line) => interpolate(anchorsAt(line, lineOf), 'line', 'top', line),
  };
}

/**
 * Returns the index of the last item that satisfies `isWithin`, or -1. Such items must precede all others.
 */
function lastWithin<T>(items: readonly T[], isWithin: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && isWithin(item)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

type Anchor = { line: number; top: number };

export function interpolate(
  anchors: readonly Anchor[],
  from: keyof Anchor,
  to: keyof Anchor,
  value: number,
): number {
  const next = anchors.findIndex((anchor) => anchor[from] > value);
  const [a, b] = next < 0 ? [anchors.at(-1), undefined] : [anchors[next - 1], anchors[next]];
  if (!a) return b?.[to] ?? 0;
  if (!b || b[from] === a[from]) return a[to];
  return a[to] + ((value - a[from]) / (b[from] - a[from])) * (b[to] - a[to]);
}
