import { atom, type ReadableAtom } from 'nanostores';
import { explain } from '../client/call-error.ts';

export interface Answer<T> {
  $answer: ReadableAtom<{
    /** Null until the first success; kept while a later call runs or fails. */
    data: T | null;
    problem: string;
  }>;
  load(): Promise<void>;
  /** Replaces the data after a change that needs no other call. */
  change(work: (data: T | null) => T): void;
}

export function createAnswer<T>(ask: () => Promise<T>): Answer<T> {
  const $answer = atom<{ data: T | null; problem: string }>({ data: null, problem: '' });
  return {
    $answer,
    async load() {
      try {
        $answer.set({ data: await ask(), problem: '' });
      } catch (error) {
        $answer.set({ ...$answer.get(), problem: explain(error, '没有加载成功，请稍后再试') });
      }
    },
    change: (work) => $answer.set({ data: work($answer.get().data), problem: '' }),
  };
}
