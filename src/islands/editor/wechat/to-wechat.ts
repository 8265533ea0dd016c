import tokens from '../../../lib/markdown/code/code-tokens.css?raw';
import { plainDiagrams } from './diagrams.ts';
import { elementOf, plainFormulas } from './formulas.ts';

const CODE_FONT = 'font-family:Menlo,Consolas,monospace';

/**
 * Styles of each element in a 公众号 article, whose editor keeps only style attributes. Colours derive from
 * the surrounding text, to suit any theme chosen there.
 */
export const STYLES: Readonly<Record<string, string>> = {
  h1: 'font-size:1.4em;font-weight:700;line-height:1.5;margin:2em 0 0.8em',
  h2: 'font-size:1.3em;font-weight:700;line-height:1.5;margin:2em 0 0.8em',
  h3: 'font-size:1.15em;font-weight:700;line-height:1.5;margin:1.8em 0 0.8em',
  h4: 'font-weight:700;margin:1.6em 0 0.8em',
  h5: 'font-weight:700;margin:1.6em 0 0.8em',
  h6: 'font-weight:700;margin:1.6em 0 0.8em',
  p: 'line-height:1.8;margin:0 0 1.1em',
  ul: 'line-height:1.8;margin:0 0 1.1em;padding-left:1.6em;list-style:disc',
  ol: 'line-height:1.8;margin:0 0 1.1em;padding-left:1.6em;list-style:decimal',
  blockquote: 'margin:0 0 1.1em;padding-left:1em;border-left:3px solid;opacity:0.8',
  hr: 'width:5em;margin:2em auto;border:0;border-top:1px solid;opacity:0.4',
  pre: `margin:0 0 1.1em;padding:1em;overflow-x:auto;border-radius:4px;${CODE_FONT};font-size:0.85em;line-height:1.7;${rootColours()}`,
  code: `${CODE_FONT};font-size:0.9em`,
  table: 'width:100%;margin:0 0 1.1em;border-collapse:collapse;font-size:0.92em;line-height:1.6',
  th: 'padding:0.5em 0.8em;border:1px solid;font-weight:600',
  td: 'padding:0.5em 0.8em;border:1px solid',
  img: 'display:block;max-width:100%;height:auto;margin:0 auto',
  svg: 'display:block;max-width:100%;height:auto;margin:0 auto',
  dt: 'font-weight:600',
  dd: 'margin:0 0 0.8em;padding-left:1.6em',
  figcaption: 'font-size:0.875em;text-align:center;opacity:0.7',
  sup: 'font-size:0.75em;line-height:0;vertical-align:super',
  sub: 'font-size:0.75em;line-height:0;vertical-align:sub',
};

export const CALLOUT_TITLE = 'font-weight:600;margin:0 0 0.3em';

export const CLASS_STYLES: Readonly<Record<string, string>> = {
  callout: 'margin:0 0 1.1em;padding:0.9em 1.2em;border-left:3px solid',
  'callout-title': CALLOUT_TITLE,
  formula: 'margin:0 0 1.1em;text-align:center;overflow-x:auto',
  'code-label': 'margin:0 0 0.3em;font-size:0.8em;opacity:0.7',
  'line-marked': 'background:rgba(127,127,127,0.18)',
  'line-added': `background:rgba(127,127,127,0.12);border-left:3px solid ${valueOf('--tk-inserted')}`,
  'line-removed': `background:rgba(127,127,127,0.12);border-left:3px solid ${valueOf('--tk-deleted')}`,
};

/**
 * Returns the style of a class of highlighted code (code-tokens.css) with the colours of the light theme, or
 * ''.
 */
export function tokenStyle(name: string): string {
  const rule = new RegExp(`\\.${name} \\{([^}]*)\\}`).exec(tokens)?.[1] ?? '';
  return rule
    .replace(/var\((--[\w-]+)\)/g, (_all, colour: string) => valueOf(colour))
    .replace(/\s*\n\s*/g, '');
}

function rootColours(): string {
  return `background:${valueOf('--tk-bg')};color:${valueOf('--tk-ink')}`;
}

/** Returns the value of a custom property in the light theme. */
function valueOf(property: string): string {
  return new RegExp(`${property}: light-dark\\(([^,]+),`).exec(tokens)?.[1] ?? 'inherit';
}

/** URLs that 公众号 articles may link to. */
const OWN_LINK = /^https?:\/\/mp\.weixin\.qq\.com\//;

/**
 * Converts a rendered article to what the 公众号 editor keeps on paste: inline styles, absolute picture URLs,
 * numbered links with a list at the end because it removes links, and simplified formulas, diagrams and code.
 * Unknown elements become sections.
 * @param elements are modified
 * @returns HTML and text of the article, the number of links listed, and of formulas left as TeX
 */
