import { Facet } from '@codemirror/state';

/** Input that a command may need first; each kind has its own dialog. */
export type Question = 'language' | 'table' | 'picture' | 'emoji';

/** Handler of a command's question. The answer arrives as a separate change. */
export const asking = Facet.define<(question: Question) => void, (question: Question) => void>({
  combine: (askers) => (question) => askers[0]?.(question),
});
