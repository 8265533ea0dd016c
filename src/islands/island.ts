import type { ComponentProps } from 'react';
import addresses from 'virtual:islands';
import { RENDERER, type IslandName, type Islands } from './islands.ts';

/**
 * When an island loads.
 * - not said: at the first pointer, touch, focus (before any key) or click on it; for a signed-in reader also when the page is idle
 * - `near`: besides, when it comes within a screen of the viewport, or the page's address points at a comment
 * - `now`: at once, for pages that are nothing without it
 */
export type Waking = 'near' | 'now';

/**
 * Attributes of the element an island lives in: `<div {...island('editor/Editor', { id }, 'now')}>`. What the element holds stands
 * there until the island wakes (wake.ts).
 * @param props of the component, what JSON can say
 */
export function island<N extends IslandName>(
  name: N,
  props: Omit<ComponentProps<Islands[N]>, 'fallback'>,
  waking?: Waking,
): Record<string, string | undefined> {
  return {
    'data-island': `${addresses[name]} ${addresses[RENDERER]}`,
    'data-props': JSON.stringify(props),
    'data-waking': waking,
  };
}
