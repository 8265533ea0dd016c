import { useEffect, useRef, useState, type ComponentType, type MouseEvent, type ReactNode } from 'react';
import { correctTo } from '../../../lib/stores/account/address.ts';
import type { ListState, Place, Shown } from '../../../lib/stores/paged-list.ts';
import { Pager } from './Pager.tsx';
import { Problem } from '../form/Problem.tsx';
import { followQuery } from './QueryLink.tsx';

export interface PartsProps<P extends Place> {
  place: P;
  part: NonNullable<Shown<unknown, P>['part']>;
  isLoading: boolean;
  onStop: (() => void) | undefined;
  /** Goes to another query of the page and moves the focus to the list. */
  onTurn: (event: MouseEvent, query: string) => void;
}

interface Props<T, P extends Place> {
  state: ListState<T, P>;
  asked: P;
  queryOf: (place: P) => string;
  summary: (total: number) => string;
  onRetry: () => void;
  onChange: () => Promise<void>;
  empty: ReactNode;
  Parts?: ComponentType<PartsProps<P>> | undefined;
  onStop?: () => void;
  /** Renders the rows. Call `removed` after an item was removed. */
  children: (items: readonly T[], removed: () => void) => ReactNode;
}

/**
 * List with a pager. Shows the rows of ListSkeleton.tsx first, and the previous page dimmed while the
 * next one loads. Errors appear in place with a retry button.
 */
export function PagedSection<T, P extends Place>(props: Props<T, P>) {
  const { state, asked, queryOf, summary, onRetry, onChange, empty, Parts, onStop, children } = props;
  const { shown, isLoading, problem } = state;
  const status = useRef<HTMLOutputElement>(null);
  const isTurning = useRef(false);

  const isAnswered = shown !== null && queryOf(shown.asked) === queryOf(asked);
  const isOld = isLoading && !(isAnswered && shown.part);

  // After turning the page, scroll to its top and move focus there.
  useEffect(() => {
    if (!shown || isOld || !isTurning.current) return;
    isTurning.current = false;
    scrollTo(0, 0);
    status.current?.focus({ preventScroll: true });
  }, [shown, isOld]);

  // Beyond the last page the server returns the last one; correct the URL.
  const trueQuery = isAnswered && shown.place.page < shown.asked.page ? queryOf(shown.place) : null;
  useEffect(() => {
    if (trueQuery !== null) correctTo(trueQuery);
  }, [trueQuery]);

  // On return to the tab, load changes made in other tabs or on other devices. A search in parts is too slow.
  const isInParts = shown?.part !== undefined;
  useEffect(() => {
    if (isInParts) return undefined;
    const look = () => {
      if (document.visibilityState === 'visible') void onChange();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [onChange, isInParts]);

  // The row that had focus was removed; move focus to the top of the list.
  const [removals, setRemovals] = useState(0);
  const removed = () => void onChange().then(() => setRemovals((count) => count + 1));
  useEffect(() => {
    if (removals > 0 && document.activeElement === document.body) status.current?.focus();
  }, [removals]);

  const follow = (event: MouseEvent, query: string) => {
    followQuery(event, query);
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
          aria-busy={isOld}
          className={`${shown.pageCount > 1 ? '' : 'pb-16'} transition-opacity duration-150 aria-busy:opacity-50`}
        >
          {shown.items.length > 0 && children(shown.items, removed)}
          {shown.items.length === 0 && (!isLoading || isOld) && empty}
          {Parts && shown.part && (
            <Parts
              place={shown.place}
              part={shown.part}
              isLoading={isLoading}
              onStop={onStop}
              onTurn={follow}
            />
          )}
          <Pager
            page={shown.place.page}
            pageCount={shown.pageCount}
            href={(page) => location.pathname + queryOf({ ...shown.place, page })}
            onTurn={(event, page) => follow(event, queryOf({ ...shown.place, page }))}
          />
        </div>
      )}
    </>
  );
}
