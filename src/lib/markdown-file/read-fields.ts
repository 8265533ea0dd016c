import { FIELD_NAMES, specOf, type Authored, type FieldValue } from '../contract/rules/authored-fields.ts';
import { inspect, type Heading } from './inspect.ts';
import { createRangeTest } from './offsets.ts';
import { asSwitch, asText, pick, type Metadata } from './front-matter.ts';
import type { SourceVisibility } from './read-visibility.ts';
import { readTags } from './tags.ts';
import { withoutTocMarks } from './toc-marks.ts';

/** Headings of a first section, which never tell what an article is about. */
const SECTION =
  /^(?:前言|引言|序言?|导[语读言]|简介|介绍|目录|背景|概[述要览]|摘要|正文|introduction|preface|overview|contents|toc)$/i;
/** Share of pairs of characters that two spellings of a title have in common. */
const MIN_LIKENESS = 0.5;

/**
 * Returns the heading that is the title of a text: the first of level 1, if it is like the name of the file,
 * or the only one of its level and before all others. Several of them are sections.
 */
function titleHeading(headings: readonly Heading[], name: string): Heading | null {
  const [first, ...others] = headings.filter(({ level }) => level === 1);
  if (first === undefined || first.text === '') return null;
  if (isLike(first.text, name)) return first;
  return others.length === 0 && headings[0] === first && !SECTION.test(lettersOf(first.text)) ? first : null;
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

function isLike(heading: string, name: string): boolean {
  const [one, other] = [lettersOf(heading), lettersOf(name)];
  if (one === other || (other.length > 1 && one.includes(other))) return true;
  const [pairs, others] = [pairsOf(one), pairsOf(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * shared) / (pairs.size + others.size) >= MIN_LIKENESS;
}

const pairsOf = (text: string): Set<string> =>
  new Set(Array.from({ length: text.length - 1 }, (_, index) => text.slice(index, index + 2)));

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
    const text = rule?.fold?.(asText(value)) ?? asText(value);
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
  const isFold = (line: string): boolean =>
    (separator !== '' && line.trim() === separator) || /^ {0,3}<!--[ \t]*more[ \t]*-->[ \t]*$/i.test(line);
  const lines = body.split('\n');
  if (!lines.some(isFold)) return body;
  const isCode = createRangeTest(inspect(body).code);
  let offset = 0;
  const folded = lines.map((line) => {
    const start = offset;
    offset += line.length + 1;
    return isFold(line) && !isCode(start) ? '<--阅读全文-->' : line;
  });
  return folded.join('\n');
}
