/** Calls that not every server of the contract knows, and for which a button stands. */
export type ExtraCall = 'articleDelete' | 'commentDelete';

/**
 * Whether the server behind this page knows `call`. The page says what it does not know: only edge fronts
 * have others' servers.
 */
export function isOffered(call: ExtraCall): boolean {
  return !(document.documentElement.dataset['missingCalls'] ?? '').split(' ').includes(call);
}
