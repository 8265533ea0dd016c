import type { KeyboardEvent } from 'react';

/** Safari fires the keydown of the Enter that confirmed a word a few milliseconds after compositionend. */
const AFTERMATH_MS = 100;
/** `keyCode` of every key that an input method handles. */
const INPUT_METHOD_KEY = 229;

let endedAt = -Infinity;
// Islands are rendered on the server too.
globalThis.document?.addEventListener('compositionend', ({ timeStamp }) => (endedAt = timeStamp), true);

/** Whether a key belongs to a current or just ended composition: such an Enter only confirms a word. */
export function isComposing({ nativeEvent: key }: KeyboardEvent): boolean {
  // Deprecated, but the only indication in Safari.
  const isTaken = Reflect.get(key, 'keyCode') === INPUT_METHOD_KEY;
  return key.isComposing || isTaken || key.timeStamp - endedAt < AFTERMATH_MS;
}
