import { isCallError } from '../client/call-error.ts';
import { ask } from './ask.ts';
import { showNotice, showRetry } from './toasts.ts';

export interface Removal {
  title: string;
  text: string;
  action?: string;
  notify?: () => void;
  /** Makes the call, which shows refusals itself. */
  remove(): Promise<unknown>;
  /** Called after the removal, and after a refusal because the page is then out of date. */
  settled(isRemoved: boolean): void;
}

export async function askAndRemove(removal: Removal): Promise<void> {
  const { title, text, action = '删除', notify = () => showNotice('已删除'), remove, settled } = removal;
  if (!(await ask({ title, text, action, isDestructive: true }))) return;
  await attempt();

  async function attempt(): Promise<void> {
    try {
      await remove();
    } catch (error) {
      if (isCallError(error, 'refused')) settled(false);
      else if (!isCallError(error, 'signed-out'))
        showRetry(`没有删除。${isCallError(error) ? error.message : ''}`, attempt);
      return;
    }
    notify();
    settled(true);
  }
}
