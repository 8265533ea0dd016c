import { atom } from 'nanostores';
import { explain } from '../client/call-error.ts';

export function createAnswer<T>(ask: () => Promise<T>) {
  /** `data` is null until the first success; kept while a later call runs or fails. */
  const $answer = atom<{ data: T | null; problem: string }>({ data: null, problem: '' });
  return {
    $answer,
    async load(): Promise<void> {
      try {
        $answer.set({ data: await ask(), problem: '' });
      } catch (error) {
        $answer.set({ ...$answer.get(), problem: explain(error, '没有加载成功，请稍后再试') });
      }
    },
    /** Replaces the data after a change that needs no other call. */
    change: (work: (data: T | null) => T): void =>
      $answer.set({ data: work($answer.get().data), problem: '' }),
  };
}
