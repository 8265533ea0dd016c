import { memo, type MouseEvent } from 'react';
import { pageWindow } from '../../../lib/shared/pages/page-window.ts';
import chevronLeft from '../../../icons/chevron-left.svg?raw';
import chevronRight from '../../../icons/chevron-right.svg?raw';
import { Icon } from '../Icon.tsx';

interface Props {
  page: number;
  pageCount: number;
  href: (page: number) => string;
  /** Called on a click on a page link, for lists that turn pages in place. */
  onTurn?: (event: MouseEvent, page: number) => void;
}

/**
 * Page numbers with 上一页 and 下一页, large enough for touch. Renders null for one page, which requires
 * `memo`: Astro does not recognize a plain function that returns null as a React component.
 */
export const Pager = memo(function Pager({ page, pageCount, href, onTurn }: Props) {
  if (pageCount <= 1) return null;
  const linkTo = (target: number) => ({
    href: href(target),
    onClick: (event: MouseEvent) => onTurn?.(event, target),
  });
  const step = (target: number, rel: 'prev' | 'next') =>
    target < 1 || target > pageCount ? (
      <span className="button-quiet invisible" />
    ) : (
      <a {...linkTo(target)} rel={rel} className="button-quiet">
        {rel === 'prev' && <Icon svg={chevronLeft} size={16} />}
        {rel === 'prev' ? '上一页' : '下一页'}
        {rel === 'next' && <Icon svg={chevronRight} size={16} />}
      </a>
    );
  return (
    <nav
      aria-label="分页"
      className="hairline flex flex-wrap items-center justify-between gap-3 pt-6 pb-16 text-sm"
      data-print="hide"
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
              <a
                {...linkTo(target)}
                aria-label={`第 ${target} 页`}
                aria-current={target === page ? 'page' : undefined}
                className="quiet-link inline-grid place-items-center min-w-10 h-11 px-1.5 rounded aria-[current=page]:(bg-sunk font-600)"
              >
                {target}
              </a>
            )}
          </li>
        ))}
      </ol>
      {step(page + 1, 'next')}
    </nav>
  );
});
