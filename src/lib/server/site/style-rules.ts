import type { Declaration, Rule, Selector, SelectorComponent, Visitor } from 'lightningcss';
import { MAX_STYLE_BYTES } from '../../contract/rules/looks.ts';

// The rules of the operator's own style sheet (decision 0119): it changes the content of public pages, and
// neither the header nor any part with which readers sign in. lightningcss parses and serialises it.

/** At most so many opening brackets inside each other; lightningcss overflows its stack at thousands. */
const MAX_DEPTH = 12;
const MAX_SELECTORS = 2_000;

/**
 * Tokens that matter before parsing: comments, strings, names and brackets. An escape in a name is a
 * backslash and a sign, as in `.md\:flex`; others could spell the names that the rules are about.
 */
const TOKENS =
  /\/\*[^]*?(?:\*\/|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?|[@#]?(?:[\w\-\u0080-\uffff]|\\[^\w\n])+|\\[^]?|[{}()[\]]/g;
const UNQUOTED_URL = /\(\s*(?!["'\s])(?:\\[^]|[^)\\])*\)?/y;

/**
 * Subjects of selectors are inside `main`, but no part with which readers sign in or that floats. The id,
 * which nothing has, makes them more specific than the site's own rules, which browsers read later.
 */
const REACH =
  ':is(main *,:not(*)#own):not(:where(.comment-wall,.to-top,.to-toc,dialog,:popover-open),:where(.comment-wall,.to-top,.to-toc,dialog,:popover-open) *)';
/** Keeps the content below the header and inside `main`, and the link to the sign-in page visible. */
const BOUNDS =
  'body>main{position:relative;isolation:isolate;overflow:clip;display:flow-root}main .comment-wall{visibility:visible;pointer-events:auto}';

const COMBINATORS = ['child', 'descendant', 'next-sibling', 'later-sibling'];
const PSEUDO_ELEMENTS = [
  'before',
  'after',
  'first-line',
  'first-letter',
  'marker',
  'selection',
  'placeholder',
];
const FOREIGN_CLASSES = ['custom', 'custom-function', 'host', 'local', 'global', 'webkit-scrollbar'];
const POSITIONS = ['static', 'relative', 'absolute'];
/** `all` inherits positions; names of view transitions are drawn above the page. */
const REFUSED_PROPERTIES =
  /^(?:all|behavior|-moz-binding|-?(?:webkit-)?app-region|view-transition-(?:name|class|group))$/;
/** Functions that load an address given as a string. */
const LOADERS = /^(?:url|src|image|element|paint|(?:-webkit-)?(?:image-set|cross-fade)|-moz-element)$/i;
const OWN_ADDRESS = /^(?:#[\w-]+|\/api\/file\/[\w-][\w.-]*(?:\?v=[\w.-]+)?)$/;
const KEYFRAMES_NAME = /^my-/;

interface Place {
  line: number;
  column: number;
}

/** Brand of the errors of these rules, whose messages are for the operator. */
const FAULT = Symbol('style fault');

function fail(text: string, place?: Place): never {
  const where = place ? `第 ${place.line} 行第 ${place.column} 列：` : '';
  throw Object.assign(new Error(where + text), { [FAULT]: true });
}

/** Returns the message of an error of these rules; other errors give null. */
export const styleFault = (error: unknown): string | null =>
  error instanceof Error && FAULT in error ? error.message : null;

/**
 * Checks a style sheet, and returns it as lightningcss writes it: without comments, one declaration a line.
 * @throws an error with a message for the operator (`styleFault`)
 */
export async function readStyle(text: string): Promise<string> {
  if (Buffer.byteLength(text) > MAX_STYLE_BYTES) fail(`样式最多 ${MAX_STYLE_BYTES / 1024} KB`);
  const lines = text.replaceAll(/\r\n?|\f/g, '\n');
  checkTokens(lines);
  const spaced = await transform(lines, { StyleSheet: ({ rules }) => checkRules(rules) }, false);
  // Indentation must not make a sheet too long to be saved again.
  return Buffer.byteLength(spaced) <= MAX_STYLE_BYTES ? spaced.trim() : transform(spaced, {}, true);
}

/**
 * Returns the style sheet for public pages: within its bounds, and minified. '' for an empty one.
 * @param style as `readStyle` returned it
 */
export async function boundedStyle(style: string): Promise<string> {
  const own = await transform(await readStyle(style), { Selector: await readScope() }, true);
  return own === '' ? '' : own + BOUNDS;
}

async function transform(text: string, visitor: Visitor<never>, minify: boolean): Promise<string> {
  // Loaded on demand: only some sites have their own style sheet.
  const lightningcss = await import('lightningcss');
  try {
    const { code } = lightningcss.transform({
      filename: 'style.css',
      code: Buffer.from(text),
      minify,
      visitor,
    });
    return Buffer.from(code).toString();
  } catch (error) {
    if (styleFault(error)) throw error;
    const { loc, message } = error as Error & { loc?: Place };
    return fail(message.startsWith('Unexpected end') ? '没有写完' : `看不懂（${message}）`, loc);
  }
}

async function readScope() {
  const reach: SelectorComponent[] = [];
  await transform(`*${REACH}{top:0}`, { Selector: (parts) => void reach.push(...parts.slice(1)) }, true);
  return (parts: Selector): Selector => {
    const end = parts.findIndex(({ type }) => type === 'pseudo-element');
    return parts.toSpliced(end === -1 ? parts.length : end, 0, ...reach);
  };
}

function checkTokens(text: string): void {
  const placeOf = (index: number): Place => {
    const before = text.slice(0, index).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
  };
  const control = text.search(/(?![\n\t])\p{Cc}/u);
  if (control !== -1) fail('有控制字符', placeOf(control));
  let depth = 0;
  TOKENS.lastIndex = 0;
  for (let match = TOKENS.exec(text); match; match = TOKENS.exec(text)) {
    const [token] = match;
    const place = match.index;
    if (token.startsWith('\\')) fail('名字里不能用反斜杠拼写字母', placeOf(place));
    if (/^@charset$/i.test(token)) fail('不能用 @charset', placeOf(place));
    if (/^url$/i.test(token)) {
      UNQUOTED_URL.lastIndex = TOKENS.lastIndex;
      if (UNQUOTED_URL.test(text)) TOKENS.lastIndex = UNQUOTED_URL.lastIndex;
    }
    if (/^[{([]$/.test(token)) depth++;
    if (/^[})\]]$/.test(token)) depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) fail(`括号套得太深，最多 ${MAX_DEPTH} 层`, placeOf(place));
  }
}

function checkRules(rules: readonly Rule[], count = { selectors: 0 }): void {
  for (const rule of rules) {
    const place = placeOf(rule);
    if (rule.type === 'media' || rule.type === 'container') {
      checkAddresses(rule.value, place);
      checkRules(rule.value.rules, count);
    } else if (rule.type === 'keyframes') {
      const { name, keyframes } = rule.value;
      if (!KEYFRAMES_NAME.test(name.value)) fail('动画的名字要以 my- 开头', place);
      for (const { declarations } of keyframes) checkDeclarations(declarations, place);
    } else if (rule.type === 'style') {
      const { selectors, declarations, rules: inner = [] } = rule.value;
      if (inner.length > 0) fail('规则不能写在另一条规则里，请分开写', place);
      count.selectors += selectors.length;
      if (count.selectors > MAX_SELECTORS) fail(`选择器最多 ${MAX_SELECTORS} 个`, place);
      for (const selector of selectors) checkSelector(selector, place);
      checkDeclarations(declarations ?? {}, place);
    } else if (rule.type !== 'ignored') {
      const name = rule.type === 'unknown' ? rule.value.name : rule.type.replace(/-(?:statement|block)$/, '');
      fail(`不能用 @${name}，只能用 @media、@container 和 @keyframes`, place);
    }
  }
}

/** lightningcss counts lines of rules from 0. */
function placeOf(rule: Rule): Place | undefined {
  const { loc } = (rule as { value?: { loc?: Place } }).value ?? {};
  return loc && { line: loc.line + 1, column: loc.column };
}

function checkSelector(parts: Selector, place: Place | undefined): void {
  for (const [index, part] of parts.entries()) {
    if (part.type === 'nesting' || part.type === 'namespace') fail('选择器里不能用 & 和命名空间', place);
    if (part.type === 'combinator') {
      const isAfterEnd = parts[index - 1]?.type === 'pseudo-element';
      if (isAfterEnd || !COMBINATORS.includes(part.value)) fail('选择器里有不能用的连接', place);
    }
    if (part.type === 'pseudo-element' && !PSEUDO_ELEMENTS.includes(part.kind))
      fail(`伪元素只能用 ${PSEUDO_ELEMENTS.join('、')}`, place);
    if (part.type === 'pseudo-class' && FOREIGN_CLASSES.includes(part.kind))
      fail('有不认识或不能用的伪类', place);
    const { selectors, of } = part as { selectors?: Selector[] | null; of?: Selector[] | null };
    for (const inner of [...(selectors ?? []), ...(of ?? [])]) checkSelector(inner, place);
  }
}

interface Block {
  declarations?: Declaration[];
  importantDeclarations?: Declaration[];
}

function checkDeclarations({ declarations = [], importantDeclarations = [] }: Block, place?: Place): void {
  if (importantDeclarations.length > 0)
    fail('不能用 !important：这份样式本来就排在最后，读者的打印和减少动态等设置要比它优先', place);
  for (const declaration of declarations) {
    const name = nameOf(declaration);
    if (REFUSED_PROPERTIES.test(name)) fail(`不能用 ${name}`, place);
    const isPlaced = declaration.property === 'position' && POSITIONS.includes(declaration.value.type);
    if (name === 'position' && !isPlaced) fail(`position 只能是 ${POSITIONS.join('、')}`, place);
    checkAddresses(declaration, place);
  }
}

function nameOf(declaration: Declaration): string {
  if (declaration.property === 'unparsed') return declaration.value.propertyId.property;
  return declaration.property === 'custom' ? declaration.value.name.toLowerCase() : declaration.property;
}

/** Refuses addresses elsewhere in any part of a parsed value. */
function checkAddresses(value: unknown, place: Place | undefined): void {
  if (typeof value !== 'object' || value === null) return;
  const { url, type, name } = value as { url?: unknown; type?: unknown; name?: unknown };
  if (typeof url === 'string' && !OWN_ADDRESS.test(url))
    fail('地址只能是本站的图片，像 /api/file/….png，或 # 开头', place);
  if (type === 'unquoted-url' || type === 'bad-url') fail('url() 写得不对', place);
  if (typeof name === 'string' && 'arguments' in value && LOADERS.test(name))
    fail(`不能用 ${name}() 取文件`, place);
  for (const inner of Object.values(value)) checkAddresses(inner, place);
}
