import type { ReactNode } from 'react';
import { Answered } from '../ui/form/Answered.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { ListSkeleton } from '../ui/paged/ListSkeleton.tsx';

/** Island of a console page that shows the response of one call. `reload` makes the call again. */
export const consoleAnswer = <T,>(
  ask: () => Promise<T>,
  render: (data: T, reload: () => void) => ReactNode,
) =>
  forSignedIn(function ConsoleAnswer() {
    return (
      <Answered ask={ask} waiting={<ListSkeleton />}>
        {render}
      </Answered>
    );
  });
