import { ItemMenu, type MenuItem } from '../../ui/ItemMenu.tsx';
import { Icon } from '../writing/Icon.tsx';
import { keyText } from '../writing/keys.ts';
import { useIsWide } from './use-screen.ts';

export interface MoreItem extends Omit<MenuItem, 'note'> {
  /** Shortcut in CodeMirror's notation, shown where there is room for a keyboard. */
  keys?: string;
}

export function DeskMore({ items }: { items: readonly MoreItem[] }) {
  const isWide = useIsWide();
  if (items.length === 0) return null;
  const noted = items.map(({ keys, ...item }) => ({
    ...item,
    note: isWide && keys && <kbd className="ml-auto font-sans text-soft">{keyText(keys)}</kbd>,
  }));
  return (
    <ItemMenu items={noted} side="top" align="end" className="tool text-soft" aria-label="更多" title="更多">
      <Icon name="more" />
    </ItemMenu>
  );
}
