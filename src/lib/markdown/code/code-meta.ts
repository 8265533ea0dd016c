import type { Code, Root, RootContent } from 'mdast';
import { walk } from '../walk.ts';

type Ranges = readonly (readonly [from: number, to: number])[];

const MAX_META_CHARACTERS = 500;
const MAX_TITLE_CHARACTERS = 120;

/** Options in place of a language. */
const OPTION = /^(?:title|filename|file|caption|hl_lines|linenos|linenums)=/;

/**
 * Splits a fence's info string into its language, in lower case, and its options. Reads the notations of
 * Markdown tools: `js {1,3}`, `js:a.js`, `js=10`, `js[a.js]`, `rust,ignore`, and in braces
 * `{.js .numberLines}`, `{r, echo=FALSE}` and `{code-block} js`.
 */
export function readInfo(source: string): { language: string; meta: string } {
  const info = source.trim().slice(0, MAX_META_CHARACTERS);
  if (info.startsWith('{')) return readAttributes(info);
  if (OPTION.test(info)) return { language: '', meta: info };
  const [, name = '', rest = ''] = /^([^\s{[:,=|]*)([^]*)$/.exec(info) ?? [];
  const [mark = '', word = ''] = /^(?:[:,]([^\s{]*)|=[+\d]*)/.exec(rest) ?? [];
  // `:no-line-numbers` of VuePress is an option, `:src/a.ts` a file.
  const title = mark.startsWith(':') && /[./]/.test(word) ? `title="${word}" ` : '';
  const options = mark.startsWith(',') ? word.replaceAll(',', ' ') : '';
  return { language: nameIn(name), meta: `${title}${options}${rest.slice(mark.length)}`.trim() };
}

function readAttributes(info: string): { language: string; meta: string } {
  const [whole, named] = /^\{(?:code-block|code|sourcecode|code-cell)\}[ \t]*(\S*)/.exec(info) ?? [];
  if (whole !== undefined) return { language: nameIn(named ?? ''), meta: info.slice(whole.length).trim() };
  const [, inside = '', after = ''] = /^\{([^}]*)\}?([^]*)$/.exec(info) ?? [];
  const [, name = ''] =
    /(?:^|\s)\.([\w+#-]+)/.exec(inside) ?? /^\s*([a-z][\w+-]*)(?=[\s,]|$)/i.exec(inside) ?? [];
  const meta = name === '' ? info : `${inside.replace(name, '')}${after}`;
  return { language: nameIn(name), meta: meta.trim() };
}

const nameIn = (written: string): string => written.replace(/^\.|^lang(?:uage)?-/, '').toLowerCase();

/**
 * Reads the options after a fence's language: a title and line marks, in the syntax of VuePress, VitePress,
 * Docusaurus, Hugo and Expressive Code: `title="a.ts" {1,3-5} ins={2} del={6}`, `[a.ts]`, `hl_lines="1 3-5"`.
 */
export function readCodeMeta(source: string) {
  const meta = source.slice(0, MAX_META_CHARACTERS);
  const [whole = '', quote, quoted, bare] = TITLE.exec(meta) ?? [];
  const rest = meta.replace(whole, ' ');
  const [, label] = /(?:^|\s)\[([^\]\n]+)\]/.exec(rest) ?? [];
  const added = rangesOf(/\bins=\{([\d\s,-]*)\}/.exec(rest)?.[1]);
  const removed = rangesOf(/\bdel=\{([\d\s,-]*)\}/.exec(rest)?.[1]);
  const marked = rangesOf(/(?<!=)\{([\d\s,-]*)\}/.exec(rest)?.[1] ?? listIn(rest));
  return {
    title: ((quote ? quoted : bare) ?? label ?? '').trim().slice(0, MAX_TITLE_CHARACTERS),
    hasMarks: added.length + removed.length + marked.length > 0,
    /** Returns the class of a line (counted from 1), or ''. */
    classOf(line: number) {
      if (holds(added, line)) return 'line-added';
      if (holds(removed, line)) return 'line-removed';
      return holds(marked, line) ? 'line-marked' : '';
    },
  };
}

const TITLE = /(?:^|[\s,{])(?:title|filename|file|caption)=(?:(["'])(.*?)\1|([^\s"'{},]+))/;

/** Returns the lines that `hl_lines`, `highlight` or `mark` names, separated by commas. */
function listIn(meta: string): string | undefined {
  const [, list] = /\b(?:hl_lines|highlight|mark)=["'[{]+([\d\s,"'-]*)/.exec(meta) ?? [];
  return list
    ?.replace(/["']/g, '')
    .trim()
    .replace(/[\s,]+/g, ',');
}

function rangesOf(list = ''): Ranges {
  return list.split(',').flatMap((part) => {
    const [, from, to] = /^\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?$/.exec(part) ?? [];
    return from === undefined ? [] : [[Number(from), Number(to ?? from)] as const];
  });
}

const holds = (ranges: Ranges, line: number) => ranges.some(([from, to]) => line >= from && line <= to);

/**
 * Remark plugin: reads info strings (`readInfo`) and carries the options through the HTML parser and the
 * sanitiser as `data-meta`.
 */
export function remarkCodeMeta() {
  return (tree: Root): void => {
    walk<RootContent>(tree, (node) => {
      if (node.type !== 'code' || !node.lang) return;
      const { language, meta } = readInfo(`${node.lang} ${node.meta ?? ''}`);
      node.lang = language;
      if (meta !== '') keepMeta(node, meta);
    });
  };
}

function keepMeta(code: Code, meta: string): void {
  code.data = {
    ...code.data,
    hProperties: { ...code.data?.hProperties, dataMeta: meta.slice(0, MAX_META_CHARACTERS) },
  };
}
