import type { Waiting } from './hydrate.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

const done = new WeakSet<Element>();

/** Replays, once per island, the reader's interactions from before hydration: focus, text, blur, a click. */
export function doAgain(): void {
  for (const island of document.querySelectorAll<Waiting>('astro-island:not([ssr])')) {
    if (done.has(island)) continue;
    done.add(island);
    const focused = document.activeElement;
    if (island.contains(focused)) focused?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    for (const field of island.querySelectorAll<Field>('input, textarea'))
      if (field.value !== field.defaultValue) dispatchText(field);
    island.pressed?.click();
  }
}

/** Reports text typed before hydration to React, which takes it for the server-rendered value. */
function dispatchText(field: Field): void {
  if (field !== document.activeElement) {
    typeAgain(field);
    field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    return;
  }
  // Reported at once, because input methods do not compose passwords.
  if (field.type === 'password') dispatchInput(field);
  // Typing would disturb an active input method, so the next input event, key press or blur reports the text.
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
  // React hydrates the target of an event before it handles the event.
  dispatchInput(field);
  field.value = '';
  field.setRangeText(typed, 0, 0, 'end');
  dispatchInput(field);
}

const dispatchInput = (field: Field) => field.dispatchEvent(new InputEvent('input', { bubbles: true }));
