import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { kindOf } from '../../../lib/shared/own-kinds.ts';
import { isOffered } from '../../../lib/client/offered.ts';
import type { ArticleListItem } from '../../../lib/contract/entities.ts';
import { $query } from '../../../lib/stores/account/address.ts';
import { ask } from '../../../lib/stores/ask.ts';
import { deleteArticles, deletionText } from '../../../lib/stores/trash.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useOnce } from '../../ui/use-once.ts';
import { nothingFound, OwnFilters } from './OwnFilters.tsx';
import { ownQuery, readOwnPlace, type OwnPlace } from './own-place.ts';
import { PagedSection } from '../PagedSection.tsx';
import { SelectionBar, useSelection, type Selection } from './Selection.tsx';
import { SettingsActions } from './SettingsActions.tsx';
import { SignedIn } from '../SignedIn.tsx';
import { useOwnList, type OwnListKind } from './use-own-list.ts';

export interface OwnRows {
  articles: readonly ArticleListItem[];
  place: OwnPlace;
  selection: Selection;
  onRemoved: () => void;
}

interface Props {
  own: OwnListKind;
  summary: (total: number) => string;
  waiting: ReactNode;
  children: (rows: OwnRows) => ReactNode;
}

/** List of the author's own articles with search, filters, sort orders and bulk actions. */
export function OwnList({ waiting, ...rest }: Props) {
  return (
    <SignedIn waiting={waiting}>
      {(username) => <Listed key={username} username={username} {...rest} />}
    </SignedIn>
  );
}

function Listed({ own, summary, children, username }: Omit<Props, 'waiting'> & { username: string }) {
  const asked = readOwnPlace(useStore($query));
  // Drafts are all on one page.
  const place = own.status === 'draft' ? { ...asked, page: 1 } : asked;
  const { list, state } = useOwnList(username, own, place);
  const selection = useSelection(ownQuery(place));
  const shown = state.shown?.place ?? place;
  const kind = kindOf(own.kinds, shown.show);
  return (
    <>
      <OwnFilters place={place} kinds={own.kinds} usualSort={own.usualSort} sorts={own.sorts} />
      <PagedSection
        state={state}
        asked={place}
        queryOf={ownQuery}
        summary={summary}
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
        {(articles, onRemoved) => (
          <>
            <SelectionBar shown={articles.map(({ _id }) => _id)} selection={selection} unit="篇">
              {(chosen) => (
                <ArticleActions {...{ chosen, selection }} status={own.status} onChange={onRemoved} />
              )}
            </SelectionBar>
            {children({ articles, place: shown, selection, onRemoved })}
          </>
        )}
      </PagedSection>
    </>
  );
}

interface ActionProps {
  chosen: readonly string[];
  selection: Selection;
  status: 'normal' | 'draft';
  /** Called after articles were removed, changed or restored. */
  onChange: () => void;
}

function ArticleActions({ chosen, selection, status, onChange }: ActionProps) {
  const [isBusy, once] = useOnce();
  const leave = (ids: readonly string[]) => selection.choose(ids, false);
  const remove = async () => {
    const title = `删除选中的 ${chosen.length} 篇文章？`;
    if (!(await ask({ title, text: deletionText(), action: '删除', isDestructive: true }))) return;
    leave(await deleteArticles(chosen, onChange));
  };
  return (
    <>
      <button type="button" className="action-danger" disabled={isBusy} onClick={() => void once(remove)}>
        移到回收站
      </button>
      {isOffered('articleSettings') && (
        <SettingsActions status={status} chosen={chosen} onLeave={leave} onChange={onChange} />
      )}
    </>
  );
}
