import { useStore } from '@nanostores/react';
import { useEffect, type ReactNode } from 'react';
import { goToSignIn } from '../../lib/stores/api.ts';
import { showLeftNotice } from '../../lib/stores/later-notice.ts';
import { $session } from '../../lib/stores/session.ts';

/** What belongs to whoever is signed in. When they sign out, in whichever tab, it is gone at once and the sign-in page comes. */
export function SignedIn({ children }: { children: (username: string) => ReactNode }) {
  const username = useStore($session)?.username;
  useEffect(showLeftNotice, []);
  useEffect(() => {
    if (username === undefined) goToSignIn();
  }, [username]);
  return username === undefined ? null : children(username);
}
