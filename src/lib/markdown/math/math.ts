import type { ElementContent } from 'hast';
import type { Node } from 'mdast';
import type { CompileContext, Extension as FromMarkdownExtension, Token } from 'mdast-util-from-markdown';
import type { Processor } from 'unified';
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
function codeOf(value: string, isBlock: boolean): ElementContent {
  const className = ['language-math', ...(isBlock ? ['math-display'] : [])];
  return { type: 'element', tagName: 'code', properties: { className }, children: [{ type: 'text', value }] };
}

function enterText(this: CompileContext, token: Token): undefined {
  const source = this.sliceSerialize(token);
  const dollars = source.startsWith('$$') ? 2 : 1;
  const value = source.slice(dollars, -dollars).trim();
  const { properties, children } = codeOf(value, dollars === 2) as ElementContent & { type: 'element' };
  this.enter(
    { type: 'inlineMath', value, data: { hName: 'code', hProperties: properties, hChildren: children } },
    token,
  );
}

function enterFlow(this: CompileContext, token: Token): undefined {
  const value = this.sliceSerialize(token)
    .replace(/^\$\$|\$\$[ \t]*$/g, '')
    .trim();
  this.enter({ type: 'math', value, data: { hName: 'pre', hChildren: [codeOf(value, true)] } }, token);
}

const fromMarkdown: FromMarkdownExtension = {
  enter: { mathText: enterText, mathFlow: enterFlow },
  exit: {
    mathText(token) {
      this.exit(token);
    },
    mathFlow(token) {
      this.exit(token);
    },
  },
};

export function remarkMath(this: Processor): void {
  const data = this.data() as { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] };
  (data.micromarkExtensions ??= []).push(mathSyntax);
  (data.fromMarkdownExtensions ??= []).push(fromMarkdown);
}
