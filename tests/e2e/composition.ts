import type { Page } from '@playwright/test';

/** An input method at work in the focused field. */
export interface Composition {
  /** Shows `text` as being composed, underlined and not yet the field's own. */
  compose(text: string): Promise<void>;
  /** Chooses `text`, which ends the composition. */
  commit(text: string): Promise<void>;
  /**
   * Presses Enter. `taken`: as an input method reports a key it has taken (keyCode 229); otherwise as a plain
   * Enter, which some browsers send while composing or right after.
   */
  enter(taken?: 'taken'): Promise<void>;
  /** Chooses `text` and presses a plain Enter in the same moment, as Safari reports the Enter that chose. */
  commitByEnter(text: string): Promise<void>;
}

const TAKEN = 229;
const ENTER = 13;

/**
 * What an input method does, which Playwright's keyboard cannot: keys pressed between `compose` and `commit`
 * belong to it.
 */
export async function openInputMethod(page: Page): Promise<Composition> {
  const session = await page.context().newCDPSession(page);
  const press = async (keyCode: number) => {
    const key = {
      key: 'Enter',
      code: 'Enter',
      // When it was pressed, in seconds, however late the browser hears of it.
      timestamp: Date.now() / 1000,
      windowsVirtualKeyCode: keyCode,
      nativeVirtualKeyCode: keyCode,
    };
    // With its text, so that it does all that Enter does unless the page prevents it.
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
