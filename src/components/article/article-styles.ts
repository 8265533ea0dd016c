import code from '../../styles/code.css?url';
import diagram from '../../styles/diagram.css?url';
import frame from '../../styles/frame.css?url';
import math from '../../styles/math.css?url';

/** Optional style sheets, by a pattern in the HTML of articles that need them. */
const STYLES: readonly [mark: RegExp, address: string][] = [
  [/<div class="code-block"/, code],
  [/<math[\s>]|class="math-error"/, math],
  [/<figure class="diagram[ "]/, diagram],
  [/<figure class="frame"/, frame],
];

export const articleStyles = (html: string): string[] =>
  STYLES.flatMap(([mark, address]) => (mark.test(html) ? address : []));
