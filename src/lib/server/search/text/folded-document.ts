import { labelOf } from './tokens.ts';

/** A document's folded fields; tags and headings are separated by line breaks. */
export interface FoldedDocument {
  title: string;
  tags: string;
  author: string;
  headings: string;
  text: string;
}

export const labelsOf = ({ tags, author }: Pick<FoldedDocument, 'tags' | 'author'>): string[] => [
  labelOf('author', author),
  ...(tags === '' ? [] : tags.split('\n').map((tag) => labelOf('tag', tag))),
];
