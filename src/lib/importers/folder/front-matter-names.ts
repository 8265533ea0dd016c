import type { Metadata } from '../../markdown-file/front-matter.ts';

/** Names that the import uses, and names that only concern the layout. */
const USED = new Set(
  [
    'title shortTitle date created created_at createTime publishDate pubDate pubDatetime updated lastmod',
    'last_modified_at lastUpdated modified updatedDate modDatetime draft published publish tags tag categories',
    'category taxonomies description summary excerpt excerpt_separator password hidden hide secret private',
    'comments comments_closed source licence permalink url slug aliases alias redirect_from series series_order',
    'series_weight seriesOrder weight order cover banner thumbnail image images featured_image featuredImage',
    'cover_image coverImage banner_img index_img top_img layout pageLayout type home',
    'toc toc_number math mathjax katex mermaid highlight_shrink aplayer copyright abbrlink id typora-root-url',
    'typora-copy-images-to sidebar navbar editLink prev next icon index pinned',
  ]
    .join(' ')
    .toLowerCase()
    .split(' '),
);

export const unusedNames = (metadata: Metadata, hiding: readonly string[]): string[] =>
  Object.entries(metadata)
    .filter(([, value]) => value !== null && value !== '' && value !== false)
    .map(([name]) => name)
    .filter((name) => !USED.has(name.toLowerCase()) && !hiding.includes(name));
