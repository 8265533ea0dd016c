import { useStore } from '@nanostores/react';
import { isSameName } from '../../lib/contract/rules/names.ts';
import { $session } from '../../lib/stores/account/session.ts';

export function useIsOwner(username: string): boolean {
  const session = useStore($session, { ssr: 'initial' });
  return session !== null && isSameName(session.username, username);
}
