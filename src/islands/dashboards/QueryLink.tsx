import type { ComponentProps, MouseEvent } from 'react';
import { goTo } from '../../lib/stores/address.ts';

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  /** A query of this page, `?` included; the empty string is the page without one. */
  query: string;
}

/** Whether a click means "follow this link here", not in a new tab or window. */
export const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** Goes to another query of this page on a plain click; every other click is the browser's. */
export function followQuery(event: MouseEvent, query: string): void {
  if (!isPlainClick(event)) return;
  event.preventDefault();
  goTo(query);
}

/** A link to another query of this page, which a plain click does not leave. */
export function QueryLink({ query, children, ...rest }: Props) {
  return (
    <a {...rest} href={location.pathname + query} onClick={(event) => followQuery(event, query)}>
      {children}
    </a>
  );
}
