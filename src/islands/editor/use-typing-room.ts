import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { Writing } from './writing.ts';

/** What of the window is seen, in CSS pixels, as `visualViewport` tells: a keyboard may cover the rest. */
export type Seen = Pick<VisualViewport, 'height' | 'offsetTop' | 'scale'>;

/** Phones that are not turned are higher, without a keyboard. */
const LOW = 640;

/**
 * Whether a window has room for the text and its tools alone. Height decides and not whether a keyboard is
 * open: iOS covers the window, Android and web views make it lower, a turned phone is low without one.
 */
export const isLow = ({ height, scale }: Seen): boolean => height * scale < LOW;

/**
 * What covers the text while it is written in a low window.
 * @param windowHeight of what fixed elements are placed in, which iOS keeps behind its keyboard
 * @param toolsHeight of the tools that stand on the keyboard
 * @returns heights from the top and from the bottom of that window
 */
export const coverWhileTyping = (seen: Seen, windowHeight: number, toolsHeight: number) => ({
  top: seen.offsetTop,
  bottom: Math.max(0, windowHeight - seen.offsetTop - seen.height) + toolsHeight,
});

/**
 * Whether the text is being written in a low window. While it is, `desk` carries `--seen-height` and
 * `--seen-bottom`, what is seen of the window and where that ends, for styles/editor.css; the text begins at
 * the top when it starts, and the caret stays in sight whenever the height changes.
 */
export function useTypingRoom(desk: RefObject<HTMLElement | null>, writing: Writing | null): boolean {
  const [isTyping, setTyping] = useState(false);
  useEffect(() => {
    const [viewport, root] = [visualViewport, desk.current];
    if (!viewport || !root || !writing) return undefined;
    const look = (focused: EventTarget | null) => {
      setTyping(isLow(viewport) && focused instanceof Node && writing.element.contains(focused));
      root.style.setProperty('--seen-height', `${viewport.height}px`);
      root.style.setProperty('--seen-bottom', `${viewport.offsetTop + viewport.height}px`);
    };
    const stop = new AbortController();
    const { signal } = stop;
    for (const type of ['resize', 'scroll'])
      viewport.addEventListener(type, () => look(document.activeElement), { signal });
    root.addEventListener('focusin', ({ target }) => look(target), { signal });
    root.addEventListener('focusout', ({ relatedTarget }) => look(relatedTarget), { signal });
    look(document.activeElement);
    return () => stop.abort();
  }, [desk, writing]);

  const reveal = useEffectEvent(() => writing?.reveal());
  useEffect(() => {
    if (!isTyping) return undefined;
    // After the press that began it, which chooses its place in the text.
    const frame = requestAnimationFrame(() => {
      const top = writing?.element.getBoundingClientRect().top ?? 0;
      if (top > 0) writing?.element.scrollIntoView({ block: 'start', behavior: 'instant' });
      reveal();
    });
    const again = () => reveal();
    visualViewport?.addEventListener('resize', again);
    return () => {
      cancelAnimationFrame(frame);
      visualViewport?.removeEventListener('resize', again);
    };
  }, [isTyping, writing]);
  return isTyping;
}
