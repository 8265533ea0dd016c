/**
 * Languages that stay plain at the edge, and whose grammars no edge build contains. The JavaScript engine
 * takes half a second or more to compile each of them; the others take less than a quarter.
 */
export const SLOW_GRAMMARS = ['cpp', 'emacs-lisp', 'org', 'racket', 'typst', 'wolfram'] as const;
