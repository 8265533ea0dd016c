import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { DRAFT_KINDS, kindOf } from '../../components/own-kinds.ts';
import { editUrl } from '../../components/urls.ts';
import { BOUNDS } from '../../lib/contract/bounds.ts';
import type { ArticleListItem } from '../../lib/contract/entities.ts';
import { $query } from '../../lib/stores/address.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { island } from '../ui/island.tsx';
import { Time } from '../ui/Time.tsx';
import { ArticleActions } from './ArticleActions.tsx';
import { firstWords } from './first-words.ts';
import { nothingFound, OwnFilters } from './OwnFilters.tsx';
import { OwnFacts } from './OwnFacts.tsx';
import { ownQuery, readOwnPlace, type OwnPlace } from './own-place.ts';
import { PagedSection } from './PagedSection.tsx';
import { ScheduleNote } from './ScheduleNote.tsx';
import { SelectBox, SelectionBar, useSelection, type Selection } from './Selection.tsx';
import { SignedIn } from './SignedIn.tsx';
import { useOwnList } from './use-own-list.ts';

const MAX = BOUNDS.ownPageSize;
const SORTS = ['update_time', 'title'] as const;
const LIST = { status: 'draft', usualSort: 'update_time', kinds: DRAFT_KINDS, pageSize: MAX } as const;

/** /user/draft: the author's drafts, those edited last first. */
export default island(function DraftDashboard({ children }: { children?: ReactNode }) {
  return (
    <SignedIn waiting={children}>{(username) => <Drafts key={username} username={username} />}</SignedIn>
  );
});

function Drafts({ username }: { username: string }) {
  const place = { ...readOwnPlace(useStore($query)), page: 1 };
  const { list, state } = useOwnList(username, LIST, place);
  const selection = useSelection(ownQuery(place));
  const shown = state.shown?.place ?? place;
  const kind = kindOf(DRAFT_KINDS, shown.show);
  return (
    <>
      <OwnFilters place={place} kinds={DRAFT_KINDS} usualSort="update_time" sorts={SORTS} />
      <PagedSection
        state={state}
        asked={place}
        queryOf={ownQuery}
        summary={(total) => (total === MAX ? `最近的 ${total} 篇草稿` : `共 ${total} 篇草稿`)}
        onRetry={() => void list.show(place)}
        onChange={list.refresh}
        empty={
          <EmptyState message={nothingFound(shown, kind) ?? kind?.empty ?? ''}>
            <a href="/write" className="button mt-6">
              写文章
            </a>
          </EmptyState>
        }
      >
        {(drafts, removed) => (
          <>
            <SelectionBar shown={drafts.map(({ _id }) => _id)} selection={selection} onChange={removed} />
            <ol role="list" className="mt-2">
              {drafts.map((draft) => (
                <Row key={draft._id} draft={draft} place={shown} selection={selection} onRemoved={removed} />
              ))}
            </ol>
          </>
        )}
      </PagedSection>
    </>
  );
}

interface RowProps {
  draft: ArticleListItem;
  place: OwnPlace;
  selection: Selection;
  onRemoved: () => void;
}

function Row({ draft, place, selection, onRemoved }: RowProps) {
  const { _id, title, content, update_time, secret } = draft;
  const words = firstWords(content);
  return (
    // Of hundreds of rows only those in view are laid out.
    <li className="hairline py-3 flex items-start gap-x-2 [content-visibility:auto] [contain-intrinsic-size:auto_7rem]">
      <SelectBox id={_id} title={title} selection={selection} />
      <div className="flex-1 min-w-0 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
        <a href={editUrl(_id)} className="quiet-link col-span-2 leading-relaxed">
          <bdi className={title === '' ? 'text-soft' : 'font-600'}>{title || '无标题'}</bdi>
          {words !== '' && (
            <span className="block text-sm text-soft truncate" dir="auto">
              {words}
            </span>
          )}
        </a>
        <p className="meta">
          <Time iso={update_time} />
          {secret && <span className="badge ml-2">私密</span>}
          <ScheduleNote schedule={draft.schedule} />
        </p>
        <ArticleActions id={_id} title={title} onRemoved={onRemoved} />
        <OwnFacts article={draft} place={place} />
      </div>
    </li>
  );
}
