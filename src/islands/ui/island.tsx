import { memo, useEffect, type ComponentType, type NamedExoticComponent } from 'react';
import { doAgain } from '../do-again.ts';
import { startPageParts } from '../page-parts.tsx';
import { IslandBoundary } from './IslandBoundary.tsx';
import { TextButton } from './Button.tsx';

/** Shown if an island's code fails to load. A click retries (hydrate.ts). chrome.css hides it until then. */
export function NotLoaded() {
  return (
    <p className="not-loaded" role="alert">
      <span>这部分没有加载出来，可能是网络不稳。</span>
      <TextButton>重试</TextButton>
    </p>
  );
}

/**
 * Wraps a component for use in pages: contains its errors, replays interactions from before hydration, and
 * starts the page parts. The server and the first render show what a visitor sees; stores update it
 * afterwards.
 */
export function island<P extends object>(Component: ComponentType<P>): NamedExoticComponent<P> {
  // Without `memo`, Astro renders a plain function one extra time to detect whether it is a React component.
  return memo(function Island(props: P) {
    useEffect(() => {
      startPageParts();
      // The first render had the server's values of stores; the next one follows before a microtask.
      queueMicrotask(doAgain);
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
