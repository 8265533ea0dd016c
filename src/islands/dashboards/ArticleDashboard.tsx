import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { ARTICLE_KINDS, kindOf } from '../../components/own-kinds.ts';
import { $query } from '../../lib/stores/address.ts';
import { PAGE_SIZE } from '../../lib/contract/bounds.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { island } from '../ui/island.tsx';
import { ArticleYears } from './ArticleYears.tsx';
import { nothingFound, OwnFilters } from './OwnFilters.tsx';
import { ownQuery, readOwnPlace } from './own-place.ts';
import { PagedSection } from './PagedSection.tsx';
import { SelectionBar, useSelection } from './Selection.tsx';
import { SignedIn } from './SignedIn.tsx';
import { useOwnList } from './use-own-list.ts';

/** /user/list: the author's own articles, searched, filtered, sorted, and done with many at once. */
export default island(function ArticleDashboard({ children }: { children?: ReactNode }) {
  return (
    <SignedIn waiting={children}>{(username) => <Articles key={username} username={username} />}</SignedIn>
  );
});

const LIST = {
  status: 'normal',
  usualSort: 'create_time',
  kinds: ARTICLE_KINDS,
  pageSize: PAGE_SIZE,
} as const;

function Articles({ username }: { username: string }) {
  const place = readOwnPlace(useStore($query));
  const { list, state } = useOwnList(username, LIST, place);
  const selection = useSelection(ownQuery(place));
  const shown = state.shown?.place ?? place;
  const kind = kindOf(ARTICLE_KINDS, shown.show);
  return (
    <>
      <OwnFilters place={place} kinds={ARTICLE_KINDS} usualSort="create_time" />
      <PagedSection
        state={state}
        asked={place}
        queryOf={ownQuery}
        summary={(total) => `共 ${total} 篇`}
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
        {(articles, removed) => (
          <>
            <SelectionBar shown={articles.map(({ _id }) => _id)} selection={selection} onChange={removed} />
            <ArticleYears articles={articles} place={shown} selection={selection} onRemoved={removed} />
          </>
        )}
      </PagedSection>
    </>
  );
}
