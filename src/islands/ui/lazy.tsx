import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

/** How long code may take to arrive, DESIGN.md §4. */
export const CHUNK_MS = 120_000;

/** What `load` loads; throws what it throws, and an Error where nothing arrives within 120 s. */
export function loadInTime<T>(load: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('code did not arrive in time')), CHUNK_MS);
    void load()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/**
 * A component loaded when first drawn: `lazyPart(() => import('./Crop.tsx'), <Skeleton />)`, which a retry
 * replaces where nothing arrives in 120 s.
 * @param load loads a module with the component as its default export
 * @param waiting stands in its place meanwhile
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
      // What arrives too late is still welcome.
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
        {failures > attempt && <NotLoaded onRetry={retry} />}
      </>
    );
  };
}

function NotLoaded({ onRetry }: { onRetry(): void }) {
  return (
    <p role="alert" className="my-4 text-sm text-soft">
      这部分没有加载出来，可能是网络不稳。
      <button type="button" className="button-text" onClick={onRetry}>
        重试
      </button>
    </p>
  );
}
