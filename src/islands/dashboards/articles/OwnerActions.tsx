import { leaveDeleted } from '../../../lib/stores/trash.ts';
import { useIsOwner } from '../../profile/use-is-owner.ts';
import { island } from '../../ui/island.tsx';
import { ArticleActions } from './ArticleActions.tsx';

interface Props {
  id: string;
  title: string;
  author: string;
  isDraft: boolean;
}

/** 编辑 and 删除 on the article's page. Renders nothing for readers other than its author. */
export default island(function OwnerActions({ id, title, author, isDraft }: Props) {
  const isOwner = useIsOwner(author);
  if (!isOwner) return null;
  const leave = (isRemoved: boolean) => {
    if (!isRemoved) return;
    // Back navigation would otherwise return to the deleted article.
    location.replace(isDraft ? '/user/draft' : '/user/list');
  };
  return (
    <div className="flex-none ml-auto my--1">
      <ArticleActions id={id} title={title} onRemoved={leave} notify={() => leaveDeleted(id)} />
    </div>
  );
});
