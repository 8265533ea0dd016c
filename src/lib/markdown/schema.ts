import type { Options as Schema } from 'rehype-sanitize';
import { HEADINGS } from './elements.ts';
import { CALLOUT_TITLES } from './syntax/callouts.ts';
import { MATH_CLASSES } from './math/math-styles.ts';

/** Prefix of every id and name in an author's HTML, so none shadows a property of `document` or `window`. */
export const ID_PREFIX = 'user-content-';

const aligned: [string, ...string[]] = ['align', 'left', 'center', 'right', 'justify'];
const callout: [string, ...string[]] = ['dataCallout', ...Object.keys(CALLOUT_TITLES)];

const WEB = ['http', 'https', 'Http', 'Https', 'HTTP', 'HTTPS'];

const TAG_NAMES =
  'h1 h2 h3 h4 h5 h6 p div section aside blockquote pre hr br ul ol li dl dt dd table caption thead tbody tfoot tr th td ' +
  'details summary figure figcaption a img input code kbd samp var tt b strong i em u s strike del ins mark small sub sup ' +
  'q cite abbr dfn time span center ruby rb rt rp bdi bdo wbr';

/**
 * MathML Core without links, styles and events. No element's text is parsed differently outside MathML, so a
 * browser parses the sanitiser's output to the same tree.
 */
const MATH_TAGS = (
  'math semantics annotation mrow mi mo mn mtext ms mspace mfrac msqrt mroot msub msup msubsup munder mover munderover ' +
  'mmultiscripts mprescripts none mtable mtr mtd mstyle mpadded mphantom menclose merror'
).split(' ');

const flag = (name: string): [string, ...string[]] => [name, 'true', 'false'];
/** Below 10 em, which keeps a formula near its place. */
const length = (name: string): [string, RegExp] => [name, /^-?\d?(?:\.\d{1,4})?(?:em|ex|pt|px|mu)?$/];

const MATH_ATTRIBUTES: NonNullable<Schema['attributes']> = {
  math: [['display', 'block', 'inline']],
  annotation: [['encoding', 'application/x-tex']],
  mi: [['mathvariant', 'normal']],
  mo: [
    ...['fence', 'stretchy', 'symmetric', 'movablelimits', 'largeop', 'separator', 'accent'].map(flag),
    ...['lspace', 'rspace', 'minsize', 'maxsize'].map(length),
    ['form', 'prefix', 'infix', 'postfix'],
  ],
  mspace: ['width', 'height', 'depth'].map(length),
  mpadded: ['width', 'height', 'depth', 'lspace', 'voffset'].map(length),
  mfrac: [length('linethickness'), flag('displaystyle')],
  mover: [flag('accent')],
  munder: [flag('accentunder')],
  munderover: [flag('accent'), flag('accentunder')],
  mstyle: [['scriptlevel', /^[0-3]$/], flag('displaystyle')],
  mrow: [['scriptlevel', /^[0-3]$/], flag('displaystyle')],
  mtable: [flag('displaystyle'), ['scriptlevel', /^[0-3]$/]],
  mtd: [
    ['columnspan', /^\d{1,2}$/],
    ['rowspan', /^\d{1,2}$/],
  ],
  menclose: [['notation', /^[a-z ]{1,60}$/]],
};

const each = <V>(names: readonly string[], value: V): Record<string, V> =>
  Object.fromEntries(names.map((name) => [name, value]));

/**
 * Elements and attributes allowed in an author's text: GFM, footnotes and plain HTML; no styles, handlers,
 * forms or embedding. The only classes are `language-*`, `math-display` and those of task lists. Other tags
 * are removed and their text kept; `script` and `style` are removed with their text.
 */
export const SCHEMA: Schema = {
  tagNames: [...TAG_NAMES.split(' '), ...MATH_TAGS],
  attributes: {
    '*': ['id', 'title', 'lang', ['dir', 'ltr', 'rtl', 'auto']],
    a: ['href', 'name', 'ariaDescribedBy', 'ariaLabel', 'dataFootnoteRef', 'dataFootnoteBackref'],
    aside: [callout],
    code: [['className', /^language-[^\s"'<>&]{1,40}$/, 'math-display'], 'dataMeta'],
    details: ['open', callout],
    div: [aligned],
    figure: ['dataFrame'],
    ...each(HEADINGS, [aligned]),
    img: ['src', 'alt', ['width', /^\d{1,4}%?$/], ['height', /^\d{1,4}$/], aligned],
    input: [['disabled', true], ['type', 'checkbox'], 'checked'],
    li: [['className', 'task-list-item'], 'value'],
    ol: [['className', 'contains-task-list'], 'start', 'reversed'],
    p: [aligned],
    section: ['dataFootnotes'],
    td: ['colSpan', 'rowSpan', aligned],
    th: ['colSpan', 'rowSpan', aligned],
    time: ['dateTime'],
    ul: [['className', 'contains-task-list']],
    ...MATH_ATTRIBUTES,
  },
  ancestors: {
    ...each('caption tbody td tfoot th thead tr'.split(' '), ['table']),
    summary: ['details'],
    ...each(MATH_TAGS.slice(1), ['math']),
  },
  required: { input: { disabled: true, type: 'checkbox' } },
  // Compared case-sensitively; phone keyboards capitalise the first letter.
  protocols: { href: [...WEB, 'mailto', 'Mailto'], src: WEB },
  clobber: ['ariaDescribedBy', 'ariaLabelledBy', 'id', 'name'],
  clobberPrefix: ID_PREFIX,
  strip: ['script', 'style'],
};

export const FORMULA_SCHEMA: Schema = {
  tagNames: [...MATH_TAGS, 'span'],
  attributes: {
    ...MATH_ATTRIBUTES,
    '*': [
      ['className', ...MATH_CLASSES],
      ['mathcolor', /^#[\da-f]{6}$/i],
    ],
  },
  strip: ['script', 'style'],
};
