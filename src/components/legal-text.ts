/** Whatever XML 1.0 has no character for: controls, lone surrogates, U+FFFE and U+FFFF. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** `text` without what no XML document may hold; lone surrogates become U+FFFD. */
export const legalText = (text: string): string => text.toWellFormed().replace(ILLEGAL, '');
