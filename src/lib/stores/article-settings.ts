import { isCallError } from '../client/call-error.ts';
import type { CallInput } from '../contract/calls/calls.ts';
import { call } from './api.ts';
import { ask } from './ask.ts';
import { showError, showNotice, showUndo } from './toasts.ts';
import { waitingText } from './waiting-text.ts';

type Settings = Omit<CallInput<'articleSettings'>, 'ids' | 'tags_add' | 'tags_remove'> & {
  tags_add?: string[];
  tags_remove?: string[];
};

export interface SettingsChange {
  to: Settings;
  /** The opposite change, or null. */
  back: Settings | null;
  done: (count: number) => string;
}

const ARTICLE_BATCH_SIZE = 20;

/**
 * Changes settings of articles and shows how many changed, with 撤销 for 10 s, and how many did not and why.
 * Asks before it makes several public.
 * @param changed called after each change, also after undoing
 * @returns the ids of the changed articles
 */
export async function changeSettings(
  ids: readonly string[],
  { to, back, done }: SettingsChange,
  changed: () => void,
): Promise<string[]> {
  const action = to.status === 'normal' ? '发布' : to.secret === false ? '公开' : null;
  if (action !== null && ids.length > 1) {
    const title = `${action}选中的 ${ids.length} 篇？`;
    const shown = '所有人都能看到，也会出现在首页和订阅里。';
    const text = action === '发布' ? `不是私密的，发布以后${shown}` : `公开以后${shown}`;
    if (!(await ask({ title, text, action }))) return [];
  }
  const { changedIds, pending, refused, problem } = await send(ids, to);
  if (refused > 0) showError(`有 ${refused} 篇没有改：${problem}`);
  if (changedIds.length > 0 && back === null) showNotice(done(changedIds.length) + waitingText(pending));
  else if (changedIds.length > 0) {
    const undo = async () => {
      const undone = await send(changedIds, back ?? {});
      if (undone.refused > 0) showError(`有 ${undone.refused} 篇没有改回来：${undone.problem}`);
      else showNotice(`已改回 ${undone.changedIds.length} 篇`);
      changed();
    };
    showUndo(done(changedIds.length) + waitingText(pending), undo);
  } else if (refused === 0) showNotice('选中的文章本来就是这样');
  if (changedIds.length > 0 || refused > 0) changed();
  return changedIds;
}

async function send(ids: readonly string[], settings: Settings) {
  const changedIds: string[] = [];
  let [pending, refused, problem] = [0, 0, ''];
  for (let start = 0; start < ids.length; start += ARTICLE_BATCH_SIZE) {
    const part = ids.slice(start, start + ARTICLE_BATCH_SIZE);
    try {
      const input = { tags_add: [], tags_remove: [], ...settings, ids: part };
      const { results } = await call('articleSettings', input, { quiet: true });
      for (const result of results) {
        if (result.outcome === 'changed') changedIds.push(result.id);
        if (result.pending) pending++;
        if (result.outcome !== 'refused') continue;
        refused++;
        problem ||= result.problem ?? '';
      }
    } catch (error) {
      refused += ids.length - start;
      problem ||= isCallError(error) ? error.message : '请稍后再试';
      break;
    }
  }
  return { changedIds, pending, refused, problem };
}
