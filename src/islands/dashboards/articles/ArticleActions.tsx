import { isOffered } from '../../../lib/client/offered.ts';
import { editUrl, historyUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { askAndRemove } from '../../../lib/stores/removal.ts';
import { deletionText, noticeDeleted } from '../../../lib/stores/trash.ts';
import { Action } from '../../ui/Action.tsx';

interface Props {
  id: string;
  title: string;
  /**
   * Called with true after the article was removed or restored, with false if the server refused to remove
   * it.
   */
  onRemoved: (isRemoved: boolean) => void;
  /** Shows the confirmation if another page has to do so. */
  notify?: () => void;
}

export function ArticleActions({ id, title, onRemoved, notify }: Props) {
  const remove = () =>
    askAndRemove({
      title: title === '' ? '删除这篇文章？' : `删除《${title}》？`,
      text: deletionText(),
      notify: notify ?? (() => noticeDeleted(id, () => onRemoved(true))),
      remove: () => call('articleDelete', { id }),
      settled: onRemoved,
    });
  const name = title || '无标题';
  return (
    <p className="flex gap-1 mr--2 text-sm whitespace-nowrap">
      <a href={editUrl(id)} aria-label={`编辑《${name}》`} className="action">
        编辑
      </a>
      {isOffered('versionList') && (
        <a href={historyUrl(id)} aria-label={`《${name}》的历史版本`} className="action">
          历史
        </a>
      )}
      {isOffered('articleDelete') && (
        <Action label={`删除《${name}》`} isDangerous work={remove}>
          删除
        </Action>
      )}
    </p>
  );
}
