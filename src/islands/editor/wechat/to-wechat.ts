import { plainDiagrams } from './diagrams.ts';
import { plainFormulas } from './formulas.ts';
import { CALLOUT_TITLE, CLASS_STYLES, STYLES, tokenStyle } from './styles.ts';

/** An article for the editor of 公众号. */
export interface ForWechat {
  html: string;
  text: string;
  /** How many links are listed at its end. */
  links: number;
  /** How many formulas stand in it as TeX. */
  formulas: number;
}

/** Addresses that its articles may link to. */
const OWN_LINK = /^https?:\/\/mp\.weixin\.qq\.com\//;

/**
 * Makes of a rendered article what the editor of 公众号 keeps when it is pasted: styles in each element,
 * pictures with their whole address, links as numbers with a list at the end, since it drops them; formulas,
 * diagrams and code by what it knows. Elements it does not know become sections.
 * @param elements are changed
 */
export function toWechat(elements: readonly Element[], origin: string): ForWechat {
  const root = document.createElement('section');
  root.append(...elements);
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

/** Puts a number behind each link, after those of the notes. Returns the addresses. */
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
      else link.replaceWith(...words, mark(numberOf(addresses, address) + notes));
    }
  }
  return addresses;
}

function numberOf(addresses: string[], address: string): number {
  if (!addresses.includes(address)) addresses.push(address);
  return addresses.indexOf(address) + 1;
}

function mark(number: number): Element {
  const sup = document.createElement('sup');
  sup.append(`[${number}]`);
  return sup;
}

/** The list of links: 公众号 numbers lists from 1 on, so their numbers are text. */
function listOf(addresses: readonly string[], first: number): Element[] {
  const title = document.createElement('h4');
  title.append('链接');
  const lines = addresses.map((address, index) => {
    const line = document.createElement('p');
    line.append(`[${first + index}] ${decoded(address)}`);
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

/** A code block as one `pre` below a line that names its language or its title: nothing folds there. */
function joinCode(block: Element): void {
  const [pre, ...rest] = block.querySelectorAll('pre');
  const label = block.querySelector('.code-bar > span');
  if (!pre) return;
  for (const piece of rest)
    pre.querySelector('code')?.append(...(piece.querySelector('code')?.childNodes ?? []));
  const line = document.createElement('p');
  line.className = 'code-label';
  line.append(label?.textContent ?? '');
  // Said of code that names none.
  block.replaceWith(...(line.textContent === '代码' ? [pre] : [line, pre]));
}

/** The editor joins lines and spaces of code: they become breaks and spaces that stay. */
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

/** What an attribute may be kept for; all others, classes above all, mean nothing there. */
const KEPT = new Set(['src', 'alt', 'href', 'align', 'start', 'colspan', 'rowspan']);

/** By way of CSSOM: the page's policy forbids attributes with styles. */
function style(element: HTMLElement): void {
  if (element.closest('svg')) return styleSvg(element);
  const styles = [STYLES[element.localName] ?? '', ...Array.from(element.classList, styleOfClass)];
  const inBlock = element.localName === 'code' && element.parentElement?.localName === 'pre';
  if (inBlock) styles[0] = '';
  if (element.localName === 'summary') styles.push(CALLOUT_TITLE);
  const align = element.getAttribute('align');
  if (align !== null) styles.push(`text-align:${align}`);
  for (const name of element.getAttributeNames()) if (!KEPT.has(name)) element.removeAttribute(name);
  const all = styles.filter((each) => each !== '').join(';');
  if (all !== '') element.style.cssText = all;
}

/** Shapes keep their attributes, but for classes and ids. */
function styleSvg(element: HTMLElement): void {
  for (const name of ['class', 'id', 'role']) element.removeAttribute(name);
  if (element.localName === 'svg') element.style.cssText = STYLES['svg'] ?? '';
}

function styleOfClass(name: string): string {
  return CLASS_STYLES[name] ?? (/^tk-\w$/.test(name) ? tokenStyle(name) : '');
}

function becomeSection(element: HTMLElement): void {
  const section = document.createElement('section');
  if (element.style.length > 0) section.style.cssText = element.style.cssText;
  section.append(...element.childNodes);
  element.replaceWith(section);
}
