import { Menu } from '@base-ui/react/menu';
import { useRef } from 'react';
import { Icon } from '../writing/Icon.tsx';
import { keyText } from '../writing/keys.ts';
import { useIsWide } from './use-screen.ts';

export interface MoreItem {
  text: string;
  /** Shortcut in CodeMirror's notation, shown where there is room for a keyboard. */
  keys?: string;
  /**
   * Whether it moves focus. Such an item runs after the menu has closed, so the menu does not restore focus.
   */
  movesFocus?: boolean;
  run(): void;
}

export function DeskMore({ items }: { items: readonly MoreItem[] }) {
  const isWide = useIsWide();
  const next = useRef<MoreItem>(null);
  const runNext = () => {
    next.current?.run();
    next.current = null;
  };
  if (items.length === 0) return null;
  return (
    <Menu.Root modal={false} onOpenChangeComplete={(isOpen) => !isOpen && runNext()}>
      <Menu.Trigger className="tool text-soft" aria-label="更多" title="更多">
        <Icon name="more" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="z-20" side="top" align="end" sideOffset={6}>
          <Menu.Popup
            finalFocus={() => next.current === null}
            className="w-44 py-1 border border-solid border-line rounded bg-raised shadow-float outline-none"
          >
            {items.map((item) => (
              <Menu.Item
                key={item.text}
                className="account-item cursor-pointer data-[highlighted]:bg-sunk"
                onClick={() => (item.movesFocus ? (next.current = item) : item.run())}
              >
                {item.text}
                {isWide && item.keys && (
                  <kbd className="ml-auto font-sans text-soft">{keyText(item.keys)}</kbd>
                )}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
