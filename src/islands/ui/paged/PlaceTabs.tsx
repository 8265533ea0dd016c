import type { Place } from '../../../lib/stores/paged-list.ts';
import { placeQuery } from './place.ts';
import { QueryLink } from './QueryLink.tsx';

interface Props<P extends Place> {
  place: P;
  /** Query parameter that the tabs set. */
  name: string;
  tabs: readonly { show: string; text: string; short?: string }[];
}

export function PlaceTabs<P extends Place>({ place, name, tabs }: Props<P>) {
  const current = placeQuery({ ...place, page: 1 });
  return (
    <nav aria-label="筛选" className="filters">
      {tabs.map(({ show, text, short }) => {
        const query = placeQuery({ ...place, page: 1, [name]: show });
        return (
          <QueryLink
            key={show}
            query={query}
            aria-current={query === current ? 'true' : undefined}
            className="nav-link min-w-11"
          >
            {short && <span className="sm:hidden">{short}</span>}
            <span className={short && 'max-sm:hidden'}>{text}</span>
          </QueryLink>
        );
      })}
    </nav>
  );
}
