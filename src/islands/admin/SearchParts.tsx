import type { MouseEvent } from 'react';
import { dayOf, formatMinute } from '../../lib/shared/time.ts';
import type { Place } from '../../lib/stores/paged-list.ts';
import type { PartsProps } from '../ui/paged/PagedSection.tsx';
import { placeQuery } from '../ui/paged/place.ts';

/** State of a search in parts, and the links to its other parts. */
export function SearchParts<P extends Place & { from: string }>(props: PartsProps<P>) {
  const { place, part, isLoading, onStop, onTurn } = props;
  const { cursor, searchedTo } = part;
  const day = searchedTo === null ? '' : dayOf(formatMinute(searchedTo));
  const linkTo = (from: string) => {
    const query = placeQuery({ ...place, page: 1, from });
    return {
      href: location.pathname + query,
      onClick: (event: MouseEvent) => onTurn(event, query),
      className: 'button-quiet',
    };
  };
  if (!isLoading && cursor === null && place.from === '') return null;
  return (
    <nav aria-label="继续查找" className="hairline flex flex-wrap items-center gap-4 py-6 text-sm text-soft">
      {isLoading && (
        <>
          <span>正在查找，已查到 {day}…</span>
          <button type="button" className="button-quiet" onClick={onStop}>
            停止
          </button>
        </>
      )}
      {!isLoading && cursor !== null && <a {...linkTo(cursor)}>继续查找 {day} 以前的</a>}
      {!isLoading && cursor === null && <span>已经查到最早的。</span>}
      {!isLoading && place.from !== '' && <a {...linkTo('')}>从最新的查起</a>}
    </nav>
  );
}
