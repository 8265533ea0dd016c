import { readAttributes } from './shortcodes.ts';

/** Names of code shortcodes in SyntaxHighlighter, CodeColorer and Crayon, besides those of languages. */
const GENERAL = 'code sourcecode source crayon highlight prism cc';
const LANGUAGES =
  'actionscript3 as3 bash shell c c-sharp csharp cpp coldfusion css delphi diff erlang fsharp go groovy html java ' +
  'javascript js jsp objc obj-c perl php plain powershell ps python py r rails ruby scala sql swift text typescript vb vbnet xml yaml';
const names = [...GENERAL.split(' '), ...LANGUAGES.split(' ')];
const languages = new Set(LANGUAGES.split(' '));
const CODE = new RegExp(
  String.raw`<pre\b[\s\S]*?<\/pre\s*>|(?<!\[)\[(${names.join('|')})((?:[\s=][^\]]*)?)\]([\s\S]*?)\[\/\1\](?!\])`,
  'gi',
);

/** Converts code shortcodes to `pre`; runs first, because tags in code have no meaning. */
export const readCodeShortcodes = (html: string): string =>
  replaceEach(html, CODE, ([whole, written, behind = '', code = '']) => {
    if (written === undefined) return whole;
    const name = written.toLowerCase();
    const { lang, language, 0: first } = readAttributes(behind);
    const named = lang ?? language ?? (/^[\w+#.-]+$/.test(first ?? '') ? first : undefined);
    return preOf(code, named ?? (languages.has(name) ? name : ''));
  });

/** Languages that WordPress plugins name differently from other programs. */
const WRITTEN: Record<string, string> = {
  as3: 'actionscript-3',
  actionscript3: 'actionscript-3',
  'c-sharp': 'csharp',
  'obj-c': 'objc',
  ps: 'powershell',
  vbnet: 'vb',
};

/** Converts code from a post: some is escaped, and the visual editor has added breaks to some. */
export function preOf(code: string, language: string): string {
  const lines = /<br\s*\/?>/i.test(code)
    ? code.replace(/<br\s*\/?>\n?|<\/p>\n?/gi, '\n').replace(/<p>/gi, '')
    : code;
  const text = lines.replaceAll('<', '&lt;').replace(/^\n/, '').trimEnd();
  const id = WRITTEN[language.toLowerCase()] ?? language.toLowerCase();
  const named = /^[\w+#.-]{1,40}$/.test(id) ? ` class="language-${id}"` : '';
  return `\n\n<pre><code${named}>${text}\n</code></pre>\n\n`;
}

const TEX =
  /(<pre\b[\s\S]*?<\/pre\s*>|<code\b[\s\S]*?<\/code\s*>)|\$latex\s([^$]+?)\$|\[(latex|katex|math)([^\]]*)\]([\s\S]*?)\[\/\3\]/gi;

/** Converts `$latex …$` of WordPress.com, and shortcodes of its plugins, to code elements for formulas. */
export const readTex = (html: string): string =>
  replaceEach(html, TEX, ([whole, kept, dollars, , behind = '', inside = '']) => {
    if (kept !== undefined) return whole;
    // Size and colours follow: `$latex x&s=2&bg=ffffff$`.
    const tex = (dollars ?? inside).replace(/(?:&(?:amp;|#038;)?(?:s|bg|fg)=-?\w+)+\s*$/i, '').trim();
    const isDisplay = /display=["']?true/i.test(behind);
    return `<code class="language-math${isDisplay ? ' math-display' : ''}">${tex}</code>`;
  });

function replaceEach(text: string, pattern: RegExp, write: (match: RegExpExecArray) => string): string {
  let result = '';
  let position = 0;
  for (const match of text.matchAll(pattern)) {
    result += text.slice(position, match.index) + write(match);
    position = match.index + match[0].length;
  }
  return result + text.slice(position);
}
