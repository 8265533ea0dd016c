import type { Element, ElementContent, Root, RootContent } from 'hast';
import { readInfo } from './code/code-meta.ts';
import { classesOf, codeOf, element, isElement, isFootnotes, textOf } from './elements.ts';
import { emsOf } from './text-width.ts';
import { walk } from './walk.ts';
import { decodeAddress } from './decode-address.ts';
import { createFrames } from './embeds/frames.ts';
import { captionPicture, createPictures } from './embeds/pictures.ts';
import { ID_PREFIX } from './schema.ts';

/** Maximum of a column's minimum width, in ems; texts up to this width stay on one line. */
const MAX_COLUMN_EMS = 10;

function scrollable(table: Element): Element {
  giveRoom(table);
  const properties = { className: ['table-scroll'], role: 'region', ariaLabel: '表格', tabIndex: 0 };
  return element('div', properties, [table]);
}

/** Sets each column's minimum width with a class on its first cell (tables.css). */
function giveRoom(table: Element): void {
  const rows = rowsOf(table);
  const hasSpans = rows.flat().some(({ properties: { colSpan } }) => colSpan !== undefined);
  if (hasSpans) return;
  const ems: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      ems[column] = Math.max(ems[column] ?? 0, emsOf(textOf(cell).trim()));
  for (const [column, cell] of (rows[0] ?? []).entries()) {
    const room = Math.ceil(Math.min(ems[column] ?? 0, MAX_COLUMN_EMS));
    if (room > 1) cell.properties.className = [`ems-${room}`];
  }
}

function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = [];
  walk<ElementContent>(table, (node) => {
    if (!isElement(node) || node.tagName === 'table') return 'skip';
    if (node.tagName === 'tr') rows.push(node.children.filter((cell) => isElement(cell, 'td', 'th')));
    return undefined;
  });
  return rows;
}

// Language names that mean "no language": they get no label.
const NAMELESS = new Set(['text', 'txt', 'plain', 'plaintext', 'none']);

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef“”‘’—…`;
const SCRIPT_RUNS = new RegExp(`[${CJK}]+|[^${CJK}]+`, 'gu');
const SLANTED_RUN = new RegExp(`^(?![${CJK}]).*[\\p{L}\\p{N}]`, 'su');

export function decorate(tree: Root): void {
  const targets = targetsOf(tree);
  const pictures = createPictures();
  const frames = createFrames();
  walk<RootContent>(tree, (node, index, parent) => {
    if (node.type === 'text') pictures.passText(node.value);
    if (!isElement(node)) return;
    dropEmptyClass(node);
    if (isFootnotes(node)) decorateFootnotes(node);
    if (node.tagName === 'a') {
      decorateLink(node, targets);
      pictures.passLink(node);
    }
    if (node.tagName === 'em') slantLatin(node);
    if (node.tagName === 'input') node.properties.ariaLabel = node.properties.checked ? '已完成' : '未完成';
    if (node.properties['dataCallout'] !== undefined) decorateCallout(node);
    if (node.properties['dataFrame'] !== undefined) frames.decorate(node);
    if (node.tagName === 'pre') decoratePre(node);
    if (node.tagName === 'code') delete node.properties['dataMeta'];
    if (node.tagName === 'p') captionPicture(node);
    if (node.tagName === 'img') parent.children[index] = pictures.decorate(node);
    if (node.tagName === 'table') parent.children[index] = scrollable(node);
  });
}

/**
 * Sets `dir="auto"` on each block of an article, in place: its first letter determines its direction. Code is
 * always left to right, see prose.css.
 */
export function directBlocks(tree: Root): void {
  for (const block of tree.children) {
    if (isElement(block) && block.tagName !== 'pre') block.properties.dir ??= 'auto';
  }
}

/** The sanitiser leaves an empty list where it removed every class. */
function dropEmptyClass(node: Element): void {
  const { className } = node.properties;
  if (Array.isArray(className) && className.length === 0) delete node.properties.className;
}

function targetsOf(tree: Root): Set<string> {
  const targets = new Set<string>();
  walk<RootContent>(tree, (node) => {
    if (!isElement(node)) return;
    const { id, name } = node.properties;
    if (typeof id === 'string') targets.add(id);
    if (typeof name === 'string') targets.add(name);
  });
  return targets;
}

/** Redirects `#id` to the prefixed id that the sanitiser wrote; marks external links for search engines. */
function decorateLink(link: Element, targets: Set<string>): void {
  const { href } = link.properties;
  if (typeof href !== 'string') return;
  if (href.startsWith('#')) {
    const moved = ID_PREFIX + href.slice(1);
    const isMoved =
      !targets.has(decodeAddress(href.slice(1))) && (targets.has(moved) || targets.has(decodeAddress(moved)));
    if (isMoved) link.properties.href = `#${moved}`;
  } else if (isExternal(href)) {
    link.properties.rel = ['noopener', 'nofollow', 'ugc'];
  }
}

/** Uses the URL parser because `\\host`, `/<TAB>/host` and similar forms leave the site too. */
function isExternal(href: string): boolean {
  const here = 'https://here.invalid';
  return URL.parse(href, here)?.origin !== here;
}

/**
 * Emphasis dots (着重号) are set only on Chinese and Japanese characters (中文排版需求, the Requirements
 * for Chinese Text Layout); other emphasised text is slanted like Latin text.
 */
function slantLatin(em: Element): void {
  walk<ElementContent>(em, (node, index, parent) => {
    if (isElement(node, 'code', 'span', 'em')) return 'skip';
    if (node.type !== 'text') return undefined;
    const runs = node.value.match(SCRIPT_RUNS) ?? [];
    const parts = runs.map((run): ElementContent => {
      const text = { type: 'text' as const, value: run };
      return SLANTED_RUN.test(run) ? element('span', { className: ['slanted'] }, [text]) : text;
    });
    parent.children.splice(index, 1, ...parts);
    return undefined;
  });
}

function decoratePre(pre: Element): void {
  pre.properties.className = ['code'];
  pre.properties.tabIndex = 0;
  const code = codeOf(pre);
  const language = code && languageOf(code);
  if (language && !NAMELESS.has(language)) pre.properties['dataLang'] = language;
  if (!code) return;
  const meta = code.properties['dataMeta'];
  if (meta !== undefined) pre.properties['dataMeta'] = meta;
  delete code.properties.className;
  // The HTML parser drops an empty first line, but only articles with raw HTML pass through it. This makes
  // others behave the same.
  const [first] = code.children;
  if (first?.type === 'text') first.value = first.value.replace(/^\n/, '');
}

const languageOf = (code: Element): string =>
  readInfo((classesOf(code)[0] ?? '').slice('language-'.length)).language;

function decorateCallout(node: Element): void {
  node.properties.className = ['callout', `callout-${String(node.properties['dataCallout'])}`];
  delete node.properties['dataCallout'];
  const title = node.children.find((child) => isElement(child));
  if (title) title.properties.className = ['callout-title'];
}

/**
 * Hides the footnotes' title visually: the rule above them separates them, and screen readers read the title.
 */
function decorateFootnotes(section: Element): void {
  section.properties.className = ['footnotes'];
  const title = section.children.find((child) => isElement(child, 'h2'));
  if (title?.type === 'element') title.properties.className = ['sr-only'];
}
