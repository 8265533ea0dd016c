import type { APIRoute } from 'astro';
import { documentOf } from '../components/documents.ts';
import { paletteSheet } from '../lib/palette-sheet.ts';
import fonts from '../styles/fonts.css?inline';
import sheet from '../styles/feed.css?inline';

/** A feed has no script that could know the reader's choice of a theme: it has the system's. */
const colours = paletteSheet((declared) => `@media (prefers-color-scheme:dark){:root{${declared}}}`);

export const GET: APIRoute = ({ locals: { keep } }) => {
  keep([]);
  // The sheet is first: nothing may stand before the namespace it names.
  return documentOf(sheet + fonts + colours, 'text/css');
};
