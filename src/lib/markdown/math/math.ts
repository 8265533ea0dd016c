import type { Element } from 'hast';
import type { Node } from 'mdast';
import type { CompileContext, Extension as FromMarkdownExtension, Token } from 'mdast-util-from-markdown';
import type { Processor } from 'unified';
import { element } from '../elements.ts';
import { mathSyntax } from './math-syntax.ts';

/** Inline formula; `value` is its TeX without the dollars. */
export interface InlineMath extends Node {
  type: 'inlineMath';
  value: string;
}

export interface Math extends Node {
  type: 'math';
  value: string;
}

declare module 'mdast' {
  interface RootContentMap {
    inlineMath: InlineMath;
    math: Math;
  }
  interface PhrasingContentMap {
    inlineMath: InlineMath;
  }
}

/**
 * Returns the TeX as `code` with the language math; blocks are wrapped in `pre`. Browsers without MathML, the
 * sanitiser and formulas.ts all understand this form.
 */
function codeOf(value: string, isBlock: boolean): Element {
  const className = ['language-math', ...(isBlock ? ['math-display'] : [])];
  return element('code', { className }, [{ type: 'text', value }]);
}

function enterText(this: CompileContext, token: Token): undefined {
  const source = this.sliceSerialize(token);
  const dollars = source.startsWith('$$') ? 2 : 1;
  const value = source.slice(dollars, -dollars).trim();
  const { properties: hProperties, children: hChildren } = codeOf(value, dollars === 2);
  this.enter({ type: 'inlineMath', value, data: { hName: 'code', hProperties, hChildren } }, token);
}

function enterFlow(this: CompileContext, token: Token): undefined {
  const value = this.sliceSerialize(token)
    .replace(/^\$\$|\$\$[ \t]*$/g, '')
    .trim();
  this.enter({ type: 'math', value, data: { hName: 'pre', hChildren: [codeOf(value, true)] } }, token);
}

function exit(this: CompileContext, token: Token): undefined {
  this.exit(token);
}

const fromMarkdown: FromMarkdownExtension = {
  enter: { mathText: enterText, mathFlow: enterFlow },
  exit: { mathText: exit, mathFlow: exit },
};

export function remarkMath(this: Processor): void {
  const data = this.data();
  (data.micromarkExtensions ??= []).push(mathSyntax);
  (data.fromMarkdownExtensions ??= []).push(fromMarkdown);
}
