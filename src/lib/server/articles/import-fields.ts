import { allFields, type Authored } from '../../contract/authored-fields.ts';
import { NewArticle } from '../../contract/article-fields.ts';
import { refuse } from '../../contract/errors.ts';
import { fitFields } from '../../markdown-file/fit-fields.ts';

/** An article as a file of another blog says it, of any length. */
export type ForeignArticle = Authored & { status: 'normal' | 'draft' };

/**
 * Brings a foreign article within CONTRACT.md's rules (`fitFields`). Returns it and, in Chinese, what was
 * cut. Refuses with FIELD_INVALID an empty title, and a body that is empty or too long.
 */
export function fitArticle(article: ForeignArticle): { fields: NewArticle; warnings: string[] } {
  const { fields, warnings } = fitFields(allFields(article));
  const parsed = NewArticle.safeParse({ ...fields, status: article.status, type: '' });
  if (parsed.success) return { fields: parsed.data, warnings };
  const reasons = new Set(parsed.error.issues.map((issue) => issue.message));
  return refuse('FIELD_INVALID', { text: [...reasons].join('；') });
}
