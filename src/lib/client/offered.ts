/** Calls that are not part of every server, and whose buttons and links depend on `isOffered`. */
export type ExtraCall =
  | 'articleDelete'
  | 'commentEdit'
  | 'commentDelete'
  | 'fetchImage'
  | 'trashRestore'
  | 'scheduleSet'
  | 'versionList'
  | 'pictureList'
  | 'articleSettings'
  | 'archive'
  | 'suggest'
  | 'safety'
  | 'exportBegin'
  | 'reportCreate';

/**
 * Whether the server supports `call`, according to the page. Calls can be missing only if an edge server
 * renders the page for another server.
 */
export function isOffered(call: ExtraCall): boolean {
  return !(document.documentElement.dataset['missingCalls'] ?? '').split(' ').includes(call);
}
