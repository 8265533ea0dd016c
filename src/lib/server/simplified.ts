import { Converter } from 'opencc-js/t2cn';

/** Traditional Chinese characters as simplified ones; everything else as it is. */
export const toSimplified: (text: string) => string = Converter({ from: 't', to: 'cn' });
