import type { ClientDirective } from 'astro';

/**
 * When an island hydrates, the value of `client:when`.
 * - `load`: at once, for pages that are nothing without it
 * - `a touch`: at the first pointer, focus or click on it; for a signed-in reader also soon after the page
 * - `comment`: as `a touch`, and at once where the page's address points at a comment
 * - `.zoom, .copy-button`: as `a touch`, of what matches beside it too
 */
export type When = 'load' | 'a touch' | 'comment' | '.zoom, .copy-button';

export interface Waiting extends HTMLElement {
  /** Button, or link to a picture, pressed last before the island was hydrated; see do-again.ts. */
  pressed?: HTMLElement | null;
}

/** How long code may take to arrive, DESIGN.md §4. */
const CHUNK_MS = 120_000;

/**
 * The directive `client:when`. Where the code has not come in 120 s, or cannot be had, the island offers to
 * try again. Inlined into every page with an island (DESIGN.md §5), so written small: what can wait for the
 * island's code is in do-again.ts.
 */
const hydrateWhen: ClientDirective = (load, { value: when }, island: Waiting) => {
  /** 0 when the code did not come. */
  let timer: ReturnType<typeof setTimeout> | 0 | undefined;
  /** Astro takes the attribute away when the component has been handed to React. */
  const isWaiting = () => island.hasAttribute('ssr');

  const start = () => {
    timer = setTimeout(check, CHUNK_MS);
    void load()
      .then((hydrate) => hydrate())
      .then(check);
  };
  const check = () => {
    clearTimeout(timer);
    if (!isWaiting()) return;
    timer = 0;
    // A module that is on its way forever has to be asked for under another address. Shows ui/NotLoaded.tsx.
    island.setAttribute('component-url', `${island.getAttribute('component-url')}?`);
  };

  for (const type of ['focusin', 'pointerover', 'click'])
    (island.parentElement as Element).addEventListener(type, (event) => {
      const target = event.target as Element;
      // The other values are selectors that match nothing.
      if (!island.contains(target) && !target.closest(when)) return;
      if (timer === undefined) start();
      if (type !== 'click') return;
      // Other links are followed by the browser itself. A form is sent by its component.
      if (isWaiting() && (island.pressed = target.closest(`button,${when}`))) event.preventDefault();
      if (!timer) start();
    });
  // No fragment holds a space.
  if (when === 'load' || location.hash.includes(when) || 'user' in document.documentElement.dataset)
    setTimeout(start);
};
export default hydrateWhen;
