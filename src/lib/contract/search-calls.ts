import { z } from 'zod';
import { BOUNDS } from './bounds.ts';
import { open } from './call.ts';
import { SearchResult, Suggestions } from './entities.ts';
import { absentField, booleanField, keywordsField, pageField, pagingFields, someText } from './fields.ts';
import { routes } from './routes.ts';

/** Searching, and what is offered while somebody types (CONTRACT.md, Searches). */
export const searchCalls = {
  searchArticles: open(
    'read',
    routes.searchArticles,
    z.object({
      keywords: keywordsField.default(''),
      /** Narrowed to what this user has written, to what is under this tag; `time`: the newest first. */
      author: someText,
      tag: someText,
      order: z.enum(['', 'time']).catch(''),
      /** Whether more is answered than the list. */
      details: booleanField.catch(false),
      page: pageField,
      pageSize: absentField(pagingFields.pageSize.default(BOUNDS.pageSize)),
    }),
    SearchResult,
  ),
  suggest: open('read', routes.suggest, z.object({ q: keywordsField.default('') }), Suggestions),
} as const;