export function toWechat(elements: readonly Element[], origin: string) {
  const root = elementOf('section', ...elements);
  for (const each of root.querySelectorAll(
    '.anchor, [hidden], iframe, .data-footnote-backref, [data-footnote-backref]',
  ))
    each.remove();
  for (const picture of root.querySelectorAll('picture, .zoom')) {
    const image = picture.querySelector('img');
    if (image) picture.replaceWith(image);
  }
  plainDiagrams(root);
  const formulas = plainFormulas(root);
  for (const block of root.querySelectorAll('.code-block')) joinCode(block);
  const notes = root.querySelectorAll('.footnotes li').length;
  const links = numberLinks(root, origin, notes);
  for (const box of root.querySelectorAll('input')) box.replaceWith(box.checked ? '☑ ' : '☐ ');
  for (const image of root.querySelectorAll('img'))
    image.setAttribute('src', new URL(image.getAttribute('src') ?? '', origin).href);
  for (const code of root.querySelectorAll('pre')) keepSpaces(code);
  for (const element of root.querySelectorAll<HTMLElement>('*')) style(element);
  for (const element of root.querySelectorAll<HTMLElement>(
    'aside, details, figure, summary, div, dl, dt, dd',
  ))
    becomeSection(element);
  if (links.length > 0) root.append(...listOf(links, notes + 1));
  const text = Array.from(root.children, (each) => each.textContent.trim()).join('\n\n');
  return { html: root.outerHTML, text, links: links.length, formulas };
}

/** Adds a number after each link, continuing after the footnotes. Returns the URLs. */
function numberLinks(root: Element, origin: string, notes: number): string[] {
  const addresses: string[] = [];
  for (const link of root.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    if (OWN_LINK.test(href)) continue;
    const words = [...link.childNodes];
    const isNote = link.closest('sup') !== null;
    if (isNote) link.replaceWith(`[${link.textContent}]`);
    else if (href.startsWith('#') || href === '') link.replaceWith(...words);
    else {
      const address = new URL(href, origin).href;
      const isBare = link.textContent.trim() === href || link.textContent.trim() === address;
      if (isBare) link.replaceWith(...words);
      else link.replaceWith(...words, elementOf('sup', `[${numberOf(addresses, address) + notes}]`));
    }
  }
  return addresses;
}

function numberOf(addresses: string[], address: string): number {
  if (!addresses.includes(address)) addresses.push(address);
  return addresses.indexOf(address) + 1;
}

/** Lists the links. Their numbers are text, because 公众号 numbers lists from 1. */
function listOf(addresses: readonly string[], first: number): Element[] {
  const title = elementOf('h4', '链接');
  const lines = addresses.map((address, index) => {
    const line = elementOf('p', `[${first + index}] ${decoded(address)}`);
    line.style.cssText = 'font-size:0.875em;margin:0 0 0.3em;word-break:break-all';
    return line;
  });
  title.style.cssText = STYLES['h4'] ?? '';
  return [title, ...lines];
}

function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

/**
 * Joins a code block into one `pre`, preceded by a line with its language or title, because 公众号 cannot
 * fold blocks.
 */
function joinCode(block: Element): void {
  const [pre, ...rest] = block.querySelectorAll('pre');
  const label = block.querySelector('.code-bar > span');
  if (!pre) return;
  for (const piece of rest)
    pre.querySelector('code')?.append(...(piece.querySelector('code')?.childNodes ?? []));
  const line = elementOf('p', label?.textContent ?? '');
  line.className = 'code-label';
  // Label of code without a language.
  block.replaceWith(...(line.textContent === '代码' ? [pre] : [line, pre]));
}

/**
 * Converts line breaks to `br` and spaces to non-breaking ones, because 公众号 collapses white space in code.
 */
function keepSpaces(code: Element): void {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  const last = texts.at(-1);
  if (last) last.data = last.data.replace(/\n$/, '');
  for (const text of texts) {
    const lines = text.data.replaceAll('\t', '    ').replaceAll(' ', '\u00a0').split('\n');
    text.replaceWith(
      ...lines.flatMap((line, index) => (index === 0 ? [line] : [document.createElement('br'), line])),
    );
  }
}

/** Attributes to keep. 公众号 ignores all others, in particular classes. */
const ALLOWED_ATTRIBUTES = new Set(['src', 'alt', 'href', 'align', 'start', 'colspan', 'rowspan']);

/** Sets styles through CSSOM, because the page's Content-Security-Policy blocks style attributes. */
function style(element: HTMLElement): void {
  if (element.closest('svg')) return styleSvg(element);
  const styles = [STYLES[element.localName] ?? '', ...Array.from(element.classList, styleOfClass)];
  const inBlock = element.localName === 'code' && element.parentElement?.localName === 'pre';
  if (inBlock) styles[0] = '';
  if (element.localName === 'summary') styles.push(CALLOUT_TITLE);
  const align = element.getAttribute('align');
  if (align !== null) styles.push(`text-align:${align}`);
  for (const name of element.getAttributeNames())
    if (!ALLOWED_ATTRIBUTES.has(name)) element.removeAttribute(name);
  const all = styles.filter((each) => each !== '').join(';');
  if (all !== '') element.style.cssText = all;
}

/** SVG keeps its attributes except classes, ids and roles. */
function styleSvg(element: HTMLElement): void {
  for (const name of ['class', 'id', 'role']) element.removeAttribute(name);
  if (element.localName === 'svg') element.style.cssText = STYLES['svg'] ?? '';
}

function styleOfClass(name: string): string {
  return CLASS_STYLES[name] ?? (/^tk-\w$/.test(name) ? tokenStyle(name) : '');
}

function becomeSection(element: HTMLElement): void {
  const section = elementOf('section', ...element.childNodes);
  if (element.style.length > 0) section.style.cssText = element.style.cssText;
  element.replaceWith(section);
}
