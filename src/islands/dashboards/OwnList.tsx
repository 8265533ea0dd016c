import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { kindOf } from '../../components/own-kinds.ts';
import type { ArticleListItem } from '../../lib/contract/entities.ts';
import { $query } from '../../lib/stores/address.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { nothingFound, OwnFilters } from './OwnFilters.tsx';
import { ownQuery, readOwnPlace, type OwnPlace } from './own-place.ts';
import { PagedSection } from './PagedSection.tsx';
import { SelectionBar, useSelection, type Selection } from './Selection.tsx';
import { SignedIn } from './SignedIn.tsx';
import { useOwnList, type OwnListKind } from './use-own-list.ts';

/** What the rows of a list are drawn with. */
export interface OwnRows {
  articles: readonly ArticleListItem[];
  place: OwnPlace;
  selection: Selection;
  /** To be told when an article is gone. */
  onRemoved: () => void;
}

interface Props {
  own: OwnListKind;
  summary: (total: number) => string;
  /** Stands there until it is known who is signed in. */
  waiting: ReactNode;
  children: (rows: OwnRows) => ReactNode;
}

/** A list of one's own articles, searched, filtered, sorted, and done with many at once. */
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
            <SelectionBar
              shown={articles.map(({ _id }) => _id)}
              selection={selection}
              status={own.status}
              onChange={onRemoved}
            />
            {children({ articles, place: shown, selection, onRemoved })}
          </>
        )}
      </PagedSection>
    </>
  );
}
