import { useKeyDown } from '../desk/use-screen.ts';

/** In CodeMirror's notation. `?` works too where no text field has focus. */
export const HELP_KEY = 'F1';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null);

/** Calls `open` on F1 anywhere, and on `?` outside of text fields and dialogs. */
export function useHelpKey(open: () => void): void {
  useKeyDown((event) => {
    if (event.isComposing || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== HELP_KEY && (event.key !== '?' || isTyping(event.target))) return;
    event.preventDefault();
    open();
  });
}
