import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { Writing } from '../writing/writing.ts';

/** Visible part of the window in CSS pixels, as in `visualViewport`. A keyboard may cover the rest. */
export type Seen = Pick<VisualViewport, 'height' | 'offsetTop' | 'scale'>;

/** Height in CSS pixels; phones in portrait orientation without a keyboard are higher. */
const LOW_SCREEN_PIXELS = 640;

/**
 * Whether the window only has room for the text and its toolbar. This depends on height and not on an open
 * keyboard: iOS covers the window, Android and web views shrink it, and a phone in landscape orientation is
 * low even without a keyboard.
 */
export const isLow = ({ height, scale }: Seen): boolean => height * scale < LOW_SCREEN_PIXELS;

/**
 * Returns the heights covered at the top and the bottom while typing in a low window.
 * @param windowHeight height of the containing block of fixed elements, which on iOS extends behind the
 *   keyboard
 * @param toolsHeight height of the toolbar above the keyboard
 */
export const coverWhileTyping = (seen: Seen, windowHeight: number, toolsHeight: number) => ({
  top: seen.offsetTop,
  bottom: Math.max(0, windowHeight - seen.offsetTop - seen.height) + toolsHeight,
});

/**
 * Whether the text has focus in a low window. Sets `--seen-height` and `--seen-bottom`, the height and bottom
 * edge of the visible part, on `desk` for styles/editor.css. When typing starts, the text scrolls to the top;
 * when the height changes, the caret is scrolled into view.
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
    // Runs after the tap that gave focus has placed the caret.
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
