import type { Root } from 'hast';

// Real articles nest below 20. HTML parsers flatten at 512, and each level costs several stack frames in five passes.
const MAX_DEPTH = 200;
const MAX_MARKERS = 100;

const CODE = 'MARKDOWN_TOO_COMPLEX';

/** Builds what is thrown for a text that nests too deeply to be rendered. */
export function tooComplex(): Error {
  return Object.assign(new Error('markdown nests too deeply'), { code: CODE });
}

/** Whether `error` says that a text is too complex: `tooComplex()`, or the stack overflow it is meant to prevent. */
export function isTooComplex(error: unknown): boolean {
  if (error instanceof RangeError) return error.message.includes('call stack');
  return typeof error === 'object' && error !== null && 'code' in error && error.code === CODE;
}

/**
 * Refuses, before anything is parsed, a line that opens more than 100 quotes and lists at once: thousands of them overflow the
 * parser's stack (SECURITY.md 3).
 * @param source markdown
 */
export function refuseDeepLines(source: string): void {
  // Sticky, and each alternative starts with another character: linear in the text.
  const marker = /[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
  for (let start = 0; start < source.length;) {
    const end = source.indexOf('\n', start);
    const lineEnd = end < 0 ? source.length : end;
    let count = 0;
    marker.lastIndex = start;
    while (marker.lastIndex < lineEnd && marker.test(source)) {
      count += 1;
      if (count > MAX_MARKERS) throw tooComplex();
    }
    start = lineEnd + 1;
  }
}

/** Plugin: refuses a tree of more than 200 levels, as raw HTML can make. Walks without recursion. */
export function rehypeRefuseDeepTree() {
  return (tree: Root): void => {
    let level: Root['children'] = tree.children;
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_DEPTH) throw tooComplex();
      level = level.flatMap((node) => ('children' in node ? node.children : []));
    }
  };
}
