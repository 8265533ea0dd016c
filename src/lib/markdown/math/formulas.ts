import type { Element, ElementContent, Root, RootContent } from 'hast';
import rehypeParse from 'rehype-parse';
import rehypeSanitize from 'rehype-sanitize';
import { unified } from 'unified';
import { classesOf, codeOf, element, isElement, textOf } from '../elements.ts';
import { FORMULA_LIMITS } from '../limits.ts';
import { loadOnce } from '../load-once.ts';
import { styleToClasses } from './math-styles.ts';
import { FORMULA_SCHEMA } from '../schema.ts';
import { walk } from '../walk.ts';

type Temml = (typeof import('temml'))['default'];

/** Rendered formulas by kind and TeX: MathML, or an error message. */
export type KnownFormulas = ReadonlyMap<string, Element | string>;

/** A TeX definition could expand one line to thousands of pages. */
const DEFINITIONS =
  /\\(?:[egx]?def|let|futurelet|(?:re|provide)?newcommand|renewcommand|definecolor|DeclareMathOperator)(?![a-zA-Z])/;

const parser = unified().use(rehypeParse, { fragment: true }).use(rehypeSanitize, FORMULA_SCHEMA).freeze();

export const mayHaveFormulas = (source: string): boolean => /\$|math/.test(source);

export const loadTemml = loadOnce(async () => (await import('temml')).default);

/**
 * Renders the formulas of a decorated tree in place, as MathML that includes its TeX. Invalid formulas, and
 * those past `FORMULA_LIMITS`, stay TeX with the reason in their title.
 * @param source the article; used to skip articles without formulas
 * @param known result for the previous version of the article; unchanged formulas are reused
 * @returns the formulas of this version
 */
export async function drawFormulas(
  tree: Root,
  source: string,
  known: KnownFormulas = new Map(),
): Promise<KnownFormulas> {
  const library = mayHaveFormulas(source) ? await loadTemml() : undefined;
  if (!library) return new Map();
  const places = formulasIn(tree);
  const wanted = takeWithin(places);
  const used = new Map(Array.from(wanted, ([name]) => [name, known.get(name)]));
  const missing = [...wanted.values()].filter(({ name }) => used.get(name) === undefined);
  drawAll(library, missing).forEach((drawn, index) => used.set(missing[index]?.name ?? '', drawn));
  for (const place of places) {
    const drawn = used.get(place.name) ?? '公式太多，这里显示源码';
    if (typeof drawn === 'string') markWrong(place.node, drawn);
    else place.parent.children[place.index] = placed(place, drawn);
  }
  return used as Map<string, Element | string>;
}

interface Formula {
  name: string;
  tex: string;
  isDisplay: boolean;
}

interface Place extends Formula {
  isBlock: boolean;
  node: Element;
  parent: { children: RootContent[] };
  index: number;
}

function formulasIn(tree: Root): Place[] {
  const places: Place[] = [];
  walk<RootContent>(tree, (node, index, parent) => {
    const formula = isElement(node) ? formulaIn(node) : null;
    if (formula && isElement(node)) {
      const name = `${formula.isDisplay ? '$$' : '$'}${formula.tex}`;
      places.push({ ...formula, name, node, parent, index });
    }
    return formula || isElement(node, 'pre') ? 'skip' : undefined;
  });
  return places;
}

function takeWithin(places: readonly Place[]): Map<string, Formula> {
  const taken = new Map<string, Formula>();
  let total = 0;
  for (const place of places) {
    if (taken.has(place.name)) continue;
    total += place.tex.length;
    if (total > FORMULA_LIMITS.article || taken.size >= FORMULA_LIMITS.formulas) break;
    taken.set(place.name, place);
  }
  return taken;
}

function formulaIn(node: Element): { tex: string; isBlock: boolean; isDisplay: boolean } | null {
  const isBlock = node.tagName === 'pre' && node.properties['dataLang'] === 'math';
  const code = isBlock ? codeOf(node) : node;
  const names = code?.tagName === 'code' ? classesOf(code) : [];
  if (!code || (!isBlock && !names.includes('language-math'))) return null;
  return { tex: textOf(code).trim(), isBlock, isDisplay: isBlock || names.includes('math-display') };
}

function drawAll(library: Temml, formulas: readonly Formula[]): (Element | string)[] {
  const written = formulas.map((formula) => write(library, formula));
  const markups = written.flatMap(({ markup }) => markup ?? []);
  // Parsing all formulas at once takes a third of the time.
  const elements = readMath(markups.join(''));
  const each = elements.length === markups.length ? elements : markups.map((markup) => readMath(markup)[0]);
  let next = 0;
  return written.map(({ markup, sentence }, index) => {
    const math = markup === undefined ? undefined : each[next++];
    if (!math) return sentence ?? '公式有误';
    if (depthOf(math) > FORMULA_LIMITS.depth) return '公式嵌套得太深';
    return withSource(math, formulas[index]?.tex ?? '');
  });
}

