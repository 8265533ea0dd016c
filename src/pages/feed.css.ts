import type { APIRoute } from 'astro';
import { documentOf } from '../components/documents/documents.ts';
import { paletteSheet } from '../lib/shared/palette.ts';
import fonts from '../styles/fonts.css?inline';
import sheet from '../styles/feed.css?inline';

/** Feeds follow the system theme, because without scripts they cannot read the reader's choice. */
const colours = paletteSheet((declared) => `@media (prefers-color-scheme:dark){:root{${declared}}}`);

export const GET: APIRoute = ({ locals: { setCacheTags } }) => {
  setCacheTags([]);
  // The sheet comes first, because rules before its @namespace would invalidate it.
  return documentOf(sheet + fonts + colours, 'text/css');
};
