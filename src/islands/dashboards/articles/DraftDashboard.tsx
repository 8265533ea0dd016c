import { DRAFT_KINDS } from '../../../lib/contract/rules/list-filters.ts';
import { editUrl } from '../../../lib/shared/urls.ts';
import { BOUNDS } from '../../../lib/contract/rules/bounds.ts';
import type { ArticleListItem } from '../../../lib/contract/entities.ts';
import { forSignedIn } from '../../ui/for-signed-in.tsx';
import { SelectBox } from '../../ui/paged/Selection.tsx';
import { Time } from '../../ui/Time.tsx';
import { ArticleActions } from './ArticleActions.tsx';
import { firstWords } from '../../../lib/shared/first-words.ts';
import { OwnFacts } from '../OwnFacts.tsx';
import { Mark } from './Mark.tsx';
import { OwnList, type OwnRows } from './OwnList.tsx';
import { ScheduleNote } from './ScheduleNote.tsx';

const MAX_DRAFTS = BOUNDS.ownPageSize;
const LIST = {
  status: 'draft',
  usualSort: 'update_time',
  sorts: ['update_time', 'title'],
  kinds: DRAFT_KINDS,
  pageSize: MAX_DRAFTS,
} as const;

export default forSignedIn(function DraftDashboard({ username }) {
  const summary = (total: number) => (total === MAX_DRAFTS ? `最近的 ${total} 篇草稿` : `共 ${total} 篇草稿`);
  return (
    <OwnList own={LIST} username={username} summary={summary}>
      {({ articles, ...rest }) => (
        <ol role="list" className="mt-2">
          {articles.map((draft) => (
            <Row key={draft._id} draft={draft} {...rest} />
          ))}
        </ol>
      )}
    </OwnList>
  );
});

type RowProps = Omit<OwnRows, 'articles'> & { draft: ArticleListItem };

function Row({ draft, place, selection, changed }: RowProps) {
  const { _id, title, content, update_time, secret } = draft;
  const words = firstWords(content);
  return (
    // Skips the layout of rows outside the viewport: there may be hundreds.
    <li className="hairline py-3 flex items-start gap-x-2 [content-visibility:auto] [contain-intrinsic-size:auto_7rem]">
      <SelectBox id={_id} title={title} selection={selection} />
      <div className="flex-1 min-w-0 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
        <a href={editUrl(_id)} className="quiet-link col-span-2 leading-relaxed">
          <bdi className={title === '' ? 'text-soft' : 'font-600'}>{title || '无标题'}</bdi>
          {secret && <Mark>私密</Mark>}
          <ScheduleNote schedule={draft.schedule} />
          {words !== '' && (
            <span className="block text-sm text-soft truncate" dir="auto">
              {words}
            </span>
          )}
        </a>
        <p className="meta">
          <Time iso={update_time} />
        </p>
        <ArticleActions id={_id} title={title} onRemoved={changed} />
        <OwnFacts article={draft} place={place} />
      </div>
    </li>
  );
}
