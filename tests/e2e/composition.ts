import type { Page } from '@playwright/test';

/** A simulated input method (IME) in the focused field. */
export interface Composition {
  /** Shows `text` as the underlined composition, which is not yet part of the field's value. */
  compose(text: string): Promise<void>;
  /** Commits `text`, which ends the composition. */
  commit(text: string): Promise<void>;
  /**
   * Presses Enter. `taken`: reported as a key that the input method has consumed (keyCode 229); otherwise a
   * plain Enter, which some browsers send during a composition or right after it.
   */
  enter(taken?: 'taken'): Promise<void>;
  /**
   * Commits `text` and presses a plain Enter at the same moment, as Safari reports the Enter that commits.
   */
  commitByEnter(text: string): Promise<void>;
}

const TAKEN = 229;
const ENTER = 13;

/**
 * Simulates an input method through the DevTools protocol, because Playwright's keyboard cannot. Keys pressed
 * between `compose` and `commit` belong to the input method.
 */
export async function openInputMethod(page: Page): Promise<Composition> {
  const session = await page.context().newCDPSession(page);
  const press = async (keyCode: number) => {
    const key = {
      key: 'Enter',
      code: 'Enter',
      // Time of the press in seconds, independent of when the browser receives the event.
      timestamp: Date.now() / 1000,
      windowsVirtualKeyCode: keyCode,
      nativeVirtualKeyCode: keyCode,
    };
    // With its text, so Enter has its default action unless the page prevents it.
    await Promise.all([
      session.send('Input.dispatchKeyEvent', { ...key, type: 'keyDown', text: '\r' }),
      session.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp' }),
    ]);
  };
  const commit = async (text: string) => {
    await session.send('Input.insertText', { text });
  };
  return {
    compose: async (text) => {
      const end = text.length;
      await session.send('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end });
    },
    commit,
    enter: (taken) => press(taken === undefined ? ENTER : TAKEN),
    commitByEnter: async (text) => {
      await Promise.all([commit(text), press(ENTER)]);
    },
  };
}
