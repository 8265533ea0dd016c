/**
 * Wakes the islands of a page, each when its `data-waking` says (island.ts). Part of every page (DESIGN.md §5), so written small:
 * what can wait for the renderer is there, renderer/client.tsx.
 */

import { NOT_LOADED_ID, THREAD_PREFIX } from '../components/ids.ts?page';

/** How long code may take to arrive, DESIGN.md §4. */
const CHUNK_MS = 120_000;

/** An island's element: the last event of each kind on it, for the renderer to do again. */
export type Sleeping = HTMLElement & { heard: Record<string, Event> };

type Show = (island: Sleeping, component: unknown) => Promise<void>;

for (const island of document.querySelectorAll<Sleeping>('[data-island]')) {
  const { island: modules, waking } = island.dataset as { island: string; waking?: string };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let note: HTMLElement | undefined;
  // A module that is on its way forever, or has failed, has to be asked for under another address.
  let again = '';

  const start = () => {
    if (timer) return;
    timer = setTimeout(fail, CHUNK_MS);
    const parts = modules.split(' ').map((address) => import(/* @vite-ignore */ address + again) as unknown);
    void (Promise.all(parts) as Promise<[{ default: unknown }, { default: Show }]>)
      .then(([{ default: component }, { default: show }]) => show(island, component))
      .catch((fault: unknown) => {
        // Once by itself, for a network that was away for a moment.
        if (!again) return setTimeout(retry, 1000);
        console.error(fault);
        return fail();
      })
      .then(() => clearTimeout(timer));
  };
  const fail = () => {
    const { content } = document.getElementById(NOT_LOADED_ID) as HTMLTemplateElement;
    note ??= (content.firstElementChild as HTMLElement).cloneNode(true) as HTMLElement;
    note.addEventListener('click', retry);
    island.after(note);
  };
  const retry = () => {
    note?.remove();
    again += '?';
    timer = undefined;
    start();
  };

  island.heard = {};
  for (const type of ['pointerover', 'pointerdown', 'focusin', 'click'])
    island.addEventListener(type, (event) => {
      island.heard[type] = event;
      start();
    });
  if (waking === 'now') start();
  else if ('user' in document.documentElement.dataset) (window.requestIdleCallback ?? setTimeout)(start);
  if (waking === 'near') {
    if (location.hash.startsWith(`#${THREAD_PREFIX}`)) start();
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) start();
      },
      { rootMargin: '100%' },
    );
    // The island has no box of its own.
    for (const part of island.children) watcher.observe(part);
  }
}
