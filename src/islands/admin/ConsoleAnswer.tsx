import type { ReactNode } from 'react';
import { SignedIn } from '../dashboards/SignedIn.tsx';
import { Answered } from '../ui/form/Answered.tsx';

interface Props<T> {
  ask: () => Promise<T>;
  waiting: ReactNode;
  children: (data: T, load: () => Promise<void>) => ReactNode;
}

/** Console page that shows the response of one call, for signed-in staff. */
export const ConsoleAnswer = <T,>({ ask, waiting, children }: Props<T>) => (
  <SignedIn waiting={waiting}>
    {(username) => (
      <Answered key={username} ask={ask} waiting={waiting}>
        {children}
      </Answered>
    )}
  </SignedIn>
);
