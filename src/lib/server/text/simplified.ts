import { Converter } from 'opencc-js/t2cn';

export const toSimplified: (text: string) => string = Converter({ from: 't', to: 'cn' });
