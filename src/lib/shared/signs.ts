/**
 * Punctuation of Chinese text that Unicode does not count as wide, because Latin text uses it too: quotation
 * marks, dashes, ellipses and middle dots.
 */
export const CHINESE_QUOTES_AND_DASHES = /[“”‘’—―…⋯·‧•]/;

/** Line break within a table cell; markdown has no syntax for it. */
export const CELL_BREAK = '<br>';

/**
 * Matches what follows a dollar that begins a name (`变量$a和$b`, `$(pwd)`, `${HOME}`) or a price instead of
 * ending a formula. Chinese, Japanese and Korean text directly after a formula is usual: `设$x$为`.
 */
export const AFTER_NO_FORMULA = /[\d_{(\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
