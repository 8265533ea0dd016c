import type { Place } from '../../../lib/stores/paged-list.ts';
import { placeQuery } from './place.ts';
import { QueryLink } from './QueryLink.tsx';

interface Props<P extends Place> {
  place: P;
  /** Query parameter that the tabs set. */
  name: string;
  tabs: readonly { show: string; text: string }[];
}

export function PlaceTabs<P extends Place>({ place, name, tabs }: Props<P>) {
  const current = placeQuery({ ...place, page: 1 });
  return (
    <nav aria-label="筛选" className="flex flex-wrap gap-x-6 text-sm">
      {tabs.map(({ show, text }) => {
        const query = placeQuery({ ...place, page: 1, [name]: show });
        return (
          <QueryLink
            key={show}
            query={query}
            aria-current={query === current ? 'true' : undefined}
            className="nav-link min-w-11"
          >
            {text}
          </QueryLink>
        );
      })}
    </nav>
  );
}
