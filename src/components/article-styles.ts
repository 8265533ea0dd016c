import code from '../styles/code.css?url';
import diagram from '../styles/diagram.css?url';
import frame from '../styles/frame.css?url';
import math from '../styles/math.css?url';

/** Styles that most articles have no use for, by what the HTML of one that needs them holds. */
const STYLES: readonly [mark: RegExp, address: string][] = [
  [/<div class="code-block"/, code],
  [/<math[\s>]|class="math-error"/, math],
  [/<figure class="diagram[ "]/, diagram],
  [/<figure class="frame"/, frame],
];

/** Addresses of the style sheets for the code, formulas and diagrams that an article's HTML has. */
export const articleStyles = (html: string): string[] =>
  STYLES.flatMap(([mark, address]) => (mark.test(html) ? address : []));
