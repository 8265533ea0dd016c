import { asCode, shownInReport } from './as-code.ts';
import { hexoTags } from './hexo-tags.ts';
import { hexoThemeTags } from './hexo-theme-tags.ts';
import { hugoTags } from './hugo-tags.ts';
import { hugoThemeTags } from './hugo-theme-tags.ts';
import { liquidTags } from './liquid-tags.ts';
import { inlineCode } from './markdown.ts';
import { writeOutput } from './outputs.ts';
import { pairUp, type Paired } from './pair-up.ts';
import { scanTags } from './scan.ts';
import type { Site, Tag, Translators, Written } from './tag.ts';
import { readWords } from './words.ts';
import { createWriter, type Writer } from './writer.ts';

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
