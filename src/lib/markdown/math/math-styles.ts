import type { Element } from 'hast';
import { classesOf } from '../elements.ts';

/** Classes of math.css that replace Temml's inline styles, which the Content-Security-Policy forbids. */
const CLASSES: [property: RegExp, value: RegExp, className: string][] = [
  [/^padding(-left)?$/, /^0(em|pt)?$/, 'math-left-0'],
  [/^padding(-right)?$/, /^0(em|pt)?$/, 'math-right-0'],
  [/^padding-left$/, /^1em$/, 'math-left-1'],
  [/^padding-left$/, /^2em$/, 'math-left-2'],
  [/^padding-(top|bottom)$/, /^0(em|pt)?$/, 'math-flat'],
  [/^border-left$/, /solid|dashed|double/, 'math-line-left'],
  [/^border-right$/, /solid|dashed|double/, 'math-line-right'],
  [/^border-top$/, /solid|dashed|double/, 'math-line-top'],
  [/^border-bottom$/, /solid|dashed|double/, 'math-line-bottom'],
  [/^border$/, /solid/, 'math-box'],
  [/^width$/, /^100%$/, 'math-wide'],
  [/^width$/, /^50%$/, 'math-half'],
  [/^font-weight$/, /^bold$/, 'math-bold'],
];

export const MATH_CLASSES: string[] = [
  ...new Set(CLASSES.map(([, , className]) => className)),
  ...(
    'tml-display tml-jot tml-small tml-left tml-right tml-overline tml-underline tml-fbox tml-eqn tml-tag ' +
    'tml-cancel upstrike downstrike sout tml-xcancel chr-sml chr-med chr-lrg tml-sml-pad tml-med-pad tml-lrg-pad ' +
    'chr-sml-vec chr-med-vec chr-lrg-vec tml-hat-1 tml-hat-2 tml-hat-3 tml-hat-4 tml-tilde-2 tml-tilde-3 tml-tilde-4'
  ).split(' '),
];

/**
 * Converts an element's inline style to classes and attributes, in place; styles without an equivalent are
 * dropped.
 */
export function styleToClasses(node: Element): void {
  const { style } = node.properties;
  if (typeof style !== 'string') return;
  delete node.properties.style;
  const names = new Set(classesOf(node));
  for (const [, property = '', value = ''] of style.matchAll(/([\w-]+)\s*:\s*([^;]*)/g)) {
    if (property === 'color' && isReadable(value)) node.properties['mathcolor'] = value;
    for (const [name, wanted, added] of CLASSES) {
      if (name.test(property) && wanted.test(value.trim())) names.add(added);
    }
  }
  if (names.size > 0) node.properties.className = [...names];
}

/** Whether a colour, `#rrggbb`, has a contrast of at least 2 : 1 with the background in both themes. */
function isReadable(colour: string): boolean {
  const found = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(colour.trim());
  if (!found) return false;
  const [red = 0, green = 0, blue = 0] = found.slice(1).map((pair) => (parseInt(pair, 16) / 255) ** 2.2);
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.07 && luminance < 0.45;
}
