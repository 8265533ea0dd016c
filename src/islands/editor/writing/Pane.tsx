import { Tabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface Props {
  value: 'write' | 'preview';
  name: string;
  isWide: boolean;
  isShown: boolean;
  children: ReactNode;
}

/**
 * Pane of the editor: a tab panel on phones, else a region. Both panes stay mounted, so neither loses its
 * state.
 */
export function Pane({ value, name, isWide, isShown, children }: Props) {
  const region = {
    role: 'region',
    'aria-label': name,
    'aria-labelledby': undefined,
    tabIndex: undefined,
    inert: false,
  };
  return (
    <Tabs.Panel
      value={value}
      keepMounted
      className={`desk-${value}`}
      render={(panel) => <div {...panel} {...(isWide ? region : {})} hidden={!isShown} />}
    >
      {children}
    </Tabs.Panel>
  );
}
