import { Menu } from '@base-ui/react/menu';
import { useRef, type ComponentProps, type ReactNode, type Ref } from 'react';

export interface MenuItem {
  text: string;
  /** Shown at the end, such as a shortcut. */
  note?: ReactNode;
  isDangerous?: boolean;
  /**
   * Whether it moves focus. Such an item runs after the menu has closed, so the menu does not restore focus.
   */
  movesFocus?: boolean;
  run(): void;
}

interface Props extends Pick<ComponentProps<'button'>, 'className' | 'title' | 'aria-label' | 'children'> {
  items: readonly MenuItem[];
  side: 'top' | 'bottom';
  align: 'start' | 'end';
  ref?: Ref<HTMLButtonElement>;
}

/** Button that opens a menu of actions. */
export function ItemMenu({ items, side, align, ...trigger }: Props) {
  const next = useRef<MenuItem>(null);
  const runNext = () => {
    next.current?.run();
    next.current = null;
  };
  return (
    <Menu.Root modal={false} onOpenChangeComplete={(isOpen) => !isOpen && runNext()}>
      <Menu.Trigger {...trigger} />
      <Menu.Portal>
        <Menu.Positioner className="z-20" side={side} align={align} sideOffset={6}>
          <Menu.Popup
            finalFocus={() => next.current === null}
            className="w-44 py-1 border border-solid border-line rounded bg-raised shadow-float outline-none"
          >
            {items.map((item) => (
              <Menu.Item
                key={item.text}
                className={`account-item cursor-pointer data-[highlighted]:bg-sunk ${item.isDangerous ? 'text-vermilion' : ''}`}
                onClick={() => (item.movesFocus ? (next.current = item) : item.run())}
              >
                {item.text}
                {item.note}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
