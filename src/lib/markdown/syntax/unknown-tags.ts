import type { Html, Root, RootContent } from 'mdast';
import { htmlFlow, htmlText } from 'micromark-core-commonmark';
import type { Code, Construct, Extension, State } from 'micromark-util-types';
import type { Processor } from 'unified';
import { isDropped, isKnown, isMarkup } from './element-names.ts';
import { walk } from '../walk.ts';

const LESS_THAN = 60;
const SLASH = 47;
const EXCLAMATION = 33;
const GREATER_THAN = 62;
const DASH = 45;

const isNameCharacter = (code: Code): boolean =>
  code !== null && code > 0 && /[\da-z-]/i.test(String.fromCharCode(code));
const isSpace = (code: Code): boolean => code === 32 || code === -1 || code === -2;
const isEndOrTag = (code: Code): boolean => code === null || code < -2 || code === LESS_THAN;

/**
 * Accepts the start of a comment, or of a tag that is markup. A dropped tag before text on its line starts no
 * block of HTML, so the line stays Markdown: `<main>: \`push %rbp\``.
 */
const markup = (isFlow: boolean): Construct => ({
  partial: true,
  tokenize(effects, ok, nok) {
    let name = '';
    let isEnd = false;
    effects.enter('data');
    return (less) => {
      effects.consume(less);
      return afterLess;
    };

    function afterLess(code: Code) {
      if (code === EXCLAMATION) {
        effects.consume(code);
        return (next: Code) => done(next === DASH, next);
      }
      if (code !== SLASH) return inName(code);
      isEnd = true;
      effects.consume(code);
      return inName;
    }

    function inName(code: Code): State | undefined {
      if (isNameCharacter(code)) {
        name += String.fromCharCode(code as number);
        effects.consume(code);
        return inName;
      }
      const isBare = !isEnd && code === GREATER_THAN;
      if (!isFlow) return done(isKnown(name), code);
      if (!isMarkup(name, isBare)) return done(false, code);
      if (!isBare || !isDropped(name) || HOLDS_TEXT.test(name)) return done(true, code);
      effects.consume(code);
      return afterTag;
    }

    function afterTag(code: Code): State | undefined {
      if (!isSpace(code)) return done(isEndOrTag(code), code);
      effects.consume(code);
      return afterTag;
    }

    function done(isAccepted: boolean, code: Code) {
      effects.exit('data');
      return isAccepted ? ok(code) : nok(code);
    }
  },
});

/** Elements whose content is not Markdown. */
const HOLDS_TEXT = /^(?:script|style|textarea)$/i;

const markupOnly = (construct: Construct, name: string): Construct => {
  const test = markup(name === 'markupFlow');
  return {
    ...construct,
    name,
    tokenize(effects, ok, nok) {
      return effects.check(test, construct.tokenize.call(this, effects, ok, nok), nok);
    },
  };
};

/** Syntax extension: tags of unknown elements, instructions and declarations are text. */
export const markupTags: Extension = {
  disable: { null: ['htmlFlow', 'htmlText'] },
  flow: { [LESS_THAN]: markupOnly(htmlFlow, 'markupFlow') },
  text: { [LESS_THAN]: markupOnly(htmlText, 'markupText') },
};

/**
 * Comments, SVG and formulas as a whole, and other tags. No alternative can match again inside a failed match
 * of another, so the time is linear.
 */
const TAG =
  /<!--[^]*?(?:-->|$)|<(?:svg|math)(?=[\s/>])[^]*?(?:<\/(?:svg|math)\s*>|$)|<(\/?)([a-z][^\s/<>]*)(?=[\s/<>]|$)(>?)|<(?=[!?])/gi;

/** A tag in raw HTML; `isText` if it is not markup. */
interface FoundTag {
  name: string;
  index: number;
  isEnd: boolean;
  /** Whether it is a start tag without attributes. */
  isBare: boolean;
  isText: boolean;
}

/** Finds the tags of raw HTML outside of comments, SVG and formulas. */
export function findTags(html: string): FoundTag[] {
  return [...html.matchAll(TAG)].flatMap(({ 0: tag, 1: slash = '', 2: name = '', 3: close, index }) => {
    if (tag.startsWith('<!--')) return [];
    if (/^<svg/i.test(tag)) return { name: 'svg', index, isEnd: false, isBare: false, isText: false };
    if (name === '' && tag !== '<') return [];
    const isEnd = slash !== '';
    const isBare = !isEnd && close === '>';
    return { name: name.toLowerCase(), index, isEnd, isBare, isText: !isMarkup(name, isBare) };
  });
}

/**
 * Remark plugin: shows tags of unknown elements (`List<String>`, `<router-view>`) as text, and those of
 * dropped ones that nothing in their paragraph closes (`the <main> element`). The sanitiser would drop them,
 * and with them the author's words.
 */
export function remarkUnknownTags(this: Processor) {
  (this.data().micromarkExtensions ??= []).push(markupTags);
  return (tree: Root): void => {
    for (const node of tree.children) if (node.type === 'html') escapeTags(node, ({ isText }) => isText);
    walk<RootContent>(tree, (node) => {
      if (!('children' in node)) return;
      const nodes = node.children.filter((child) => child.type === 'html');
      if (!CONTAINERS.has(node.type)) escapeInline(nodes);
      else for (const each of nodes) escapeTags(each, ({ isText }) => isText);
    });
  };
}

/** Parents of blocks; an element in them may be closed in a later block. */
const CONTAINERS = new Set<RootContent['type']>(['blockquote', 'footnoteDefinition', 'list', 'listItem']);

/** Escapes among the tags of a paragraph, each a node. */
function escapeInline(nodes: readonly Html[]): void {
  const closed = new Set<string>();
  let foreign = '';
  const words = nodes.filter(({ value }) => {
    const [, slash, name = ''] = /^<(\/?)(svg|math)\b/i.exec(value) ?? [];
    if (slash === '' && foreign === '') foreign = name;
    else if (slash === '/' && foreign === name) foreign = '';
    return foreign === '';
  });
  for (const node of words.toReversed()) {
    escapeTags(node, (tag) => tag.isText || (tag.isBare && isDropped(tag.name) && !closed.has(tag.name)));
    for (const { name, isEnd } of findTags(node.value)) if (isEnd) closed.add(name);
  }
}

function escapeTags(node: Html, isText: (tag: FoundTag) => boolean): void {
  const starts = new Set(findTags(node.value).flatMap((tag) => (isText(tag) ? [tag.index] : [])));
  if (starts.size === 0) return;
  node.value = node.value.replace(/</g, (sign, at: number) => (starts.has(at) ? '&lt;' : sign));
}
