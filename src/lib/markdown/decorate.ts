import type { Element, ElementContent, Root, RootContent } from 'hast';
import { codeOf, element, isElement, isFootnotes } from './elements.ts';
import { createFrames } from './frames.ts';
import { captionPicture, createPictures } from './pictures.ts';
import { ID_PREFIX } from './schema.ts';
import { scrollable } from './tables.ts';
import { walk } from './walk.ts';

// Names for the want of a language: no label is due.
const NAMELESS = new Set(['text', 'txt', 'plain', 'plaintext', 'none']);

// Chinese and Japanese, with their punctuation.
const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef“”‘’—…`;
const SCRIPT_RUNS = new RegExp(`[${CJK}]+|[^${CJK}]+`, 'gu');
const SLANTED_RUN = new RegExp(`^(?![${CJK}]).*[\\p{L}\\p{N}]`, 'su');

/** Gives a sanitised tree, in place, the attributes and constant class names that pages style. */
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
 * Lets each block of an article, in place, read in the direction of its own first letter; code does so from
 * the left, see prose.css.
 */
export function directBlocks(tree: Root): void {
  for (const block of tree.children) {
    if (isElement(block) && block.tagName !== 'pre') block.properties.dir ??= 'auto';
  }
}

/** The sanitiser leaves an empty list where it took every class away. */
function dropEmptyClass(node: Element): void {
  const { className } = node.properties;
  if (Array.isArray(className) && className.length === 0) delete node.properties.className;
}

/** Ids and names that links of the same article can lead to. */
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

/** Leads `#id` to where the sanitiser moved it, and tells search engines which links are not ours. */
function decorateLink(link: Element, targets: Set<string>): void {
  const { href } = link.properties;
  if (typeof href !== 'string') return;
  if (href.startsWith('#')) {
    const moved = ID_PREFIX + href.slice(1);
    const isMoved =
      !targets.has(decoded(href.slice(1))) && (targets.has(moved) || targets.has(decoded(moved)));
    if (isMoved) link.properties.href = `#${moved}`;
  } else if (isExternal(href)) {
    link.properties.rel = ['noopener', 'nofollow', 'ugc'];
  }
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Judged by the URL parser, because `\\host`, `/<TAB>/host` and the like leave the site too. */
function isExternal(href: string): boolean {
  const here = 'https://here.invalid';
  return !URL.canParse(href, here) || new URL(href, here).origin !== here;
}

/**
 * 着重号 stand by characters of Chinese and Japanese alone (中文排版需求); what else is emphasised is slanted, as
 * Latin letters are.
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
  const meta = [fenceMarks(code), code.properties['dataMeta'] ?? ''].join(' ').trim();
  if (meta) pre.properties['dataMeta'] = meta;
  delete code.properties.className;
  // The HTML parser drops a first empty line, but only articles with raw HTML pass it.
  const [first] = code.children;
  if (first?.type === 'text') first.value = first.value.replace(/^\n/, '');
}

/** A fence's language, lower-cased, without line marks (`js{1,3}`, `js:no-line-numbers`). */
function languageOf(code: Element): string {
  return infoOf(code)
    .replace(/^\{\.?|[{:,}].*$/g, '')
    .toLowerCase();
}

/** Line marks that stand right behind the language. */
const fenceMarks = (code: Element): string => /.\{[\d,-]+\}/.exec(infoOf(code))?.[0].slice(1) ?? '';

function infoOf(code: Element): string {
  const { className } = code.properties;
  return String(Array.isArray(className) ? className[0] : '').slice('language-'.length);
}

function decorateCallout(node: Element): void {
  node.properties.className = ['callout', `callout-${String(node.properties['dataCallout'])}`];
  delete node.properties['dataCallout'];
  const title = node.children.find((child) => isElement(child));
  if (title) title.properties.className = ['callout-title'];
}

/** The notes' title is for assistive technology: the rule above them tells the eye. */
function decorateFootnotes(section: Element): void {
  section.properties.className = ['footnotes'];
  const title = section.children.find((child) => isElement(child, 'h2'));
  if (title?.type === 'element') title.properties.className = ['sr-only'];
}
