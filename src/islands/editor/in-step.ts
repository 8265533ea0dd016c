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

/** Lines and heights of a preview in `root`; `linesOf` tells the line each of its elements begins at. */
export function linedPreview(
  scroller: HTMLElement,
  root: HTMLElement,
  linesOf: () => readonly (number | null)[],
): LinedPane {
  const anchors = () => {
    const lines = linesOf();
    const found = [...root.children].flatMap((element, index) => {
      const line = lines[index];
      return line === null || line === undefined ? [] : [{ line, top: element.getBoundingClientRect().top }];
    });
    const last = found.at(-1);
    const end = { line: (last?.line ?? 1) + 1, top: root.getBoundingClientRect().bottom };
    return [...found, end];
  };
  return {
    element: scroller,
    get scroller() {
      return scroller.scrollHeight > scroller.clientHeight + 1 ? scroller : null;
    },
    lineAt: (edge) => interpolate(anchors(), 'top', 'line', edge),
    heightOf: (line) => interpolate(anchors(), 'line', 'top', line),
  };
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
