import { isCallError } from '../client/call-error.ts';
import { ask } from './ask.ts';
import { showError, showNotice } from './toasts.ts';

/** Something to be removed. */
export interface Removal {
  title: string;
  text: string;
  /** What the button says that removes; 删除 unless given. */
  action?: string;
  /** Says that it is gone; 已删除 unless given. */
  tell?: () => void;
  /** Makes the call; refusals are shown by it. */
  remove(): Promise<unknown>;
  /** Told when it is gone, or when the server refused: then what the reader sees is out of date. */
  settled(isRemoved: boolean): void;
}

/** Asks, removes, and says so. Without an answer from the server the reader may try again. */
export async function askAndRemove(removal: Removal): Promise<void> {
  const { title, text, action = '删除', tell = () => showNotice('已删除'), remove, settled } = removal;
  if (!(await ask({ title, text, action, isDestructive: true }))) return;
  await attempt();

  async function attempt(): Promise<void> {
    try {
      await remove();
    } catch (error) {
      if (isCallError(error, 'refused')) settled(false);
      else if (!isCallError(error, 'signed-out'))
        showError(`没有删除。${isCallError(error) ? error.message : ''}`, {
          text: '重试',
          run: () => void attempt(),
        });
      return;
    }
    tell();
    settled(true);
  }
}
