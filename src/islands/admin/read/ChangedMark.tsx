import { useStore } from '@nanostores/react';
import { $changedKeys, readKey, type Item } from '../../../lib/stores/staff-reads.ts';

/** Announces, before a decision, that items have changed since staff has seen them. */
export function ChangedMark({ items }: { items: readonly Item[] }) {
  const changed = useStore($changedKeys, { ssr: 'initial' });
  const { length: count } = items.filter((item) => changed.has(readKey(item)));
  if (count === 0) return null;
  return (
    <output className="block text-sm text-vermilion">
      {items.length === 1
        ? '你看过之后有改动，请看过现在的全文再决定。'
        : `${count} 项在你看过之后有改动，这次不会处理。`}
    </output>
  );
}

/** The mark of the chosen rows, below the buttons of their selection; each row has its own. */
export const ChosenMark = ({ items }: { items: readonly Item[] }) =>
  items.length > 1 && (
    <div className="w-full pl-2.5 pb-1 empty:hidden">
      <ChangedMark items={items} />
    </div>
  );
