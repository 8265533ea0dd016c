import { codeBlock, codeTitle, inlineCode, linked, paragraph, picture } from './markdown.ts';
import { aliases, valueOf, type Site, type Tag, type Translators, type Written } from './tag.ts';
import { gist, hexoTags, postAddress } from './hexo-tags.ts';
import { player } from './players.ts';
import type { Found } from './read-tag.ts';
import { hexoThemeTags } from './hexo-theme-tags.ts';
import { hugoTags } from './hugo-tags.ts';
import { hugoThemeTags } from './hugo-theme-tags.ts';
import { scanTags } from './scan.ts';
import { readWords } from './words.ts';

/** Writes an unknown tag as code: as a block if it is alone on its lines, otherwise inline. */
const asCode = (source: string, isAlone: boolean): Written =>
  isAlone || /\n[ \t]*\n/.test(source) ? codeBlock(source, 'text') : inlineCode(source);

function shownInReport(source: string): string {
  const line = source.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

/** Tags of Jekyll (https://jekyllrb.com/docs/liquid/tags/), and of Liquid itself. */
const liquidTags: Translators = {
  ...aliases('raw verbatim', ({ raw }: Tag) => raw ?? null),
  comment: ({ raw }) => (raw === undefined ? null : ''),
  highlight,
  post_url: ({ words: [name], line }, site) => postAddress(name, line, site),
  include: included,
  include_relative: () => null,
  bilibili: ({ words: [id] }) => player('bilibili', id),
};

/** `language [linenos] [hl_lines="1 2"] [mark_lines="1 2"]`. */
function highlight(tag: Tag): Written | null {
  const { raw, words } = tag;
  if (raw === undefined) return null;
  const lines = valueOf(tag, 'mark_lines', 'hl_lines');
  const marks = /^[\d\s-]+$/.test(lines) ? `{${lines.trim().split(/\s+/).join(',')}}` : '';
  return codeBlock(raw, words[0] ?? '', `${codeTitle(valueOf(tag, 'title'))} ${marks}`);
}

const IS_PICTURE =
  /(?:^|\/)(?:figure|image|img|picture|responsive-image|post-image)s?(?:[-_]\w+)?(?:\.\w+)?$/i;

/** Includes belong to themes; those for pictures and videos usually have the same names. */
function included(tag: Tag): Written | null {
  const name = tag.words[0] ?? '';
  if (IS_PICTURE.test(name)) return figure(tag);
  if (/(?:^|\/)gist(?:\.\w+)?$/i.test(name)) return gist(valueOf(tag, 'id', 'gist'), valueOf(tag, 'file'));
  const site = /(youtube|vimeo|bilibili|video)/i.exec(name)?.[1]?.toLowerCase();
  if (site === undefined) return null;
  const id = valueOf(tag, 'id', 'video_id', 'url', 'src');
  const provider = site === 'video' ? valueOf(tag, 'provider').toLowerCase() || 'youtube' : site;
  return provider === 'youtube' || provider === 'vimeo' || provider === 'bilibili'
    ? player(provider, id)
    : null;
}

function figure(tag: Tag): Written | null {
  const url = valueOf(tag, 'image_path', 'src', 'url', 'path', 'file', 'image', 'img', 'name');
  if (url === '') return null;
  const caption = valueOf(tag, 'caption', 'title', 'description');
  const shown = picture(valueOf(tag, 'alt') || caption, url, caption);
  const target = valueOf(tag, 'link', 'href', 'popup');
  return paragraph(target === '' || target === 'true' ? shown : linked(shown, target));
}

const ROOTS = /^(?:site\.(?:baseurl|url|github\.url)|config\.(?:root|url)|theme\.baseurl)$/;
const ADDRESS_FILTERS =
  /^\|\s*(?:relative_url|absolute_url|prepend:\s*site\.(?:baseurl|url)|uri_escape|escape)\b/;

/**
 * Removes `{{ site.baseurl }}`, which leaves an address from the site's root, and replaces `{{ '/a.png' |
 * relative_url }}` with its address; null for all other outputs.
 */
function writeOutput({ name, source }: Tag): string | null {
  if (ROOTS.test(name)) return '';
  const text = /^(["'])(.*)\1$/s.exec(name)?.[2];
  if (text === undefined) return null;
  const filters = source.split(/(?=\|)/).map((filter) => filter.trim());
  if (!filters.every((filter) => ADDRESS_FILTERS.test(filter))) return null;
  return text.startsWith('/') || /^[a-z]+:/i.test(text) ? text : `/${text}`;
}

type Paired = Found & { at: number; closing?: Paired; opening?: Paired };

/** Pairs each tag with its end tag. Pairs nest; tags without an end stay single. */
function pairUp(tags: readonly Found[]): Paired[] {
  const paired: Paired[] = tags.map((tag, at) => ({ ...tag, at }));
  const open: Paired[] = [];
  const byName = new Map<string, number>();
  const count = (tag: Found, step: number): void => {
    const name = tag.kind + tag.name;
    byName.set(name, (byName.get(name) ?? 0) + step);
  };
  for (const tag of paired) {
    if (tag.isEnd) {
      if (!byName.get(tag.kind + tag.name)) continue;
      for (let last = open.pop(); last && !tag.opening; last = tag.opening ? undefined : open.pop()) {
        count(last, -1);
        if (last.kind !== tag.kind || last.name !== tag.name) continue;
        last.closing = tag;
        tag.opening = last;
      }
    } else if (!tag.isClosed && !tag.rawEnd) {
      open.push(tag);
      count(tag, 1);
    }
  }
  return paired;
}

/** Characters of the current line that are kept: joining the whole text for each tag takes quadratic time. */
const LINE_START_CHARACTERS = 200;

type Writer = ReturnType<typeof createWriter>;

function createWriter() {
  const pieces: string[] = [];
  let current = '';
  let isBlankBefore = true;

  function push(text: string): void {
    if (text === '') return;
    pieces.push(text);
    const lines = text.split('\n');
    const last = lines.at(-1) ?? '';
    if (lines.length === 1) {
      if (current.length < LINE_START_CHARACTERS) current += last.slice(0, LINE_START_CHARACTERS);
      return;
    }
    const before = lines.length === 2 ? current + (lines[0] ?? '') : (lines.at(-2) ?? '');
    isBlankBefore = isBlank(before);
    current = last.slice(0, LINE_START_CHARACTERS);
  }

  return {
    push,
    /** Appends a block after a blank line, with the prefix of the current line on each of its lines. */
    pushBlock(block: string): void {
      const prefix = prefixOf(current);
      if (!isBlank(current) && !isMarker(current)) push(`\n${prefix.trimEnd()}\n${prefix}`);
      else if (isBlank(current) && !isBlankBefore) push(`\n${prefix}`);
      push(block.replaceAll('\n', `\n${prefix}`));
    },
    prefix: () => prefixOf(current),
    text: () => pieces.join(''),
  };
}

const isBlank = (line: string): boolean => /^[ \t>]*$/.test(line);
const isMarker = (line: string): boolean => /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+$/.test(line);

function prefixOf(line: string): string {
  const [, outer = '', sign = ''] = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?/.exec(line) ?? [];
  return outer + ' '.repeat(sign.length);
}

const LIQUID: Translators = { ...hexoThemeTags, ...hexoTags, ...liquidTags };
const HUGO: Translators = { ...hugoThemeTags, ...hugoTags };
/** Maximum nesting of tags; deeper ones become code. */
const MAX_DEPTH = 30;

/**
 * Translates tags of Hexo, Hugo and Jekyll to markdown. Unknown tags become code and are reported; everything
 * else is unchanged. Takes linear time.
 * @param lineOf converts a line of the text, from 0, to a line of the file, from 1
 * @throws Problem for a text that nests too deeply
 */
export function translateTags(text: string, site: Site, lineOf: (line: number) => number): string {
  const tags = pairUp(scanTags(text));
  if (tags.length === 0) return text;

  function write(start: number, stop: number, first: number, depth: number): string {
    const writer = createWriter();
    let position = start;
    let at = first;
    for (let found = tags[at]; found && found.start < stop; found = tags[at]) {
      writer.push(text.slice(position, found.start));
      const isWhole = depth < MAX_DEPTH && found.closing !== undefined && isKnown(found);
      const tag = readTag(found, writer.prefix(), isWhole ? depth + 1 : 0);
      const written = translate(found, tag);
      const end = (written && isWhole ? found.closing?.end : found.rawEnd?.end) ?? found.end;
      put(writer, written ?? leave(found, tag), text.slice(end, end + 200));
      const last = isWhole ? found.closing : undefined;
      if (last && written === null) {
        // Reuses the content that `readTag` has translated.
        writer.push(tag.inner ?? '');
        put(writer, leave(last, tag), text.slice(last.end, last.end + 200));
      }
      position = last?.end ?? found.rawEnd?.end ?? found.end;
      at = (last?.at ?? found.at) + 1;
    }
    writer.push(text.slice(position, stop));
    return writer.text();
  }

  function readTag(found: Paired, prefix: string, depth: number): Tag {
    const { rawEnd, closing, end } = found;
    const inside = rawEnd?.start ?? (depth > 0 ? closing?.start : undefined);
    const raw = inside === undefined ? undefined : dedent(text.slice(end, inside), prefix);
    const inner =
      rawEnd || inside === undefined ? raw : dedent(write(end, inside, found.at + 1, depth), prefix);
    return { ...found, ...readWords(found.source), line: lineOf(found.line), raw, inner };
  }

  function translate(found: Paired, tag: Tag): Written | null {
    if (found.kind === 'escaped') return inlineCode(found.source);
    if (found.kind === 'output') return writeOutput(tag);
    return found.isEnd ? null : (translatorOf(found)?.(tag, site) ?? null);
  }

  function leave(found: Paired, { line }: Tag): Written {
    const end = found.rawEnd?.end ?? found.end;
    const source = text.slice(found.start, end);
    if (!found.opening) site.lose(line, `看不懂的标签，保留为代码：${shownInReport(source)}`);
    const isAlone = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, found.start - 80), found.start));
    return asCode(source, isAlone && /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 80)));
  }

  return write(0, text.length, 0, 0);
}

function translatorOf({ kind, name }: Paired) {
  const table = kind === 'hugo' ? HUGO : LIQUID;
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

const isKnown = (found: Paired): boolean => translatorOf(found) !== undefined;

function dedent(text: string, prefix: string): string {
  if (prefix === '') return text;
  const bare = prefix.trimEnd();
  return text
    .split('\n')
    .map((line, index) => {
      if (index === 0) return line;
      if (line.startsWith(prefix)) return line.slice(prefix.length);
      return line.trimEnd() === bare ? '' : line;
    })
    .join('\n');
}

function put(writer: Writer, written: Written, behind: string): void {
  if (typeof written === 'string') return writer.push(written);
  writer.pushBlock(written.block);
  const prefix = writer.prefix();
  if (!/^[ \t]*(?:\n|$)/.test(behind)) writer.push(`\n${prefix.trimEnd()}\n${prefix}`);
  else if (!/^[ \t]*(?:\n[ \t>]*(?:\n|$)|$)/.test(behind)) writer.push(`\n${prefix.trimEnd()}`);
}
