import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { correctTo } from '../../lib/stores/address.ts';
import type { ListState, Place } from '../../lib/stores/paged-list.ts';
import { Pager } from '../ui/Pager.tsx';
import { Problem } from '../ui/Problem.tsx';
import { followQuery } from './QueryLink.tsx';

interface Props<T, P extends Place> {
  state: ListState<T, P>;
  /** The place the address asks for. */
  asked: P;
  queryOf: (place: P) => string;
  summary: (total: number) => string;
  onRetry: () => void;
  /** Loads what is shown once more. */
  onChange: () => Promise<void>;
  empty: ReactNode;
  /** The rows; `removed` is to be told when one is gone. */
  children: (items: readonly T[], removed: () => void) => ReactNode;
}

/**
 * A list with its pager: ListSkeleton.astro's skeleton, then the old page, dimmed, until the next is there.
 * What goes wrong is said in place, with a button that tries again.
 */
export function PagedSection<T, P extends Place>(props: Props<T, P>) {
  const { state, asked, queryOf, summary, onRetry, onChange, empty, children } = props;
  const { shown, isLoading, problem } = state;
  const status = useRef<HTMLOutputElement>(null);
  const isTurning = useRef(false);

  // The reader who turned the page begins at its top, with the keyboard as with the eyes.
  useEffect(() => {
    if (!shown || isLoading || !isTurning.current) return;
    isTurning.current = false;
    scrollTo(0, 0);
    status.current?.focus({ preventScroll: true });
  }, [shown, isLoading]);

  // A page beyond the last is the last, and its address says so.
  const isAnswered = shown !== null && queryOf(shown.asked) === queryOf(asked);
  const trueQuery = isAnswered && shown.place.page < shown.asked.page ? queryOf(shown.place) : null;
  useEffect(() => {
    if (trueQuery !== null) correctTo(trueQuery);
  }, [trueQuery]);

  // Who comes back to the page sees what has changed meanwhile, in another tab or on another device.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') void onChange();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [onChange]);

  // The row that had the focus is gone; the keyboard goes on from the top of the list.
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
