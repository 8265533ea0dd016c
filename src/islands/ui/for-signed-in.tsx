import { useStore } from '@nanostores/react';
import { useEffect, type ComponentType, type ReactNode } from 'react';
import { goToSignIn } from '../../lib/stores/api.ts';
import { showLeft } from '../../lib/stores/left-notice.ts';
import { showLeftNotice } from '../../lib/stores/trash.ts';
import { $session } from '../../lib/stores/account/session.ts';
import { island } from './island.tsx';
import { ListSkeleton } from './paged/ListSkeleton.tsx';

interface Waiting {
  /** Shown until the session is known, by default `ListSkeleton`. */
  children?: ReactNode;
}

/**
 * Part of an island for signed-in users. Remounts its content when another user signs in. Redirects to the
 * sign-in page as soon as the user signs out in any tab.
 */
export const signedInOnly = <P extends object = object>(
  Content: ComponentType<NoInfer<P> & { username: string }>,
) =>
  function SignedInOnly(props: P & Waiting) {
    const username = useStore($session, { ssr: 'initial' })?.username;
    useEffect(() => {
      showLeftNotice();
      showLeft();
    }, []);
    // Reads the store: the first render matches the server's, which has no session.
    useEffect(() => {
      if (username === undefined && $session.get() === null) goToSignIn();
    }, [username]);
    return username === undefined ? (
      (props.children ?? <ListSkeleton />)
    ) : (
      <Content key={username} {...props} username={username} />
    );
  };

/** Island for signed-in users, see `signedInOnly`. */
export const forSignedIn = <P extends object = object>(
  Content: ComponentType<NoInfer<P> & { username: string }>,
) => island(signedInOnly<P>(Content));
