import { icons } from '../../components/icons.ts';
import { pageWindow } from '../../components/page-window.ts';
import { Icon } from '../ui/Icon.tsx';
import { QueryLink } from './QueryLink.tsx';

interface Props {
  page: number;
  pageCount: number;
  /** Query of a page. */
  queryOf: (page: number) => string;
  onFollow: () => void;
}

/** The pager of the public lists (Pagination.astro), turning pages in place. */
export function Pager({ page, pageCount, queryOf, onFollow }: Props) {
  if (pageCount === 1) return null;
  const number = (target: number) => (
    <QueryLink
      query={queryOf(target)}
      onFollow={onFollow}
      aria-label={`第 ${target} 页`}
      aria-current={target === page ? 'page' : undefined}
      className="quiet-link inline-grid place-items-center min-w-10 h-11 px-1.5 rounded aria-[current=page]:(bg-sunk font-600)"
    >
      {target}
    </QueryLink>
  );
  const step = (target: number, rel: 'prev' | 'next') => {
    if (target < 1 || target > pageCount) return <span className="button-quiet invisible" />;
    return (
      <QueryLink query={queryOf(target)} onFollow={onFollow} rel={rel} className="button-quiet">
        {rel === 'prev' && <Icon svg={icons.chevronLeft} />}
        {rel === 'prev' ? '上一页' : '下一页'}
        {rel === 'next' && <Icon svg={icons.chevronRight} />}
      </QueryLink>
    );
  };
  return (
    <nav
      aria-label="分页"
      className="hairline flex flex-wrap items-center justify-between gap-3 pt-6 pb-16 text-sm"
    >
      {step(page - 1, 'prev')}
      <ol
        role="list"
        className="flex flex-wrap justify-center gap-1 tabular-nums order-first w-full sm:(order-none w-auto)"
      >
        {pageWindow(page, pageCount).map((target, index) => (
          <li key={target ?? `gap-${index}`}>
            {target === null ? (
              <span className="inline-grid place-items-center min-w-6 h-11 text-soft" aria-hidden="true">
                …
              </span>
            ) : (
              number(target)
            )}
          </li>
        ))}
      </ol>
      {step(page + 1, 'next')}
    </nav>
  );
}
