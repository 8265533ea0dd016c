import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { correctTo } from '../../../lib/stores/account/address.ts';
import type { ListState, Place } from '../../../lib/stores/paged-list.ts';
import { Pager } from './Pager.tsx';
import { Problem } from '../form/Problem.tsx';
import { followQuery } from './QueryLink.tsx';

interface Props<T, P extends Place> {
  state: ListState<T, P>;
  asked: P;
  queryOf: (place: P) => string;
  summary: (total: number) => string;
  onRetry: () => void;
  onChange: () => Promise<void>;
  empty: ReactNode;
  /** Renders the rows. Call `removed` after an item was removed. */
  children: (items: readonly T[], removed: () => void) => ReactNode;
}

/**
 * List with a pager. Shows the rows of ListSkeleton.tsx first, and the previous page dimmed while the
 * next one loads. Errors appear in place with a retry button.
 */
export function PagedSection<T, P extends Place>(props: Props<T, P>) {
  const { state, asked, queryOf, summary, onRetry, onChange, empty, children } = props;
  const { shown, isLoading, problem } = state;
  const status = useRef<HTMLOutputElement>(null);
  const isTurning = useRef(false);

  // After turning the page, scroll to its top and move focus there.
  useEffect(() => {
    if (!shown || isLoading || !isTurning.current) return;
    isTurning.current = false;
    scrollTo(0, 0);
    status.current?.focus({ preventScroll: true });
  }, [shown, isLoading]);

  // Beyond the last page the server returns the last one; correct the URL.
  const isAnswered = shown !== null && queryOf(shown.asked) === queryOf(asked);
  const trueQuery = isAnswered && shown.place.page < shown.asked.page ? queryOf(shown.place) : null;
  useEffect(() => {
    if (trueQuery !== null) correctTo(trueQuery);
  }, [trueQuery]);

  // On return to the tab, load changes made in other tabs or on other devices.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void onChange();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [onChange]);

  // The row that had focus was removed; move focus to the top of the list.
  const [removals, setRemovals] = useState(0);
  const removed = () => void onChange().then(() => setRemovals((count) => count + 1));
  useEffect(() => {
    if (removals > 0 && document.activeElement === document.body) status.current?.focus();
  }, [removals]);

  const turn = (event: MouseEvent, page: number) => {
    if (shown) followQuery(event, queryOf({ ...shown.place, page }));
    isTurning.current ||= event.defaultPrevented;
  };
  const pages = shown && shown.pageCount > 1 ? ` · 第 ${shown.place.page} 页，共 ${shown.pageCount} 页` : '';
  return (
    <>
      <output ref={status} tabIndex={-1} className="list-status">
        {shown && summary(shown.total) + pages}
      </output>
      <Problem text={problem} onRetry={onRetry} />
      {!shown && problem === '' && <div className="skeleton-rows" />}
      {shown && (
        <div
          aria-busy={isLoading}
          className={`${shown.pageCount > 1 ? '' : 'pb-16'} transition-opacity duration-150 aria-busy:opacity-50`}
        >
          {shown.items.length === 0 ? empty : children(shown.items, removed)}
          <Pager
            page={shown.place.page}
            pageCount={shown.pageCount}
            href={(page) => location.pathname + queryOf({ ...shown.place, page })}
            onTurn={turn}
          />
        </div>
      )}
    </>
  );
}
