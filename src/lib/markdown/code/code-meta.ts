import type { Code, Root, RootContent } from 'mdast';
import { walk } from '../walk.ts';

type Ranges = readonly (readonly [from: number, to: number])[];

const MAX_META_CHARACTERS = 500;
const MAX_TITLE_CHARACTERS = 120;

/**
 * Reads the meta string after a fence's language: a title and line marks, in the syntax of VuePress,
 * Docusaurus and Expressive Code: `ts title="a.ts" {1,3-5} ins={2} del={6}`.
 */
export function readCodeMeta(source: string) {
  const meta = source.slice(0, MAX_META_CHARACTERS);
  const [, quote, quoted, bare] = /(?:^|\s)title=(?:(["'])(.*?)\1|([^\s"'{}]+))/.exec(meta) ?? [];
  const rest = meta.replace(/title=(["']).*?\1/, '');
  const added = rangesOf(/\bins=\{([\d\s,-]*)\}/.exec(rest)?.[1]);
  const removed = rangesOf(/\bdel=\{([\d\s,-]*)\}/.exec(rest)?.[1]);
  const marked = rangesOf(/(?<!=)\{([\d\s,-]*)\}/.exec(rest)?.[1]);
  return {
    title: ((quote ? quoted : bare) ?? '').trim().slice(0, MAX_TITLE_CHARACTERS),
    hasMarks: added.length + removed.length + marked.length > 0,
    /** Returns the class of a line (counted from 1), or ''. */
    classOf(line: number) {
      if (holds(added, line)) return 'line-added';
      if (holds(removed, line)) return 'line-removed';
      return holds(marked, line) ? 'line-marked' : '';
    },
  };
}

function rangesOf(list = ''): Ranges {
  return list.split(',').flatMap((part) => {
    const [, from, to] = /^\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?$/.exec(part) ?? [];
    return from === undefined ? [] : [[Number(from), Number(to ?? from)] as const];
  });
}

const holds = (ranges: Ranges, line: number) => ranges.some(([from, to]) => line >= from && line <= to);

/** Remark plugin: carries the meta string through the HTML parser and the sanitiser as `data-meta`. */
export function remarkCodeMeta() {
  return (tree: Root): void => {
    walk<RootContent>(tree, (node) => {
      if (node.type === 'code' && node.meta) keepMeta(node, node.meta);
    });
  };
}

function keepMeta(code: Code, meta: string): void {
  code.data = {
    ...code.data,
    hProperties: { ...code.data?.hProperties, dataMeta: meta.slice(0, MAX_META_CHARACTERS) },
  };
}
