import { useEffect, type ComponentType } from 'react';
import { attend } from '../attendants.tsx';
import { IslandBoundary } from './IslandBoundary.tsx';

/**
 * A component as pages mount it with `client:when`: a fault in it takes nothing else away, and messages,
 * questions and the loading sign of the page are there with it. It draws on the server and in its first
 * drawing in the browser what a visitor sees; what depends on the reader comes after that, from stores.
 */
export function island<P extends object>(Component: ComponentType<P>): ComponentType<P> {
  return function Island(props: P) {
    useEffect(attend, []);
    return (
      <IslandBoundary>
        <Component {...props} />
      </IslandBoundary>
    );
  };
}
