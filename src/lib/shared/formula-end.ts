/**
 * Matches what follows a dollar that begins a name (`变量$a和$b`, `$(pwd)`, `${HOME}`) or a price instead of
 * ending a formula. Chinese, Japanese and Korean text directly after a formula is usual: `设$x$为`.
 */
export const AFTER_NO_FORMULA = /[\d_{(\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
