import { useStore } from '@nanostores/react';
import { useEffect, type ReactNode } from 'react';
import { goToSignIn } from '../../lib/stores/api.ts';
import { showLeftNotice } from '../../lib/stores/trash.ts';
import { $session } from '../../lib/stores/account/session.ts';

interface Props {
  waiting: ReactNode;
  children: (username: string) => ReactNode;
}

/** Content for signed-in users. Redirects to the sign-in page as soon as any tab signs out. */
export function SignedIn({ waiting, children }: Props) {
  const username = useStore($session, { ssr: 'initial' })?.username;
  useEffect(showLeftNotice, []);
  // Reads the store: the first render matches the server's, which has no session.
  useEffect(() => {
    if (username === undefined && $session.get() === null) goToSignIn();
  }, [username]);
  return username === undefined ? waiting : children(username);
}
