import { z } from 'zod';
import { BOUNDS } from '../rules/bounds.ts';
import { signedIn } from './call.ts';
import { absentField, booleanField, countedList, idField, tagField } from '../fields.ts';

/** Maximum articles per call; not in BOUNDS, which browsers load. */
const MAX_ARTICLES = 100;

const tagNames = countedList(tagField, '标签', [0, BOUNDS.tags[1]], '一次最多加减 10 个标签');

/**
 * Result for one article; `problem` is the reason if it was refused. `pending`: readers see the article, or
 * its change, once staff has approved it.
 */
export const SettingsOutcome = z.object({
  id: z.string(),
  outcome: z.enum(['changed', 'same', 'refused']),
  problem: z.string().optional(),
  pending: z.boolean().optional(),
});
export type SettingsOutcome = z.infer<typeof SettingsOutcome>;

/** Changes settings of several articles and of their unpublished revisions; their texts stay unchanged. */
export const articleSettings = signedIn(
  'write',
  z.object({
    ids: countedList(idField, '文章编号', [1, MAX_ARTICLES], `一次可以修改 1–${MAX_ARTICLES} 篇文章`),
    status: absentField(z.enum(['normal', 'draft'], { error: '文章状态只能是 normal 或 draft' }).optional()),
    secret: absentField(booleanField.optional()),
    comments_closed: absentField(booleanField.optional()),
    tags_add: tagNames,
    tags_remove: tagNames,
  }),
  z.object({ results: z.array(SettingsOutcome) }),
);
