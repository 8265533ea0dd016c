/** Calls that not every server of the contract knows, and for which a button or a link stands. */
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

/** Whether this page's server knows `call`, by what the page says; only edge fronts have others' servers. */
export function isOffered(call: ExtraCall): boolean {
  return !(document.documentElement.dataset['missingCalls'] ?? '').split(' ').includes(call);
}
