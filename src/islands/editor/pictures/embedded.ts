import { syntaxTree } from '@codemirror/language';
import type { EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { BOUNDS } from '../../../lib/contract/rules/bounds.ts';
import { showError } from '../../../lib/stores/toasts.ts';
import { startUpload } from '../../../lib/stores/pictures/uploads.ts';
import { whenUncomposed } from './pictures.ts';

type Rules = typeof import('../../../lib/markdown-file/data-pictures.ts');
const loadRules = () => import('../../../lib/markdown-file/data-pictures.ts');

/** Returns the pictures that a text itself contains as `data:` addresses, outside of code. */
export const embeddedIn = (state: EditorState, { findDataPictures }: Rules) =>
  findDataPictures(state.doc.toString()).filter(
    ({ start }) => !syntaxTree(state).resolveInner(start, 1).name.includes('Code'),
  );

/**
 * Uploads the embedded pictures of a text, each once, and puts their URLs in place of their addresses.
 * @param only start of the picture to upload, if not all
 */
export async function storeEmbedded(view: EditorView, only?: number): Promise<void> {
  const rules = await loadRules();
  const found = embeddedIn(view.state, rules).filter(({ start }) => only === undefined || start === only);
  for (const address of new Set(found.map(({ start, end }) => view.state.sliceDoc(start, end)))) {
    const file = fileOf(address, rules);
    if (typeof file === 'string') showError(`文字里的图片没有存到本站：${file}`);
    else
      startUpload(file, (url) => {
        if (url !== null) whenUncomposed(view, () => replace(view, rules, { address, url }));
      });
  }
}

/** Returns the file of an address, or a Chinese sentence about what is wrong with it. */
function fileOf(address: string, { readDataPicture }: Rules): File | string {
  try {
    const { bytes, type } = readDataPicture(address, BOUNDS.imageBytes);
    return new File([bytes], '内嵌的图片', { type });
  } catch (error) {
    if (error instanceof Error && error.name === 'Problem') return error.message;
    throw error;
  }
}

function replace(
  view: EditorView,
  { findDataPictures }: Rules,
  { address, url }: { address: string; url: string },
): void {
  const text = view.state.doc.toString();
  const changes = findDataPictures(text)
    .filter(({ start, end }) => text.slice(start, end) === address)
    .map(({ start, end }) => ({ from: start, to: end, insert: url }));
  if (changes.length > 0) view.dispatch({ changes, userEvent: 'input.picture' });
}

/** Stores the pictures that the author's input contains; text of other tabs is left alone. */
export const storesEmbedded = EditorView.updateListener.of(({ view, transactions }) => {
  if (transactions.some(bringsData)) void storeEmbedded(view);
});

function bringsData(transaction: Transaction): boolean {
  if (!transaction.isUserEvent('input') || transaction.isUserEvent('input.picture')) return false;
  let isFound = false;
  transaction.changes.iterChanges((_from, _to, _start, _end, inserted) => {
    isFound ||= inserted.toString().includes('data:image/');
  });
  return isFound;
}
