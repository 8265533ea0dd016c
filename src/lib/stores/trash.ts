import { articleUrl, editUrl } from '../shared/urls.ts';
import { isCallError } from '../client/call-error.ts';
import { isOffered } from '../client/offered.ts';
import { BOUNDS } from '../contract/rules/bounds.ts';
import { call } from './api.ts';
import { inTab, readStored, store } from '../client/stored.ts';
import { showError, showNotice, showRetry, showUndo } from './toasts.ts';

/** Whether deleted articles can be restored; other server implementations may have no trash. */
const hasTrash = (): boolean => isOffered('trashRestore');

export const deletionText = (): string =>
  hasTrash()
    ? `会移到回收站，${BOUNDS.trashDays} 天内可以恢复，评论也会一起回来。`
    : '删除后不能恢复，文章下的评论也不再显示。';

export function noticeDeleted(id: string, restored: (status: 'normal' | 'draft') => void): void {
  if (!hasTrash()) return void showNotice('已删除');
  showUndo('已删除，在回收站里', () =>
    restoreArticle(id).then((article) => article && restored(article.status)),
  );
}

/**
 * Moves articles to the trash one by one and shows how many, with 撤销 for 10 s.
 * @param changed called after deleting and after restoring
 * @returns the ids of the deleted articles
 */
export async function deleteArticles(ids: readonly string[], changed: () => void): Promise<string[]> {
  const deleted = await eachInTurn(ids, (id) => call('articleDelete', { id }, { quiet: true }));
  if (deleted.length < ids.length) showError(`有 ${ids.length - deleted.length} 篇没有删除，请稍后再试`);
  if (deleted.length > 0) {
    const restore = async () => {
      const back = await eachInTurn(deleted, (id) => call('trashRestore', { id }, { quiet: true }));
      if (back.length === deleted.length) showNotice(`已恢复 ${back.length} 篇`);
      else showError(`有 ${deleted.length - back.length} 篇没有恢复，它们还在回收站里`);
      changed();
    };
    if (hasTrash()) showUndo(`已删除 ${deleted.length} 篇，在回收站里`, restore);
    else showNotice(`已删除 ${deleted.length} 篇`);
    changed();
  }
  return deleted;
}

async function eachInTurn(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<string[]> {
  const done: string[] = [];
  for (const id of ids) {
    const isDone = await work(id).then(
      () => true,
      () => false,
    );
    if (isDone) done.push(id);
  }
  return done;
}

export async function restoreArticle(id: string) {
  try {
    const restored = await call('trashRestore', { id });
    showNotice('已恢复');
    return restored;
  } catch (error) {
    if (!isCallError(error, 'refused') && !isCallError(error, 'signed-out'))
      showRetry('没有恢复，文章还在回收站里。', () => restoreArticle(id));
    return null;
  }
}

const DELETED_KEY = 'moye-deleted';

/** Has the next page of this tab show the notice, with `showLeftNotice`. */
export const leaveDeleted = (id: string): boolean => store(inTab, DELETED_KEY, id);

export function showLeftNotice(): void {
  const id = readStored(inTab, DELETED_KEY);
  if (id === null) return;
  store(inTab, DELETED_KEY, null);
  noticeDeleted(id, (status) => location.assign(status === 'draft' ? editUrl(id) : articleUrl(id)));
}
