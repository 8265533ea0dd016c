import type { ClientDirective } from 'astro';

/**
 * Moment at which an island hydrates, the value of `client:when`:
 * - `load`: immediately, for pages that are useless without it
 * - `a touch`: on the first pointer, focus or click event in it; if signed in, also soon after page load
 * - `comment`: like `a touch`, and immediately if the URL points to a comment
 * - `.zoom, .copy-button`: like `a touch`, and also for matching elements outside of the island
 */
export type When = 'load' | 'a touch' | 'comment' | '.zoom, .copy-button';

export interface Waiting extends HTMLElement {
  /** Last button or picture link clicked before the island was hydrated; see do-again.ts. */
  pressed?: HTMLElement | null;
}

/** Timeout for loading code (docs/pages.md). */
const CHUNK_TIMEOUT_MS = 120_000;

/**
 * The directive `client:when`. If the code has not loaded within 120 s, or fails to load, the island offers a
 * retry. It is inlined into every page with an island (docs/pages.md) and therefore kept small; do-again.ts
 * does what can wait for the island's code.
 */
const hydrateWhen: ClientDirective = (load, { value: when }, island: Waiting) => {
  /** 0 after loading has failed. */
  let timer: ReturnType<typeof setTimeout> | 0 | undefined;
  /** Astro removes the attribute once React manages the component. */
  const isWaiting = () => island.hasAttribute('ssr');

  const start = () => {
    timer = setTimeout(check, CHUNK_TIMEOUT_MS);
    void load()
      .then((hydrate) => hydrate())
      .then(check);
  };
  const check = () => {
    clearTimeout(timer);
    if (!isWaiting()) return;
    timer = 0;
    // A module whose request never ends has to be requested under another URL. The attribute shows
    // ui/NotLoaded.tsx.
    island.setAttribute('component-url', `${island.getAttribute('component-url')}?`);
  };

  for (const type of ['focusin', 'pointerover', 'click'])
    (island.parentElement as Element).addEventListener(type, (event) => {
      const target = event.target as Element;
      // `load`, `a touch` and `comment` are valid selectors that match nothing.
      if (!island.contains(target) && !target.closest(when)) return;
      if (timer === undefined) start();
      if (type !== 'click') return;
      // The browser follows other links itself. The component submits forms.
      if (isWaiting() && (island.pressed = target.closest(`button,${when}`))) event.preventDefault();
      if (!timer) start();
    });
  // Fragments contain no spaces, so `a touch` never matches.
  if (when === 'load' || location.hash.includes(when) || 'user' in document.documentElement.dataset)
    setTimeout(start);
};
export default hydrateWhen;
