import { Facet } from '@codemirror/state';

/** What a command may need to know first, each asked in a way of its own. */
export type Question = 'language' | 'table' | 'picture' | 'emoji';

/** Told what a command asks; the answer comes as a change of its own. */
export const asking = Facet.define<(question: Question) => void, (question: Question) => void>({
  combine: (askers) => (question) => askers[0]?.(question),
});
