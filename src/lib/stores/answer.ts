import { atom, type ReadableAtom } from 'nanostores';
import { isCallError } from '../client/call-error.ts';

export interface Answer<T> {
  $answer: ReadableAtom<{
    /** Null until the first success; kept while a later call runs or fails. */
    data: T | null;
    problem: string;
  }>;
  load(): Promise<void>;
}

export function createAnswer<T>(ask: () => Promise<T>): Answer<T> {
  const $answer = atom<{ data: T | null; problem: string }>({ data: null, problem: '' });
  return {
    $answer,
    async load() {
      try {
        $answer.set({ data: await ask(), problem: '' });
      } catch (error) {
        const problem = isCallError(error) ? error.message : '没有加载成功，请稍后再试';
        $answer.set({ ...$answer.get(), problem });
      }
    },
  };
}
