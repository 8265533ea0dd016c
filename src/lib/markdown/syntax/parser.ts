import type { Root, RootContent } from 'mdast';
import { fromMarkdown, type Extension as TreeExtension } from 'mdast-util-from-markdown';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { Construct, Extension } from 'micromark-util-types';
import type { Processor } from 'unified';
import { some } from '../walk.ts';

const MAIL = /[\w.+-]@[\w-]/;
const ADDRESS = /:\/\/|www\.|@/i;
/** Characters of a table's delimiter row (`| --- |`), also inside quotes. */
const DELIMITER = /^[\s>|:-]+$/;
const NOT_BLANK = /[^\s>]/;

/**
 * Parser plugin, instead of remark-parse: the same tree in less time. GFM tries a table at every line, a mail
 * address at every word, and searches every text for addresses; here only where the source can have one.
 */
export function remarkParser(this: Processor): void {
  const data = this.data();
  let treeExtensions: TreeExtension[] | undefined;
  this.parser = (source): Root =>
    fromMarkdown(source, {
      extensions: [...(data.micromarkExtensions ?? []), possibleSyntax(source)],
      mdastExtensions: (treeExtensions ??= (data.fromMarkdownExtensions ?? []).flat().map(findingAddresses)),
    });
}

/** Has remark-gfm search a tree for bare addresses only if a text may contain one. */
function findingAddresses(extension: TreeExtension): TreeExtension {
  const { transforms, enter } = extension;
  if (!transforms || !enter || !('literalAutolink' in enter)) return extension;
  const findAll = (tree: Root): void => {
    const isPossible = some<RootContent>(tree, (node) => node.type === 'text' && ADDRESS.test(node.value));
    if (isPossible) for (const find of transforms) find(tree);
  };
  return { ...extension, transforms: [findAll] };
}

const table = gfmTable().flow?.['null'] as Construct;

function possibleSyntax(source: string): Extension {
  const lines = tableLines(source);
  const disable = { null: MAIL.test(source) ? ['table'] : ['table', 'emailAutolink'] };
  if (lines.size === 0) return { disable };
  const possibleTable: Construct = {
    ...table,
    // The construct of remark-gfm is disabled by its name.
    name: 'possibleTable',
    tokenize(effects, ok, nok) {
      return lines.has(this.now().line) ? table.tokenize.call(this, effects, ok, nok) : nok;
    },
  };
  return { disable, flow: { null: possibleTable } };
}

/**
 * Returns the numbers (from 1) of the lines that may be rows of a table: from the line above a delimiter row
 * to the next blank line.
 */
function tableLines(source: string): Set<number> {
  const numbers = new Set<number>();
  let isInside = false;
  for (const [index, line] of source.split(/\r\n|\r|\n/).entries()) {
    if (line.includes('-') && DELIMITER.test(line)) {
      numbers.add(index);
      isInside = true;
    }
    isInside &&= NOT_BLANK.test(line);
    if (isInside) numbers.add(index + 1);
  }
  return numbers;
}
