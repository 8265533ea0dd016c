import type { Waiting } from './hydrate.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

const done = new WeakSet<Element>();

/** Does again, once, what the reader did on an island before it was hydrated: focus, text, blur, a press. */
export function doAgain(): void {
  for (const island of document.querySelectorAll<Waiting>('astro-island:not([ssr])')) {
    if (done.has(island)) continue;
    done.add(island);
    const focused = document.activeElement;
    if (island.contains(focused)) focused?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    for (const field of island.querySelectorAll<Field>('input, textarea'))
      if (field.value !== field.defaultValue) tellText(field);
    island.pressed?.click();
  }
}

/** Tells React a text that was typed before hydration, which React takes for what the server printed. */
function tellText(field: Field): void {
  if (field !== document.activeElement) {
    typeAgain(field);
    field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    return;
  }
  // An input method may be at work in it, which typing would disturb: then the next character tells.
  const told = new AbortController();
  const { signal } = told;
  field.addEventListener('input', () => told.abort(), { signal });
  const tell = (event: Event) => {
    if (event instanceof KeyboardEvent && event.isComposing) return;
    told.abort();
    typeAgain(field);
  };
  field.addEventListener('keydown', tell, { signal });
  field.addEventListener('focusout', tell, { signal });
}

function typeAgain(field: Field): void {
  const typed = field.value;
  const tell = () => field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  // React hydrates what an event is meant for before it handles the event.
  tell();
  field.value = '';
  field.setRangeText(typed, 0, 0, 'end');
  tell();
}
