import type { ClientDirective } from 'astro';

/** How long code may take to arrive, DESIGN.md §4. */
const CHUNK_MS = 120_000;

/**
 * `client:wake`: when an island loads.
 * - no value: at the first pointer, touch, focus (before any key) or click on it; for a signed-in reader also when the page is idle
 * - `near`: besides, when it comes within a screen of the viewport, or the page's address points at a comment
 * - `now`: at once, for pages that are nothing without it
 *
 * Part of every page (DESIGN.md §5), so written small: what can wait for the renderer is there, src/islands/renderer/client.tsx.
 */
const wake: ClientDirective = (load, { value }, element) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let note: HTMLElement;
  // What happened to the island in its sleep, for the renderer to do again.
  const heard: Record<string, Event> = ((element as Sleeping).heard = {});

  const start = () => {
    if (timer) return;
    timer = setTimeout(fail, CHUNK_MS);
    void load().then((show) => {
      clearTimeout(timer);
      return show();
    });
  };
  const fail = () => {
    const { content } = document.getElementById('not-loaded') as HTMLTemplateElement;
    note ??= (content.firstElementChild as HTMLElement).cloneNode(true) as HTMLElement;
    note.addEventListener('click', retry);
    element.after(note);
  };
  const retry = () => {
    note.remove();
    // A module that is on its way forever, or has failed, has to be asked for under another address.
    for (const name of ['component-url', 'renderer-url'])
      element.setAttribute(name, `${element.getAttribute(name)}?`);
    timer = undefined;
    start();
  };

  element.addEventListener('astro:hydration-error', fail);
  for (const type of ['pointerover', 'pointerdown', 'focusin', 'click'])
    element.addEventListener(type, (event) => {
      heard[type] = event;
      start();
    });
  if (value === 'now') start();
  else if ('user' in document.documentElement.dataset) (window.requestIdleCallback ?? setTimeout)(start);
  if (value === 'near') {
    if (location.hash.match('#comment')) start();
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) start();
      },
      { rootMargin: '100%' },
    );
    // The island and its slot have no box of their own.
    for (const part of element.querySelectorAll('astro-slot > *')) watcher.observe(part);
  }
};

/** An island's element: the last event of each kind on it. */
export type Sleeping = HTMLElement & { heard?: Record<string, Event> };

export default wake;
