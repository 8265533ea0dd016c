import type { Element, ElementContent, Root, RootContent } from 'hast';
import { readCodeMeta } from './code-meta.ts';
import { codeOf, element, isElement } from '../elements.ts';
import { languageName } from './languages.ts';
import { FOLDED_CODE } from '../limits.ts';
import { walk } from '../walk.ts';

type Line = ElementContent[];

/**
 * Frames each code block of a highlighted tree, in place: adds a bar with its title or language, marks lines
 * as the fence's meta string says, and folds long blocks. Pages add the copy button
 * (components/ArticleBody.astro).
 */
export function frameCode(tree: Root): void {
  walk<RootContent>(tree, (node, index, parent) => {
    if (!isElement(node, 'pre')) return undefined;
    const code = codeOf(node);
    if (code) parent.children[index] = framed(node, code);
    return 'skip';
  });
}

function framed(pre: Element, code: Element): Element {
  const meta = readCodeMeta(String(pre.properties['dataMeta'] ?? ''));
  delete pre.properties['dataMeta'];
  const language = String(pre.properties['dataLang'] ?? '');
  const lines = linesOf(code.children).map((line, index) => marked(line, meta.classOf(index + 1)));
  if (meta.hasMarks) code.children = lines.flat();
  const bar = element('div', { className: ['code-bar'] }, [
    element('span', {}, [{ type: 'text', value: meta.title || languageName(language) }]),
  ]);
  const isLong = lines.length > FOLDED_CODE.from;
  const block = element('div', { className: ['code-block'] }, [
    bar,
    pre,
    ...(isLong ? [rest(pre, code, lines)] : []),
  ]);
  return pre.position ? { ...block, position: pre.position } : block;
}

/**
 * Moves the end of a long block from `pre` into `details`, which browsers open when a search on the page
 * matches it.
 */
function rest(pre: Element, code: Element, lines: readonly Line[]): Element {
  code.children = lines.slice(0, FOLDED_CODE.shown).flat();
  const hidden = lines.slice(FOLDED_CODE.shown);
  const summary = element('summary', {}, [{ type: 'text', value: `展开其余 ${hidden.length} 行` }]);
  const more = { ...pre, children: [element('code', {}, hidden.flat())] };
  return element('details', { className: ['code-more'] }, [summary, more]);
}

function linesOf(children: readonly ElementContent[]): Line[] {
  const lines: Line[] = [];
  let line: Line = [];
  for (const child of children) {
    const text = child.type === 'text' ? child : isElement(child) ? child.children[0] : undefined;
    if (text?.type !== 'text') line.push(child);
    else
      for (const piece of text.value.split(/(?<=\n)/)) {
        const value: ElementContent = { type: 'text', value: piece };
        line.push(isElement(child) ? { ...child, children: [value] } : value);
        if (!piece.endsWith('\n')) continue;
        lines.push(line);
        line = [];
      }
  }
  return line.length > 0 ? [...lines, line] : lines;
}

function marked(line: Line, className: string): Line {
  return className === '' ? line : [element('span', { className: [className] }, line)];
}
