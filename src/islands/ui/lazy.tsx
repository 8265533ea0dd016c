import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { Problem } from './form/Problem.tsx';

/** Timeout for loading code (docs/pages.md). */
export const CHUNK_TIMEOUT_MS = 120_000;

/** Resolves to what `load` resolves to. Rejects like `load`, or with an Error after 120 s. */
export function loadInTime<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('loading code timed out')), CHUNK_TIMEOUT_MS);
    void load()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/**
 * Component loaded on first render: `lazyPart(() => import('./Crop.tsx'), <Skeleton />)`. After a failure or
 * 120 s, a retry button appears.
 * @param load loads a module whose default export is the component
 * @param waiting shown while loading
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  waiting: ReactNode = null,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function LazyPart(props: P) {
    const [Part, setPart] = useState(() => loaded);
    const [failures, setFailures] = useState(0);
    const [attempt, setAttempt] = useState(0);
    useEffect(() => {
      if (loaded) return;
      const module = load();
      // A module that loads after the timeout is still used.
      const draw = (arrived: { default: ComponentType<P> }) => {
        loaded = arrived.default;
        setPart(() => arrived.default);
      };
      void module.then(draw, () => undefined);
      loadInTime(() => module).catch((error: unknown) => {
        console.error(error);
        setFailures((count) => count + 1);
      });
    }, [attempt]);
    if (Part) return <Part {...props} />;
    const retry = () => (failures > 1 ? location.reload() : setAttempt(attempt + 1));
    return (
      <>
        {waiting}
        <Problem
          text={failures > attempt ? '这部分没有加载出来，可能是网络不稳。' : ''}
          className="my-4 text-sm text-soft"
          onRetry={retry}
        />
      </>
    );
  };
}
