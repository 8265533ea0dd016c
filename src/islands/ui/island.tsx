import { memo, useEffect, type ComponentType, type NamedExoticComponent } from 'react';
import { doAgain } from '../do-again.ts';
import { startPageParts } from '../page-parts.tsx';
import { IslandBoundary } from './IslandBoundary.tsx';
import { NotLoaded } from './NotLoaded.tsx';

/**
 * A component as pages mount it with `client:when`: a fault in it takes nothing else away, what was done on
 * it before is done again, and messages, questions and the loading sign of the page are there with it. It
 * draws on the server and in its first drawing in the browser what a visitor sees; what depends on the reader
 * comes after that, from stores.
 */
export function island<P extends object>(Component: ComponentType<P>): NamedExoticComponent<P> {
  // Astro renders a plain function once more, to find out whether it is React's.
  return memo(function Island(props: P) {
    useEffect(() => {
      startPageParts();
      doAgain();
    }, []);
    return (
      <>
        <IslandBoundary>
          <Component {...props} />
        </IslandBoundary>
        <NotLoaded />
      </>
    );
  });
}
