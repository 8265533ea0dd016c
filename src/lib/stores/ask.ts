import { atom } from 'nanostores';

/** A question that needs a yes or a no before something that cannot be undone. */
export interface Question {
  title: string;
  text?: string;
  /** What yes says: 删除, 离开. */
  action: string;
  /** Yes destroys something: shown in vermilion, and No has the focus. */
  isDestructive?: boolean;
}

/** The question on screen, and where its answer goes. */
export const $question = atom<(Question & { answer(isYes: boolean): void }) | null>(null);

/** Asks the reader. False also when they close the dialog. A second question answers the first with no. */
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
