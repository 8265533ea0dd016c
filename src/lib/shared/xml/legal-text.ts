/** Characters that XML 1.0 does not allow: controls, lone surrogates, U+FFFE and U+FFFF. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Removes characters that XML does not allow; lone surrogates become U+FFFD. */
export const legalText = (text: string): string => text.toWellFormed().replace(ILLEGAL, '');
