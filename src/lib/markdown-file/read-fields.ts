import { FIELD_NAMES, specOf, type Authored, type FieldValue } from '../contract/rules/authored-fields.ts';
import { asSwitch, asText, pick, type Metadata } from './front-matter.ts';
import { inspect } from './inspect.ts';
import type { SourceVisibility } from './read-visibility.ts';
import { readTags } from './tags.ts';
import { titleHeading } from './title-heading.ts';
import { withoutTocMarks } from './toc-marks.ts';

/**
 * Reads the fields of an article from a markdown file, without limiting their length; extra fields that the
 * file does not give are left out.
 * @param fallback title if neither front matter nor a heading gives one: the name of the file or folder
 * @throws Problem for a body that nests too deeply
 */
export function readFields(
  { metadata, body }: { metadata: Metadata; body: string },
  { fallback, isJekyll }: { fallback: string; isJekyll: boolean },
  { isSecret }: Pick<SourceVisibility, 'isSecret'>,
): Authored {
  const { title, content } = titleOf(metadata, withoutTocMarks(body), fallback);
  return {
    ...extrasIn(metadata),
    title,
    content: withFold(content, asText(pick(metadata, 'excerpt_separator'))),
    tags: readTags(metadata, { isJekyll }),
    secret: isSecret,
    description: firstText(metadata, 'description', 'summary', 'excerpt'),
  };
}

/** Extra fields under their own names, as they are exported; invalid values are dropped. */
function extrasIn(metadata: Metadata): Partial<Authored> {
  const found = FIELD_NAMES.flatMap((name): [string, FieldValue][] => {
    const { kind, isExtra, rule } = specOf(name);
    // A series is referenced by an id that means nothing on another site.
    if (!isExtra || name === 'series') return [];
    const value = pick(metadata, name);
    if (kind === 'switch') return asSwitch(value) === true ? [[name, true]] : [];
    const text = asText(value);
    return text !== '' && (rule?.accepts(text) ?? true) ? [[name, text]] : [];
  });
  const isClosed = asSwitch(pick(metadata, 'comments')) === false;
  return { ...Object.fromEntries(found), ...(isClosed ? { comments_closed: true } : {}) };
}

const firstText = (metadata: Metadata, ...names: string[]): string =>
  names.map((name) => asText(pick(metadata, name))).find((text) => text !== '') ?? '';

function firstHeading(body: string): { text: string; end: number } | null {
  const [lead = ''] = /^(?:\s+|<!--[\s\S]*?-->)*/.exec(body) ?? [];
  // Text indented by four spaces is code.
  if (/ {4}$|\t$/.test(lead)) return null;
  const [line = '', underline = ''] = body.slice(lead.length).split('\n', 2);
  const lineEnd = lead.length + line.length + 1;
  if (line.startsWith('# ')) return { text: line.slice(2).trim().replace(/\s#+$/, ''), end: lineEnd };
  return /^=+\s*$/.test(underline) ? { text: line, end: lineEnd + underline.length + 1 } : null;
}

function titleOf(metadata: Metadata, body: string, fallback: string): { title: string; content: string } {
  const given = asText(pick(metadata, 'title')) || asText(pick(metadata, 'shortTitle'));
  if (given !== '') {
    const heading = firstHeading(body);
    const repeats = heading !== null && plainHeading(heading.text) === plainHeading(given);
    return { title: given, content: repeats ? body.slice(heading.end) : body };
  }
  const heading = titleHeading(inspect(body).headings, fallback);
  if (heading === null) return { title: fallback, content: body };
  const content = body.slice(0, heading.start) + body.slice(heading.end).replace(/^[ \t]*\n/, '');
  return { title: heading.text, content };
}

const plainHeading = (text: string): string =>
  text
    .replace(/[*`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Replaces excerpt markers of generators with this site's marker; markers in code stay. */
function withFold(body: string, separator: string): string {
  const mark = /^ {0,3}<!--[ \t]*more[ \t]*-->[ \t]*$/gim;
  const hasOwn = separator !== '' && body.split('\n').some((line) => line.trim() === separator);
  if (!hasOwn && !mark.test(body)) return body;
  const { code } = inspect(body);
  const isCode = (offset: number): boolean => code.some(({ start, end }) => start <= offset && offset < end);
  let offset = 0;
  const lines = body.split('\n').map((line) => {
    const start = offset;
    offset += line.length + 1;
    const isFold =
      (hasOwn && line.trim() === separator) || /^ {0,3}<!--[ \t]*more[ \t]*-->[ \t]*$/i.test(line);
    return isFold && !isCode(start) ? '<--阅读全文-->' : line;
  });
  return lines.join('\n');
}
