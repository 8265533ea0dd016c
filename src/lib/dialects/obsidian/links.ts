import { slug } from 'github-slugger';
import { applyEdits, type Edit, type Edited } from '../../markdown-file/edits.ts';
import { findCode } from '../code-ranges.ts';
import { createLines, type Range } from '../../markdown-file/offsets.ts';
import { IMAGE } from '../extensions.ts';
import { writeSized } from '../sized-picture.ts';
import { inlineCode, link, picture } from '../tags/markdown.ts';

/** Names that a note can refer to. */
export interface Vault {
  /** Whether the note is in a vault; otherwise only links to known files are Obsidian's. */
  isVault: boolean;
  /** Returns the address of an article by the name of its note, or null. */
  note(name: string): string | null;
  /** Returns the address of any other file by its name, or null. */
  file(name: string): string | null;
  /** Reports a loss as a Chinese sentence, with the line of the text, from 0. */
  lose(line: number, what: string): void;
}

/** Excludes links with a label in brackets, `[[1]](https://…)`. */
const LINK = /(!?)\[\[([^[\]\n]{1,500})\]\](?!\(|\[(?!\[))/g;
const SIZE = /^(\d{1,5})(?:x(\d{1,5}))?$/;
/** Text in double brackets that looks like a link: not a condition of a shell, an index, or a list. */
const NAME = /^(?=.*\p{L})[^\s\-"'$,][^="'$]*$/u;

type Wanted = ReturnType<typeof readLink>;

/** Turns Obsidian's links and embeds (`[[note#heading|label]]`, `![[picture.png|300]]`) into markdown. */
export function translateLinks(edited: Edited, vault: Vault): Edited {
  const { text } = edited;
  const found = [...text.matchAll(LINK)];
  if (found.length === 0) return edited;
  const isCode = findCode(text);
  const lineAt = createLines(text);
  const edits = found.flatMap((match): Edit[] => {
    const { 0: source, 1: sign = '', 2: inside = '', index: start } = match;
    if (isCode(start) || /(?<!\\)(?:\\\\)*\\$/.test(text.slice(Math.max(0, start - 20), start))) return [];
    const wanted = readLink(source, sign !== '', inside);
    const end = start + source.length;
    const lose = (what: string): void => vault.lose(edited.lineOf(lineAt(start)), what);
    if (wanted.isEmbed && IMAGE.test(wanted.name)) return [writePicture(text, { start, end }, wanted, vault)];
    const by = writeLink(wanted, vault, lose);
    return by === null ? [] : [{ start, end, by }];
  });
  return applyEdits(edited, edits);
}

/** Reads the inside of double brackets. `name` names a note or a file; it is empty for the same note. */
function readLink(source: string, isEmbed: boolean, inside: string) {
  // In a table, the vertical bar is escaped.
  const [target = '', ...options] = inside.split(/\\?\|/).map((part) => part.trim());
  const [name = '', ...anchors] = target.split('#').map((part) => part.trim());
  const label = options.join(' ').trim();
  return { source, isEmbed, name, anchor: anchors.at(-1) ?? '', label, options };
}

function writePicture(text: string, place: Range, { name, options }: Wanted, vault: Vault): Edit {
  const [, width = '', height = ''] = SIZE.exec(options.at(-1) ?? '') ?? [];
  const alt = (width === '' ? options : options.slice(0, -1)).join(' ').trim();
  const url = vault.file(name) ?? encodePath(name);
  if (width !== '') return writeSized(text, place, { alt, url, width, height });
  return { ...place, by: picture(withoutBars(alt), url) };
}

/** Returns markdown; null for text that stays as it is. */
function writeLink(wanted: Wanted, vault: Vault, lose: (what: string) => void): string | null {
  const { source, isEmbed, name, anchor, label } = wanted;
  const shown = withoutBars(label || anchor.replace(/^\^/, '') || (name.split('/').at(-1) ?? name));
  const note = name === '' ? '' : vault.note(name);
  if (note !== null) {
    if (name === '' && !vault.isVault) return null;
    const isBlock = anchor.startsWith('^');
    if (isBlock) lose(`指向段落的链接改为指向全文：${source}`);
    if (isEmbed) lose(`嵌入的笔记改成了链接：${source}`);
    const hash = anchor === '' || isBlock ? '' : `#${slug(anchor)}`;
    const text = label === '' && anchor !== '' && name !== '' ? `${withoutBars(name)} › ${shown}` : shown;
    return note + hash === '' ? shown : link(text, note + hash);
  }
  const file = vault.file(name);
  if (file !== null && IMAGE.test(name)) return link(shown, file);
  if (file !== null || (vault.isVault && /\.(?!md$)[a-z\d]{1,8}$/i.test(name) && isEmbed)) {
    lose(`附件没有导入，文中留下说明：${source}`);
    return `${label === '' ? '' : shown}（附件没有导入：${inlineCode(name)}）`;
  }
  if (vault.isVault) {
    lose(`找不到链接的文章，只留下文字：${source}`);
    return shown;
  }
  if (isEmbed || NAME.test(name)) lose(`看不懂的链接，保留原样：${source}`);
  return null;
}

/** A vertical bar would end the cell of a table. */
const withoutBars = (text: string): string => text.replaceAll('|', '&#124;');

/** Encodes the characters of a path that have a meaning in addresses or in tables. */
export const encodePath = (path: string): string => path.replace(/[%#?<>|\\]/g, encodeURIComponent);
