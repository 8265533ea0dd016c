/**
 * Punctuation of Chinese text that Unicode does not count as wide, because Latin text uses it too: quotation
 * marks, dashes, ellipses and middle dots.
 */
export const CHINESE_QUOTES_AND_DASHES = /[“”‘’—―…⋯·‧•]/;
