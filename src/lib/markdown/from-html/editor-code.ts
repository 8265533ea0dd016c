import type { Nodes, Root } from 'hast';
import { textOf } from '../elements.ts';
import { styleOf } from './styles.ts';

const MONOSPACE =
  /mono|menlo|monaco|consolas|courier|cascadia|fira code|source code|inconsolata|iosevka|lucida console|fixedsys|hack\b/;
const PRESERVED = /^(?:pre|break-spaces)/;
/** Elements by which editors and terminals colour text. Anything else, such as a link, is not from one. */
const COLOURED = new Set('div span p br font b i u'.split(' '));
const IGNORED = new Set('meta style head title'.split(' '));

/**
 * Whether HTML is the coloured text of a code editor or a terminal: all of it has a monospace font and keeps
 * its white space by inline styles, or a style sheet in it has monospace fonts only (Xcode). A `pre` does not
 * count.
 */
export function isEditorCode(tree: Root): boolean {
  const isSheet = hasMonospaceSheet(tree);
  return textOf(tree).trim() !== '' && tree.children.every((node) => isCode(node, isSheet, isSheet));
}

function isCode(node: Nodes, isMonospace: boolean, isPreserved: boolean): boolean {
  if (node.type === 'text') return (isMonospace && isPreserved) || node.value.trim() === '';
  if (node.type !== 'element') return true;
  if (IGNORED.has(node.tagName)) return true;
  const font = styleOf(node, 'font-family') || styleOf(node, 'font');
  const space = styleOf(node, 'white-space');
  const isInside = font === '' ? isMonospace : MONOSPACE.test(font);
  const isKept = space === '' ? isPreserved : PRESERVED.test(space);
  return COLOURED.has(node.tagName) && node.children.every((child) => isCode(child, isInside, isKept));
}

function hasMonospaceSheet(tree: Root): boolean {
  const sheets = tree.children.filter((node) => node.type === 'element' && node.tagName === 'style');
  const fonts = sheets.flatMap((sheet) => textOf(sheet).match(/\bfont(?:-family)?\s*:[^;}]*/gi) ?? []);
  return fonts.length > 0 && fonts.every((font) => MONOSPACE.test(font.toLowerCase()));
}
