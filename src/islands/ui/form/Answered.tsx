import { useStore } from '@nanostores/react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { createAnswer } from '../../../lib/stores/answer.ts';
import { Problem } from './Problem.tsx';

interface Props<T> {
  /** Makes the call. Pass a stable function: a new identity would trigger a refetch. */
  ask: () => Promise<T>;
  waiting?: ReactNode;
  /** Renders the response. `reload` makes the call again and keeps the last response until then. */
  children: (data: T, reload: () => void) => ReactNode;
}

/** Makes a call on mount and renders its response. A failure is shown with a retry button. */
export function Answered<T>({ ask, waiting, children }: Props<T>) {
  const answer = useMemo(() => createAnswer(ask), [ask]);
  const { data, problem } = useStore(answer.$answer);
  const reload = () => void answer.load();
  useEffect(() => void answer.load(), [answer]);
  return (
    <>
      <Problem text={problem} onRetry={reload} />
      {data === null ? problem === '' && waiting : children(data, reload)}
    </>
  );
}
