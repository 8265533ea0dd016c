import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { isSameName } from '../../lib/contract/rules/names.ts';
import { $session } from '../../lib/stores/account/session.ts';

/**
 * Whether the reader owns the profile or article of the page. If so, hides its parts for other readers,
 * `data-for="others"`.
 */
export function useIsOwner(username: string): boolean {
  const session = useStore($session, { ssr: 'initial' });
  const isOwner = session !== null && isSameName(session.username, username);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-own', isOwner);
  }, [isOwner]);
  return isOwner;
}
