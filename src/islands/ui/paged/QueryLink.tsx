import type { ComponentProps, MouseEvent } from 'react';
import { goTo } from '../../../lib/stores/account/address.ts';

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  /** Query of this page including `?`; the empty string for no query. */
  query: string;
}

/** Whether a click navigates in this tab, not in a new tab or window. */
export const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Navigates to another query of this page on a plain click. Other clicks keep their browser default. */
export function followQuery(event: MouseEvent, query: string): void {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  goTo(query);
}

export function QueryLink({ query, children, ...rest }: Props) {
  return (
    <a {...rest} href={location.pathname + query} onClick={(event) => followQuery(event, query)}>
      {children}
    </a>
  );
}
