import { useStore } from '@nanostores/react';
import { useEffect, useMemo, type ReactNode } from 'react';
import { createAnswer } from '../../lib/stores/answer.ts';
import { Problem } from './Problem.tsx';

interface Props<T> {
  /** Asks the server. The same function each time: another one would be asked anew. */
  ask: () => Promise<T>;
  /** Stands there until the answer does. */
  waiting?: ReactNode;
  /** Draws the answer; `load` asks again, and the last answer stays meanwhile. */
  children: (data: T, load: () => Promise<void>) => ReactNode;
}

/** What a call has answered, asked when this is shown; a failure is said, with a way to try again. */
export function Answered<T>({ ask, waiting, children }: Props<T>) {
  const answer = useMemo(() => createAnswer(ask), [ask]);
  const { data, problem } = useStore(answer.$answer);
  useEffect(() => void answer.load(), [answer]);
  return (
    <>
      <Problem text={problem} onRetry={() => void answer.load()} />
      {data === null ? problem === '' && waiting : children(data, answer.load)}
    </>
  );
}
