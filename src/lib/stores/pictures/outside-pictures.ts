import { atom } from 'nanostores';
import { isCallError } from '../../client/call-error.ts';
import { call } from '../api.ts';
import { pictureLane } from './picture-lane.ts';
import { showNotice } from '../toasts.ts';

export interface PictureImport {
  total: number;
  done: number;
  failed: readonly { address: string; reason: string }[];
  isRunning: boolean;
}

const NOTHING: PictureImport = { total: 0, done: 0, failed: [], isRunning: false };

export const $pictureImport = atom<PictureImport>(NOTHING);
export const $leftAlone = atom<readonly string[]>([]);
let abort = new AbortController();

/**
 * Copies pictures of other sites to this site; a call during a run adds to it.
 * @param arrived called with the URL of each copy; failures are in `$pictureImport`
 */
export async function importPictures(
  addresses: readonly string[],
  arrived: (address: string, url: string) => void,
): Promise<void> {
  if (addresses.length === 0) return;
  leaveAlone(addresses);
  const before = $pictureImport.get();
  const start = before.isRunning ? before : NOTHING;
  if (!before.isRunning) abort = new AbortController();
  const { signal } = abort;
  $pictureImport.set({ ...start, total: start.total + addresses.length, isRunning: true });
  const importOne = async (address: string): Promise<void> => {
    try {
      const { url } = await pictureLane.run(() => {
        signal.throwIfAborted();
        return call('fetchImage', { url: address }, { quiet: true, signal });
      });
      if (!signal.aborted) arrived(address, url);
      settle(signal, {});
    } catch (error) {
      const reason = isCallError(error) ? error.message : '没有取到，请再试一次';
      settle(signal, { failed: [...$pictureImport.get().failed, { address, reason }] });
    }
  };
  await Promise.all(addresses.map(importOne));
  const { isRunning, total, failed } = $pictureImport.get();
  const isLast = !signal.aborted && !isRunning && failed.length === 0;
  if (isLast) showNotice(`${total} 张图片已存到本站`);
}

export function leaveAlone(addresses: readonly string[]): void {
  $leftAlone.set([...new Set([...$leftAlone.get(), ...addresses])]);
}

export function stopImport(): void {
  abort.abort();
  $pictureImport.set({ ...$pictureImport.get(), isRunning: false });
}

export function forgetFailed(): void {
  $pictureImport.set({ ...$pictureImport.get(), failed: [] });
}

function settle(signal: AbortSignal, changed: Partial<PictureImport>): void {
  if (signal.aborted) return;
  const state = $pictureImport.get();
  const done = state.done + 1;
  $pictureImport.set({ ...state, ...changed, done, isRunning: done < state.total });
}
