import { foldForm } from './fold.ts';
import { labelOf } from './tokens.ts';

/** A document's folded fields; tags and headings are separated by line breaks. */
export interface FoldedDocument {
  title: string;
  tags: string;
  author: string;
  headings: string;
  text: string;
  /** Labels for the filters. */
  labels: readonly string[];
}

/** Label of documents with traditional characters. */
export const TRADITIONAL = labelOf('script', 'traditional');

export const labelsOf = (tags: readonly string[], author: string): string[] => [
  labelOf('author', foldForm(author)),
  ...tags.map((tag) => labelOf('tag', foldForm(tag))),
];
