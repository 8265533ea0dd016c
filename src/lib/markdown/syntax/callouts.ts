import type {
  Blockquote,
  BlockContent,
  DefinitionContent,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
} from 'mdast';
import type { Processor } from 'unified';
import { type CalloutFence, calloutFromMarkdown, calloutSyntax } from './callout-syntax.ts';
import { isKindName, isQuotation, kindOf, titleOfName } from './callout-kinds.ts';
import { walk } from '../walk.ts';

export const CALLOUT_TITLES = {
  tip: '提示',
  info: '信息',
  note: '说明',
  important: '重要',
  warning: '注意',
  danger: '危险',
  caution: '警告',
  details: '详情',
} as const;

type CalloutKind = keyof typeof CALLOUT_TITLES;

// VuePress containers that only arrange their content: the content is kept, the arrangement dropped.
const LAYOUT = new Set([
  'center',
  'left',
  'right',
  'justify',
  'tabs',
  'code-tabs',
  'code-group',
  'raw',
  'v-pre',
]);

const isKind = (name: string): name is CalloutKind => Object.hasOwn(CALLOUT_TITLES, name);

/**
 * Remark plugin: turns `::: tip 标题` … `:::`, and quotes that start with `[!NOTE]- 标题`, into callouts. The
 * sanitiser accepts a fixed list of `data-callout` values; decorate.ts adds the classes. Must run before
 * `remarkBreaks`.
 */
export function remarkCallouts(this: Processor) {
  const data = this.data();
  (data.micromarkExtensions ??= []).push(calloutSyntax((name) => isKind(name) || LAYOUT.has(name)));
  (data.fromMarkdownExtensions ??= []).push(calloutFromMarkdown);
  return (tree: Root): void => {
    tree.children = pairFences(tree.children);
    walk<RootContent>(tree, (node) => {
      if (node.type === 'blockquote') readAlert(node);
      // Fence lines occur only among blocks.
      if ('children' in node) (node as { children: RootContent[] }).children = pairFences(node.children);
    });
  };
}

interface OpenFence {
  colons: number;
  name: string;
  title: string;
  line: CalloutFence;
  outer: RootContent[];
}

function pairFences(children: RootContent[]): RootContent[] {
  if (!children.some(({ type }) => type === 'calloutFence')) return children;
  const open: OpenFence[] = [];
  let current: RootContent[] = [];
  const closeLast = (): void => {
    const fence = open.pop();
    if (!fence) return;
    fence.outer.push(...closed(fence, current));
    current = fence.outer;
  };
  for (const child of children) {
    if (child.type !== 'calloutFence') {
      current.push(child);
      continue;
    }
    const { colons, name, title } = readFence(child.value);
    if (name) {
      open.push({ colons, name, title, line: child, outer: current });
      current = [];
      continue;
    }
    const index = closedBy(
      open.map((fence) => fence.colons),
      colons,
    );
    if (index === undefined)
      current.push({ type: 'paragraph', children: [{ type: 'text', value: child.value.trim() }] });
    else while (open.length > index) closeLast();
  }
  while (open.length > 0) closeLast();
  return current;
}

/** Returns how many `:::` fences among `nodes` are still open at their end. */
export function calloutDepth(nodes: readonly RootContent[]): number {
  let open: number[] = [];
  for (const node of nodes) {
    if (node.type !== 'calloutFence') continue;
    const { colons, name } = readFence(node.value);
    if (name) open.push(colons);
    else open = open.slice(0, closedBy(open, colons) ?? open.length);
  }
  return open.length;
}

/**
 * Returns the index of the open fence that a closing fence closes; `open` holds the colon counts of the open
 * fences. As in VuePress, a longer closing fence also closes shorter ones left open inside.
 */
function closedBy(open: readonly number[], colons: number): number | undefined {
  const same = open.lastIndexOf(colons);
  const index = same < 0 ? open.findLastIndex((fence) => fence < colons) : same;
  return index < 0 ? undefined : index;
}

function readFence(line: string): { colons: number; name: string; title: string } {
  const [, colons = '', name = '', rest = ''] = /^(:+)[ \t]*([\w-]*)(.*)$/s.exec(line) ?? [];
  const title = rest.trim().replace(/^\[([^\]]*)\].*$/s, '$1');
  return { colons: colons.length, name: name.toLowerCase(), title };
}

function closed(fence: OpenFence, children: RootContent[]): RootContent[] {
  if (!isKind(fence.name)) return children;
  // Excerpts compare the position with the fold.
  const { position } = fence.line;
  return [{ ...callout(fence.name, fence.title, children as BlockContent[]), ...(position && { position }) }];
}

function callout(
  kind: CalloutKind,
  title: string | PhrasingContent[],
  children: (BlockContent | DefinitionContent)[],
): Blockquote {
  const isDetails = kind === 'details';
  const heading: Paragraph = {
    type: 'paragraph',
    data: { hName: isDetails ? 'summary' : 'p' },
    children: typeof title === 'string' ? [{ type: 'text', value: title || CALLOUT_TITLES[kind] }] : title,
  };
  return {
    type: 'blockquote',
    data: { hName: isDetails ? 'details' : 'aside', hProperties: { dataCallout: kind } },
    children: [heading, ...children],
  };
}

/** `[!note]`, with `-` if it is folded and `+` if it could be; what follows on the line is its title. */
const HEAD = /^\[!([^\]|\n]{1,40})(?:\|[^\]\n]{0,40})?\]([+-]?)(?:[ \t]+|(?=\n)|$)/;

function readAlert(quote: Blockquote): void {
  const [first] = quote.children;
  const text = first?.type === 'paragraph' ? first.children[0] : undefined;
  if (first?.type !== 'paragraph' || text?.type !== 'text') return;
  const [head = '', written = '', fold] = HEAD.exec(text.value) ?? [];
  const name = written.trim();
  if (!isKindName(name) && !isQuotation(name)) return;
  text.value = text.value.slice(head.length);
  const title = takeLine(first);
  const rest = first.children.length > 0 ? quote.children : quote.children.slice(1);
  if (isQuotation(name)) {
    const heading: Paragraph = { type: 'paragraph', children: [{ type: 'strong', children: title }] };
    quote.children = title.length > 0 ? [heading, ...rest] : rest;
    return;
  }
  const standard = titleOfName(name) || CALLOUT_TITLES[kindOf(name)];
  const kind = fold === '-' ? 'details' : kindOf(name);
  Object.assign(quote, callout(kind, title.length > 0 ? title : standard, rest));
}

/** Takes the first line from a paragraph. */
function takeLine(paragraph: Paragraph): PhrasingContent[] {
  const { children } = paragraph;
  const at = children.findIndex(
    (node) => node.type === 'break' || (node.type === 'text' && node.value.includes('\n')),
  );
  const line = at < 0 ? children : children.slice(0, at);
  const last = children[at];
  paragraph.children = at < 0 ? [] : children.slice(at + 1);
  if (last?.type === 'text') {
    const end = last.value.indexOf('\n');
    line.push({ ...last, value: last.value.slice(0, end) });
    const value = last.value.slice(end + 1);
    if (value !== '') paragraph.children.unshift({ ...last, value });
  }
  return line.filter((node) => node.type !== 'text' || node.value !== '');
}
