import { useStore } from '@nanostores/react';
import { useEffect, type ReactNode } from 'react';
import { goToSignIn } from '../../lib/stores/api.ts';
import { showLeftNotice } from '../../lib/stores/trash.ts';
import { $session } from '../../lib/stores/session.ts';

interface Props {
  /** Stands there until it is known who is signed in. */
  waiting: ReactNode;
  children: (username: string) => ReactNode;
}

/** What belongs to whoever is signed in; gone at once, for the sign-in page, when any tab signs out. */
export function SignedIn({ waiting, children }: Props) {
  const username = useStore($session, { ssr: 'initial' })?.username;
  useEffect(showLeftNotice, []);
  // Asked of the store: the first drawing is that of the server, which knows nobody.
  useEffect(() => {
    if (username === undefined && $session.get() === null) goToSignIn();
  }, [username]);
  return username === undefined ? waiting : children(username);
}
