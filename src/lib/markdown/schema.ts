import type { Options as Schema } from 'rehype-sanitize';
import { CALLOUT_TITLES } from './callouts.ts';

/** Before every id and name of an author's HTML: none shadows a property of `document` or `window`. */
export const ID_PREFIX = 'user-content-';

const aligned: [string, ...string[]] = ['align', 'left', 'center', 'right', 'justify'];
const callout: [string, ...string[]] = ['dataCallout', ...Object.keys(CALLOUT_TITLES)];

const WEB = ['http', 'https', 'Http', 'Https', 'HTTP', 'HTTPS'];

const TAG_NAMES =
  'h1 h2 h3 h4 h5 h6 p div section aside blockquote pre hr br ul ol li dl dt dd table caption thead tbody tfoot tr th td ' +
  'details summary figure figcaption a img input code kbd samp var tt b strong i em u s strike del ins mark small sub sup ' +
  'q cite abbr dfn time span center ruby rb rt rp bdi bdo wbr';

/**
 * What an author's text may contain: GFM, footnotes, plain HTML; no style, handler, form or embedding, and of
 * classes only `language-*` and task lists'. Other tags go and keep their text; script and style lose it too.
 */
export const SCHEMA: Schema = {
  tagNames: TAG_NAMES.split(' '),
  attributes: {
    '*': ['id', 'title', 'lang', ['dir', 'ltr', 'rtl', 'auto']],
    a: ['href', 'name', 'ariaDescribedBy', 'ariaLabel', 'dataFootnoteRef', 'dataFootnoteBackref'],
    aside: [callout],
    code: [['className', /^language-[^\s"'<>&]{1,40}$/]],
    details: ['open', callout],
    div: [aligned],
    h1: [aligned],
    h2: [aligned],
    h3: [aligned],
    h4: [aligned],
    h5: [aligned],
    h6: [aligned],
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
  },
  ancestors: {
    caption: ['table'],
    tbody: ['table'],
    td: ['table'],
    tfoot: ['table'],
    th: ['table'],
    thead: ['table'],
    tr: ['table'],
    summary: ['details'],
  },
  required: { input: { disabled: true, type: 'checkbox' } },
  // Compared as written; phone keyboards capitalise the first letter.
  protocols: { href: [...WEB, 'mailto', 'Mailto'], src: WEB },
  clobber: ['ariaDescribedBy', 'ariaLabelledBy', 'id', 'name'],
  clobberPrefix: ID_PREFIX,
  strip: ['script', 'style'],
};
