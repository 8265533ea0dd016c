import type { KeyboardEvent } from 'react';

/** Safari sends the Enter that chose a word after the composition has ended, a few milliseconds later. */
const AFTERMATH_MS = 100;
/** What every key is called while an input method has it. */
const INPUT_METHOD_KEY = 229;

let endedAt = -Infinity;
// The server draws islands too.
globalThis.document?.addEventListener('compositionend', ({ timeStamp }) => (endedAt = timeStamp), true);

/** Whether a key belongs to an input method that composes, or just did: such an Enter chooses a word. */
export function isComposing({ nativeEvent: key }: KeyboardEvent): boolean {
  // Deprecated, and the one sign that Safari gives.
  const isTaken = Reflect.get(key, 'keyCode') === INPUT_METHOD_KEY;
  return key.isComposing || isTaken || key.timeStamp - endedAt < AFTERMATH_MS;
}
