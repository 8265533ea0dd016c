import type { LinedPane } from './writing.ts';

/**
 * Lets source and preview scroll in step by source lines: the one pointed at or typed in leads. Returns its
 * end.
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
  // Blocks of the preview get their true heights when they come into sight.
  const laidOut = new ResizeObserver(() => leader === one && follow(one, other));
  if (other.element.firstElementChild) laidOut.observe(other.element.firstElementChild);
  return () => {
    stop.abort();
    laidOut.disconnect();
  };
}

/** Scrolls `follower` to the line at the top of `leader`; both ends meet. */
export function follow(leader: LinedPane, follower: LinedPane): void {
  const [from, to] = [leader.scroller, follower.scroller];
  if (!from || !to) return;
  const room = from.scrollHeight - from.clientHeight;
  if (from.scrollTop <= 0) return to.scrollTo({ top: 0 });
  if (from.scrollTop >= room - 1) return to.scrollTo({ top: to.scrollHeight });
  const line = leader.lineAt(from.getBoundingClientRect().top);
  to.scrollBy({ top: follower.heightOf(line) - to.getBoundingClientRect().top });
}

/** A group of elements of a preview, and the source lines at which some of them begin. Never empty. */
export interface AnchorGroup {
  readonly element: Element;
  readonly anchors: readonly { line: number; element: Element }[];
}

/** The groups that have lines; `lines` tells that of each element at the top, counted through all groups. */
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

/** Lines and heights of a preview in `root`, of whose groups one is measured: the others stay unlaid. */
export function linedPreview(
  scroller: HTMLElement,
  root: HTMLElement,
  groupsOf: () => readonly AnchorGroup[],
): LinedPane {
  const topOf = (element: Element) => element.getBoundingClientRect().top;
  const lineOf = ({ anchors }: AnchorGroup) => anchors[0]?.line ?? 1;

  /** What is known around the last group that does not begin after `value`. */
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

/** The index of the last item within; those within come first. -1 where there is none. */
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

/** Reads one measure off the other, along a straight line between neighbouring anchors. */
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
