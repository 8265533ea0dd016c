import type { Element } from 'hast';
import type { FootnoteDefinition, FootnoteReference, Node, RootContent } from 'mdast';
import type { Options as FromOptions } from 'rehype-remark';
import type { Options as Schema } from 'rehype-sanitize';
import type { Options as ToOptions } from 'remark-stringify';
import { element, isElement, textOf } from '../elements.ts';
import { escapeHtml } from '../escape-html.ts';

type State = Parameters<NonNullable<NonNullable<FromOptions['handlers']>[string]>>[0];
type ToHandlers = NonNullable<ToOptions['handlers']>;

interface RawBlock extends Node {
  type: 'rawBlock';
  value: string;
}

declare module 'mdast' {
  interface RootContentMap {
    rawBlock: RawBlock;
  }
}

/** Temporary elements for content that HTML has no element for; pages never contain them. */
export const OWN_ELEMENTS = ['moye-raw', 'moye-frame', 'moye-note', 'moye-note-text'];
export const OWN_ATTRIBUTES: NonNullable<Schema['attributes']> = {
  'moye-raw': ['value'],
  'moye-frame': ['src', 'title', ['kind', 'iframe', 'video', 'audio']],
  'moye-note': ['no'],
  'moye-note-text': ['no'],
};

export const rawMarkdown = (value: string): Element => element('moye-raw', { value });

export const frameOf = (kind: 'iframe' | 'video' | 'audio', src: string, title = ''): Element =>
  element('moye-frame', { kind, src, ...(title === '' ? {} : { title }) });

export const calloutOf = (kind: string, title: string, children: Element['children']): Element[] => [
  rawMarkdown(`::: ${kind} ${title.replace(/\s+/g, ' ').trim()}`.trim()),
  element('div', {}, children),
  rawMarkdown(':::'),
];

const rawBlock = (value: string): RawBlock => ({ type: 'rawBlock', value });
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function frame(_state: State, { properties }: Element): RawBlock {
  const kind = text(properties['kind']) || 'iframe';
  const title = text(properties.title).replace(/\s+/g, ' ').trim();
  const attributes = `src="${escapeHtml(text(properties.src))}"${title && ` title="${escapeHtml(title)}"`}`;
  return rawBlock(`<${kind} ${attributes}></${kind}>`);
}

function details(state: State, node: Element): RootContent[] {
  const [summary] = node.children.filter((child) => isElement(child, 'summary'));
  const title = summary ? textOf(summary).replace(/\s+/g, ' ').trim() : '';
  const rest = node.children.filter((child) => child !== summary);
  const blocks = state.toFlow(state.all({ ...node, children: rest }));
  return [rawBlock(`::: details ${title}`.trim()), ...blocks, rawBlock(':::')];
}

const note = (_state: State, { properties }: Element): FootnoteReference => {
  const no = text(properties['no']);
  return { type: 'footnoteReference', identifier: no, label: no };
};

const noteText = (state: State, node: Element): FootnoteDefinition => {
  const no = text(node.properties['no']);
  return {
    type: 'footnoteDefinition',
    identifier: no,
    label: no,
    children: state.toFlow(state.all(node)),
  };
};

const BLOCKS = new Set(['paragraph', 'heading', 'list', 'code', 'blockquote', 'table', 'rawBlock', 'math']);

/** Keeps inline elements without a markdown equivalent as HTML. */
function mark(state: State, node: Element): RootContent[] {
  const children = state.all(node);
  if (children.length === 0 || children.some(({ type }) => BLOCKS.has(type))) return children;
  const html = (value: string): RootContent => ({ type: 'html', value });
  return [html(`<${node.tagName}>`), ...children, html(`</${node.tagName}>`)];
}

export const ARTICLE_HANDLERS: NonNullable<FromOptions['handlers']> = {
  'moye-raw': (_state, node: Element) => rawBlock(text(node.properties['value'])),
  'moye-frame': frame,
  'moye-note': note,
  'moye-note-text': noteText,
  details,
  sub: mark,
  sup: mark,
  u: mark,
  mark,
  kbd: mark,
};

/** Writes raw blocks verbatim, but escapes what would end a table cell. */
export const writeRawBlock = {
  rawBlock: (node: RawBlock, _parent: unknown, { stack }: { stack: readonly string[] }): string =>
    stack.includes('tableCell') ? node.value.replaceAll('|', '%7C').replaceAll('\n', ' ') : node.value,
} as unknown as ToHandlers;
