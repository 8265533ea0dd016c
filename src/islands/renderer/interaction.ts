import type { Sleeping } from '../wake.ts';

/** A press that ends outside of the page is not heard. */
const LONGEST_PRESS_MS = 500;

/**
 * Resolves when no pointer is being pressed on the island: a control that is replaced between press and release gets no click.
 * At once where none is.
 */
export function pressOver({ heard }: Sleeping): Promise<void> {
  const pressed = heard['pointerdown']?.timeStamp ?? -Infinity;
  const clicked = heard['click']?.timeStamp ?? -Infinity;
  const wait = pressed - performance.now() + LONGEST_PRESS_MS;
  if (clicked > pressed || wait <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    // The click comes right after the release.
    const release = () => setTimeout(resolve);
    addEventListener('pointerup', release, { once: true });
    addEventListener('pointercancel', release, { once: true });
    setTimeout(resolve, wait);
  });
}

/**
 * Notes what the reader has begun on an island's server markup. Controls are recognised by `data-wake`, the same on the markup and
 * on what comes in its place; links are followed by the browser itself.
 * @returns does it again on what stands there by then
 */
export function noteInteraction(element: Sleeping): () => void {
  const nameOf = (node: EventTarget | null | undefined) =>
    node instanceof Element ? node.closest<HTMLElement>('[data-wake]')?.dataset['wake'] : undefined;
  const clicked = element.heard['click']?.target;
  const toClick = clicked instanceof Element && !clicked.closest('a[href]') ? nameOf(clicked) : undefined;
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const toFocus = nameOf(focused);
  const typed = isTextField(focused) ? focused.value : '';
  const find = (name: string | undefined) =>
    name === undefined ? null : element.querySelector<HTMLElement>(`[data-wake="${CSS.escape(name)}"]`);

  return () => {
    const field = find(toFocus);
    field?.focus();
    if (typed !== '' && isTextField(field)) type(field, typed);
    const control = find(toClick);
    if (isTextField(control)) control.focus();
    else control?.click();
  };
}

const isTextField = (node: unknown): node is HTMLInputElement | HTMLTextAreaElement =>
  node instanceof HTMLTextAreaElement || (node instanceof HTMLInputElement && node.type !== 'submit');

/** Types a text into a field that React controls, as the keyboard would. */
function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.setRangeText(text, 0, field.value.length, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }));
}