function write(library: Temml, { tex, isDisplay }: Formula): { markup?: string; sentence?: string } {
  if (tex === '') return { sentence: '公式是空的' };
  if (tex.length > FORMULA_LIMITS.formula)
    return { sentence: `公式不能超过 ${FORMULA_LIMITS.formula} 个字符` };
  if (DEFINITIONS.test(tex)) return { sentence: '公式里不能定义命令' };
  try {
    // Without a fresh table of macros, one formula could define macros for the next.
    return {
      markup: library.renderToString(tex, { displayMode: isDisplay, throwOnError: true, macros: {} }),
    };
  } catch (error) {
    return { sentence: explain(error) };
  }
}

function readMath(markup: string): Element[] {
  const tree = parser.parse(markup);
  walk<RootContent>(tree, (node) => {
    delete node.position;
    if (isElement(node)) styleToClasses(node);
  });
  return parser.runSync(tree).children.filter((node) => isElement(node, 'math'));
}

/** Adds the TeX to the MathML in a `semantics` element; copying yields the TeX (math.css). */
function withSource(math: Element, tex: string): Element {
  const [first, ...rest] = math.children;
  const shown = first && rest.length === 0 ? first : element('mrow', {}, math.children);
  const source = element('annotation', { encoding: 'application/x-tex', ariaHidden: 'true' }, [
    { type: 'text', value: tex },
  ]);
  return { ...math, children: [element('semantics', {}, [shown, source])] };
}

/** Wraps a formula that may be wider than the text: display formulas and long inline ones scroll. */
function placed({ node, tex, isBlock }: Place, math: Element): Element {
  const isWide = signsIn(math) > FORMULA_LIMITS.signs;
  if (!isBlock && !isWide && tex.length <= FORMULA_LIMITS.line) return math;
  const isDense = isWide && piecesOf(math).some((piece) => signsIn(piece) > FORMULA_LIMITS.signs);
  const className = [
    isBlock ? 'formula' : 'formula-long',
    ...(isWide ? ['formula-wide'] : []),
    ...(isDense ? ['formula-dense'] : []),
  ];
  const wrapper = element(isBlock ? 'div' : 'span', { className, tabIndex: 0 }, [math]);
  return isBlock && node.position ? { ...wrapper, position: node.position } : wrapper;
}

/** Parts between which a printed formula may be broken (math.css). */
function piecesOf(math: Element): ElementContent[] {
  const [semantics] = math.children;
  const shown = semantics && isElement(semantics) ? semantics.children[0] : undefined;
  return shown && isElement(shown, 'mrow') ? shown.children : math.children;
}

function markWrong(node: Element, sentence: string): void {
  node.properties.title = sentence;
  node.properties.className = [...(node.tagName === 'pre' ? ['code'] : []), 'math-error'];
}

/** Elements whose children are above each other. */
const STACKS = ['mfrac', 'munder', 'mover', 'munderover'];

/** Estimates the visible characters side by side; explicit width counts as two characters per em. */
function signsIn(node: ElementContent): number {
  if (node.type === 'text') return node.value.length;
  if (!isElement(node) || node.tagName === 'annotation') return 0;
  const width = 2 * Math.abs(parseFloat(String(node.properties['width'])) || 0);
  if (node.tagName === 'mtable') return width + signsInTable(node);
  const each = node.children.map(signsIn);
  return width + (isElement(node, ...STACKS) ? Math.max(0, ...each) : sumOf(each));
}

function signsInTable(table: Element): number {
  const columns: number[] = [];
  for (const row of table.children)
    if (isElement(row))
      for (const [index, cell] of row.children.entries())
        columns[index] = Math.max(columns[index] ?? 0, signsIn(cell));
  return sumOf(columns);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

function depthOf(math: Element): number {
  let depth = 0;
  for (let level: ElementContent[] = [math]; level.length > 0; depth += 1)
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  return depth;
}

const SENTENCES: [RegExp, (found: string) => string][] = [
  [/^(?:Undefined control sequence:|Unsupported function name:) *(\\\S+)/, (name) => `不认识命令 ${name}`],
  [/^No such environment: *(\S+)/, (name) => `不认识环境 ${name}`],
  [/Expected '}'|Unexpected end of input|got 'EOF'/, () => '括号或环境没有结束'],
  [/Extra }|got '}'|Mismatched|Unmatched delimiter/, () => '括号不成对'],
  [/Double (?:super|sub)script/, () => '同一个位置有两个上标或下标'],
  [/Expected group/, () => '命令后面缺少内容'],
  [/display mode/, () => '这个命令或环境只能用在独立成段的公式里'],
  [/in (?:text|math) mode/, () => '命令用错了地方'],
  [/Too many expansions/, () => '公式展开后太长'],
  [/Invalid (?:color|size|unit)/, () => '颜色或长度写错了'],
];

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message.replace(/^ParseError:\s*|^\s+/g, '') : '';
  for (const [pattern, sentence] of SENTENCES) {
    const found = pattern.exec(message);
    if (found) return `公式有误：${sentence(found[1] ?? '')}`;
  }
  const at = /at position (\d+)/.exec(message)?.[1];
  return at === undefined ? '公式有误' : `公式有误：第 ${at} 个字符附近`;
}
