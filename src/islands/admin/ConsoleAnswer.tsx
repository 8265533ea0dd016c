import type { ReactNode } from 'react';
import { SignedIn } from '../dashboards/SignedIn.tsx';
import { Answered } from '../ui/Answered.tsx';

interface Props<T> {
  ask: () => Promise<T>;
  /** Stands there until it is known who is signed in, and what was answered. */
  waiting: ReactNode;
  children: (data: T, load: () => Promise<void>) => ReactNode;
}

/** A page of the console that one call answers, for whoever is signed in. */
export const ConsoleAnswer = <T,>({ ask, waiting, children }: Props<T>) => (
  <SignedIn waiting={waiting}>
    {(username) => (
      <Answered key={username} ask={ask} waiting={waiting}>
        {children}
      </Answered>
    )}
  </SignedIn>
);
