import { z } from 'zod';
import { BOUNDS } from '../rules/bounds.ts';
import { open } from './call.ts';
import { SearchResult, Suggestions } from '../entities.ts';
import { absentField, booleanField, keywordsField, pageField, pagingFields, someText } from '../fields.ts';

export const searchCalls = {
  searchArticles: open(
    'read',
    z.object({
      keywords: keywordsField.default(''),
      author: someText,
      tag: someText,
      order: z.enum(['', 'time']).catch(''),
      /** Whether to return the additional fields of `SearchResult`. */
      details: booleanField.catch(false),
      page: pageField,
      pageSize: absentField(pagingFields.pageSize.default(BOUNDS.pageSize)),
    }),
    SearchResult,
  ),
  suggest: open('read', z.object({ q: keywordsField.default('') }), Suggestions),
} as const;
