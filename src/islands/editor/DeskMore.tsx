import { Menu } from '@base-ui/react/menu';
import { Icon } from './Icon.tsx';

export interface MoreItem {
  text: string;
  run(): void;
}

/** What is done with a text now and then, in a menu. */
export function DeskMore({ items }: { items: readonly MoreItem[] }) {
  if (items.length === 0) return null;
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="tool text-soft" aria-label="更多" title="更多">
        <Icon name="more" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="z-20" side="top" align="end" sideOffset={6}>
          <Menu.Popup className="w-44 py-1 border border-solid border-line rounded bg-raised shadow-float outline-none">
            {items.map(({ text, run }) => (
              <Menu.Item
                key={text}
                className="account-item cursor-pointer data-[highlighted]:bg-sunk"
                onClick={run}
              >
                {text}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
