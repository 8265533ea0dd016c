import { memo, useEffect, type ComponentType, type NamedExoticComponent } from 'react';
import { doAgain } from '../do-again.ts';
import { startPageParts } from '../page-parts.tsx';
import { IslandBoundary } from './IslandBoundary.tsx';
import { NotLoaded } from './NotLoaded.tsx';

/**
 * A component as pages mount it: its faults take nothing else away, what was done before is done again, and
 * the page's own parts start. Server and first drawing show what a visitor sees; stores bring the rest.
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
