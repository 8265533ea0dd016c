import type { ClientDirective } from 'astro';
import { NOT_LOADED_ID, THREAD_PREFIX } from '../components/ids.ts';

/**
 * When an island hydrates, the value of `client:when`.
 * - `touch`: at the first pointer, touch, focus (before any key) or click on it; for a signed-in reader also
 *   when the page is idle
 * - `near`: besides, when it comes within a screen of the viewport, or the page's address points at a comment
 * - `load`: at once, for pages that are nothing without it
 */
export type When = 'touch' | 'near' | 'load';

/** How long code may take to arrive, DESIGN.md §4. */
const CHUNK_MS = 120_000;
const TOUCHES = ['pointerover', 'pointerdown', 'focusin', 'click'];

/**
 * The directive `client:when`. A click, a focus and a text from before hydration are done again after it.
 * Where the code has not come in 120 s, or cannot be had, a message offers to try again. Inlined into every
 * page with an island (DESIGN.md §5), so written small.
 */
const hydrateWhen: ClientDirective = (load, { value: when }, island) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let note: HTMLElement | undefined;
  let pressed: HTMLElement | null | undefined;
  let isComposing = false;
  /** Astro takes the attribute away when the component has been handed to React. */
  const isWaiting = () => island.hasAttribute('ssr');

  const start = () => {
    if (timer) return;
    timer = setTimeout(offerRetry, CHUNK_MS);
    void load().then(async (hydrate) => {
      if (isWaiting()) await hydrate();
      if (isWaiting()) offerRetry();
      else finish();
    });
  };
  const finish = () => {
    clearTimeout(timer);
    note?.remove();
    const focused = document.activeElement;
    if (island.contains(focused)) focused?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    // What an input method is composing is heard with its next character.
    if (!isComposing) island.querySelectorAll<Field>('input,textarea').forEach(typeAgain);
    pressed?.click();
  };
  const offerRetry = () => {
    const { content } = document.getElementById(NOT_LOADED_ID) as HTMLTemplateElement;
    if (!note) {
      note = content.firstElementChild?.cloneNode(true) as HTMLElement;
      note.addEventListener('click', retry);
    }
    island.after(note);
  };
  const retry = () => {
    note?.remove();
    timer = undefined;
    // A module that is on its way forever has to be asked for under another address.
    for (const name of ['component-url', 'renderer-url'])
      island.setAttribute(name, `${island.getAttribute(name)}?`);
    start();
  };

  for (const type of TOUCHES)
    island.addEventListener(type, (event) => {
      const button = (event.target as Element).closest('button');
      // Links are followed by the browser itself. A form is sent by its component.
      if (type === 'click' && button && isWaiting()) {
        event.preventDefault();
        pressed = button;
      }
      start();
    });
  for (const type of ['compositionstart', 'compositionend'])
    island.addEventListener(type, () => (isComposing = type === 'compositionstart'));
  if (when === 'load') start();
  else if ('user' in document.documentElement.dataset) (window.requestIdleCallback ?? setTimeout)(start);
  if (when === 'near') {
    if (location.hash.startsWith(`#${THREAD_PREFIX}`)) start();
    const watcher = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && start(),
      { rootMargin: '100%' },
    );
    // The island has no box of its own.
    for (const part of island.children) watcher.observe(part);
  }
};
export default hydrateWhen;

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Tells React a text that was typed before hydration, which React takes for what the server printed. */
function typeAgain(field: Field): void {
  const typed = field.value;
  if (typed === field.defaultValue) return;
  const tell = () => field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  // React hydrates what an event is meant for before it handles the event.
  tell();
  field.value = '';
  field.setRangeText(typed, 0, 0, 'end');
  tell();
  // The writer has gone on to another.
  if (field !== document.activeElement) field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
}
