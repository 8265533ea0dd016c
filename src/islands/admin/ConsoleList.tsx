import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { cleanKeywords } from '../../lib/shared/urls.ts';
import { PAGE_SIZE } from '../../lib/contract/rules/bounds.ts';
import type { List } from '../../lib/contract/entities.ts';
import { $query, goTo } from '../../lib/stores/account/address.ts';
import { createPagedList } from '../../lib/stores/paged-list.ts';
import { PagedSection } from '../dashboards/PagedSection.tsx';
import { QueryLink } from '../dashboards/QueryLink.tsx';
import { isComposing } from '../ui/form/composition.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { consoleQuery, readConsolePlace, type ConsolePlace } from './console-place.ts';

/** Twice the page size of public lists, because staff scans through them. */
const CONSOLE_PAGE_SIZE = 2 * PAGE_SIZE;

interface Props<T> {
  /** Loads one page of the list. Pass a stable function: a new identity would trigger a refetch. */
  load: (place: ConsolePlace & { pageSize: number }) => Promise<List<T>>;
  kinds?: readonly { show: string; text: string }[];
  searchLabel?: string;
  /** Measure word of the total: 篇, 个. */
  unit: string;
  empty: string;
  /**
   * Renders the rows. Call `changed` after an item has changed or was removed. `of` identifies the shown
   * list.
   */
  children: (items: readonly T[], changed: () => void, of: string) => ReactNode;
}

/** List in the console with tabs, search and pager. Its whole state is in the URL. */
export function ConsoleList<T>({ load, kinds = [], searchLabel, unit, empty, children }: Props<T>) {
  const place = readConsolePlace(useStore($query));
  const list = useMemo(
    () =>
      createPagedList<T, ConsolePlace>(CONSOLE_PAGE_SIZE, { page: 1, show: '', keywords: '' }, (asked) =>
        load({ ...asked, pageSize: CONSOLE_PAGE_SIZE }),
      ),
    [load],
  );
  const state = useStore(list.$list);
  const { page, show, keywords } = place;
  useEffect(() => void list.show({ page, show, keywords }), [list, page, show, keywords]);
  return (
    <>
      {kinds.length > 0 && (
        <nav aria-label="筛选" className="flex flex-wrap gap-x-6 text-sm">
          {kinds.map((kind) => (
            <QueryLink
              key={kind.show}
              query={consoleQuery({ ...place, page: 1, show: kind.show })}
              aria-current={kind.show === show ? 'true' : undefined}
              className="nav-link min-w-11"
            >
              {kind.text}
            </QueryLink>
          ))}
        </nav>
      )}
      {searchLabel !== undefined && <Search label={searchLabel} place={place} />}
      <PagedSection
        state={state}
        asked={place}
        queryOf={consoleQuery}
        summary={(total) => `共 ${total} ${unit}`}
        onRetry={() => void list.show(place)}
        onChange={list.refresh}
        empty={<EmptyState message={keywords === '' ? empty : `没有找到「${keywords}」。`} />}
      >
        {(items, changed) => children(items, changed, consoleQuery(place))}
      </PagedSection>
    </>
  );
}

function Search({ label, place }: { label: string; place: ConsolePlace }) {
  const [typed, setTyped] = useState({ after: place.keywords, text: place.keywords });
  // Back and forward navigation replaces the text with the keywords in the URL.
  const text = typed.after === place.keywords ? typed.text : place.keywords;
  const go = (keywords: string) => goTo(consoleQuery({ ...place, page: 1, keywords }));
  const search = () => go(cleanKeywords(text));
  return (
    <search className="mt-2 flex gap-3">
      <input
        type="search"
        className="field min-w-0 flex-1"
        aria-label={label}
        placeholder={label}
        maxLength={100}
        value={text}
        onChange={({ target }) => {
          setTyped({ after: place.keywords, text: target.value });
          if (target.value === '') go('');
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event)) search();
        }}
      />
      <button type="button" className="button-quiet flex-none" onClick={search}>
        搜索
      </button>
    </search>
  );
}
