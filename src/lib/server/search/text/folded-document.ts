import type { TocItem } from '../../../markdown/syntax/headings.ts';
import type { SearchDocument } from '../../db/search-documents.ts';
import { fold, foldForm, isTraditional } from './fold.ts';
import { labelOf } from './tokens.ts';

/** A document's folded fields; tags, names and headings are separated by line breaks. */
export interface FoldedDocument {
  title: string;
  tags: string;
  /** Username and display name. */
  author: string;
  headings: string;
  text: string;
  /** Labels for the filters. */
  labels: readonly string[];
}

/** Label of documents with traditional characters. */
export const TRADITIONAL = labelOf('script', 'traditional');

// Maximum length of indexed headings per article, in UTF-16 units; the text contains all of them too.
const MAX_HEADING_CHARACTERS = 10_000;

export function foldDocument({
  title,
  tags,
  username,
  display_name,
  toc,
  text,
}: SearchDocument): FoldedDocument {
  const names = JSON.parse(tags) as string[];
  const hasForms = [title, ...names, username, display_name, text].some(isTraditional);
  return {
    labels: [...labelsOf(names, username, display_name), ...(hasForms ? [TRADITIONAL] : [])],
    title: fold(title),
    tags: names.map(fold).join('\n'),
    author: [username, display_name].map(fold).join('\n').trim(),
    headings: foldHeadings(toc),
    text: fold(text),
  };
}

/** Returns the folded headings of a table of contents, one per line. */
export function foldHeadings(toc: string): string {
  let room = MAX_HEADING_CHARACTERS;
  const lines: string[] = [];
  for (const { text } of JSON.parse(toc) as Pick<TocItem, 'text'>[]) {
    const line = fold(text).replace(/\s+/gu, ' ').trim();
    room -= line.length;
    if (room < 0) break;
    lines.push(line);
  }
  return lines.join('\n');
}

const labelsOf = (tags: readonly string[], username: string, displayName: string): string[] => [
  labelOf('author', foldForm(username)),
  ...(displayName === '' ? [] : [labelOf('display', foldForm(displayName))]),
  ...tags.map((tag) => labelOf('tag', foldForm(tag))),
];
