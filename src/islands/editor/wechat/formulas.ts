export function elementOf(name: string, ...nodes: (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  element.append(...nodes);
  return element;
}

/** Binary operators, which get space on both sides. */
const JOINS = /^[=<>≤≥≠≈≡∼∈∉⊂⊆∪∩→←↦⇒⇐⇔×÷±∓+−∗⋅·∧∨⩽⩾:]$/;
const THIN = '\u2009';
const INVISIBLE = /[\u2061-\u2064]/g;

/**
 * Converts formulas in place to what 公众号 keeps. It has no MathML, so a formula of one line (`x²`, `O(n log
 * n)`) becomes text and indices, any other its TeX source. Returns the number of formulas that became TeX.
 */
export function plainFormulas(root: Element): number {
  let asTex = 0;
  for (const math of root.querySelectorAll('math')) {
    const [shown, source] = math.firstElementChild?.children ?? [];
    const nodes = shown ? lineOf(shown) : null;
    if (nodes) math.replaceWith(...nodes);
    else {
      asTex += 1;
      math.replaceWith(elementOf('code', source?.textContent ?? math.textContent));
    }
  }
  return asTex;
}

/** Converts a formula to inline text; null if that is not possible. */
function lineOf(node: Element): (Node | string)[] | null {
  const parts = [...node.children];
  const words = node.textContent.replace(INVISIBLE, '');
  switch (node.localName) {
    case 'mrow':
    case 'mstyle':
    case 'mpadded':
      return allOf(parts);
    case 'mi':
      // A single letter is italic unless marked as normal; a name (log, sin) is upright.
      return [...words].length === 1 && node.getAttribute('mathvariant') !== 'normal' && /\p{L}/u.test(words)
        ? [elementOf('em', words)]
        : [words];
    case 'mo':
      return [JOINS.test(words) && node.previousElementSibling !== null ? THIN + words + THIN : words];
    case 'mn':
    case 'mtext':
      return [words];
    case 'mspace':
      return [THIN];
    case 'msup':
      return withIndices(parts, ['sup']);
    case 'msub':
      return withIndices(parts, ['sub']);
    case 'msubsup':
      return withIndices(parts, ['sub', 'sup']);
    default:
      return null;
  }
}

function allOf(parts: readonly Element[]): (Node | string)[] | null {
  const all: (Node | string)[] = [];
  for (const part of parts) {
    const nodes = lineOf(part);
    if (!nodes) return null;
    all.push(...nodes);
  }
  return all;
}

function withIndices(
  [base, ...indices]: readonly Element[],
  names: ('sup' | 'sub')[],
): (Node | string)[] | null {
  const line = base ? lineOf(base) : null;
  const each = indices.map((index) => lineOf(index));
  if (!line || each.includes(null)) return null;
  return [...line, ...each.map((nodes, at) => elementOf(names[at] ?? 'sup', ...(nodes ?? [])))];
}
