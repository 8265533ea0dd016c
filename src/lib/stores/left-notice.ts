import { inTab, readStored, store } from '../client/stored.ts';
import { showNotice } from './toasts.ts';

const KEY = 'notice';

/** Has the next page of this tab show a success message, with `showLeft`. */
export const leaveNotice = (text: string): boolean => store(inTab, KEY, text);

export function showLeft(): void {
  const text = readStored(inTab, KEY);
  if (text === null) return;
  store(inTab, KEY, null);
  showNotice(text);
}
