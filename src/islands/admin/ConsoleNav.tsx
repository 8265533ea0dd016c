import { useStore } from '@nanostores/react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import type { StaffCounts } from '../../lib/contract/staff-counts.ts';
import { $staffCounts } from '../../lib/stores/staff-counts.ts';
import { QuietButton } from '../ui/Button.tsx';
import { island } from '../ui/island.tsx';

interface Link {
  href: string;
  text: string;
  badge?: keyof StaffCounts;
  isCurrent?: boolean;
}

interface Props {
  groups: readonly { name: string; links: readonly Link[] }[];
}

const MAX_SHOWN_COUNT = 99;

/** Navigation of the console: one row of groups; on phones a button that opens them as a menu. */
export default island(function ConsoleNav({ groups }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const counts = useStore($staffCounts, { ssr: 'initial' });
  const links = groups.flatMap((group) => group.links);
  const current = links.find(({ isCurrent }) => isCurrent)?.text ?? '';
  const pending = links.reduce((sum, { badge }) => sum + ((badge && counts[badge]) ?? 0), 0);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Escape closes the menu from within.
    <div className="mt-4" onKeyDown={onKeyDown}>
      <QuietButton
        ref={button}
        className="md:hidden"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {current} <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
        <span className="sr-only">，管理的菜单</span>
        {!isOpen && <Count count={pending} />}
      </QuietButton>
      <nav
        id={id}
        aria-label="管理"
        className={`${isOpen ? 'grid' : 'hidden'} mt-2 md:(flex gap-x-3.5 mt-0) text-sm whitespace-nowrap`}
      >
        {groups.map((group, index) => (
          <ul
            key={group.name}
            role="list"
            aria-label={group.name}
            className="flex gap-x-5 max-md:(flex-wrap pl-15) md:gap-x-3.5"
          >
            {/* On wide screens a line between the groups. */}
            <li
              aria-hidden="true"
              className={`flex-none w-10 self-center text-soft max-md:-ml-15 md:(w-px h-4 overflow-hidden bg-line text-transparent) ${index === 0 ? 'md:hidden' : ''}`}
            >
              {group.name}
            </li>
            {group.links.map(({ href, text, badge, isCurrent }) => (
              <li key={href}>
                <a href={href} className="tab max-md:min-w-11" aria-current={isCurrent ? 'page' : undefined}>
                  {text}
                  <Count count={(badge && counts[badge]) ?? 0} />
                </a>
              </li>
            ))}
          </ul>
        ))}
      </nav>
    </div>
  );
});

function Count({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="ml-1 text-vermilion font-600 tabular-nums" aria-label={`${count} 项`}>
      {count > MAX_SHOWN_COUNT ? `${MAX_SHOWN_COUNT}+` : count}
    </span>
  );
}
