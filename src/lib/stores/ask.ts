import { atom } from 'nanostores';

export interface Question {
  title: string;
  text?: string;
  action: string;
  isDestructive?: boolean;
}

export const $question = atom<(Question & { answer(isYes: boolean): void }) | null>(null);

/**
 * Asks the reader. Resolves to false also when they close the dialog; a second question answers the first
 * with no.
 */
export function ask(question: Question): Promise<boolean> {
  $question.get()?.answer(false);
  return new Promise((resolve) => {
    const answer = (isYes: boolean) => {
      $question.set(null);
      resolve(isYes);
    };
    $question.set({ ...question, answer });
  });
}
