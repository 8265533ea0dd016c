import { Tabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

interface Props {
  value: 'write' | 'preview';
  name: string;
  /** Whether both sides stand side by side. */
  isWide: boolean;
  isShown: boolean;
  children: ReactNode;
}

/** A side of the desk: a tab's panel on a phone, else a region. Always drawn, so neither begins anew. */
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
