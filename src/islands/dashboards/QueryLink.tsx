import type { ComponentProps, MouseEvent } from 'react';
import { goTo } from '../../lib/stores/address.ts';

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  /** A query of this page, `?` included; the empty string is the page without one. */
  query: string;
  /** Told when the link is followed without leaving the page. */
  onFollow?: () => void;
}

/** Whether a click means "follow this link here", not in a new tab or window. */
export const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;

/** A link to another query of this page. A plain click stays on the page; every other click is the browser's. */
export function QueryLink({ query, onFollow, children, ...rest }: Props) {
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onFollow?.();
    goTo(query);
  };
  return (
    <a {...rest} href={location.pathname + query} onClick={follow}>
      {children}
    </a>
  );
}
