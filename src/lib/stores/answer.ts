import { atom, type ReadableAtom } from 'nanostores';
import { isCallError } from '../client/call-error.ts';

/** What a call has answered, as a page shows it. */
export interface Answer<T> {
  $answer: ReadableAtom<{
    /** Null until the first answer; it stays while the next is under way or fails. */
    data: T | null;
    /** Why there is none, or no newer one; otherwise the empty string. */
    problem: string;
  }>;
  /** Asks, once more where it has answered already. Never throws. */
  load(): Promise<void>;
}

/** An answer that `ask` gets. */
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
