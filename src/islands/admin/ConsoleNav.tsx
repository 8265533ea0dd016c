import { useStore } from '@nanostores/react';
import type { StaffCounts } from '../../lib/contract/staff-counts.ts';
import { $staffCounts } from '../../lib/stores/staff-counts.ts';
import { island } from '../ui/island.tsx';

interface Props {
  sections: readonly { href: string; text: string; badge?: keyof StaffCounts }[];
  pathname: string;
}

const MAX_SHOWN_COUNT = 99;

export default island(function ConsoleNav({ sections, pathname }: Props) {
  const counts = useStore($staffCounts, { ssr: 'initial' });
  return (
    <nav aria-label="管理" className="mt-4 flex flex-wrap gap-x-6 text-sm whitespace-nowrap">
      {sections.map(({ href, text, badge }) => {
        const count = (badge && counts[badge]) ?? 0;
        return (
          <a key={href} href={href} className="tab" aria-current={href === pathname ? 'page' : undefined}>
            {text}
            {count > 0 && (
              <span className="ml-1 text-vermilion font-600 tabular-nums" aria-label={`${count} 项`}>
                {count > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : count}
              </span>
            )}
          </a>
        );
      })}
    </nav>
  );
});
