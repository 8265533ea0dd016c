import { allFields, type Authored } from '../../../contract/rules/authored-fields.ts';
import { NewArticle } from '../../../contract/article-fields.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import { fitFields } from '../../../markdown-file/fit-fields.ts';

/** An article from a file of another blog; its fields may have any length. */
export type ForeignArticle = Authored & { status: 'normal' | 'draft' };

/**
 * Fits a foreign article to the rules of CONTRACT.md (`fitFields`). Returns it with Chinese warnings about
 * what was cut. Refuses with FIELD_INVALID an empty title, and an empty or too long body.
 */
export function fitArticle(article: ForeignArticle): { fields: NewArticle; warnings: string[] } {
  const { fields, warnings } = fitFields(allFields(article));
  const parsed = NewArticle.safeParse({ ...fields, status: article.status, type: '' });
  if (parsed.success) return { fields: parsed.data, warnings };
  const reasons = new Set(parsed.error.issues.map((issue) => issue.message));
  return refuse('FIELD_INVALID', { text: [...reasons].join('；') });
}
