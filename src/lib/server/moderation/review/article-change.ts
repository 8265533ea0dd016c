import type { Queryable } from '../../db/database.ts';
import type { JudgedText } from './change-size.ts';
import { findApproved, type Attributes } from './decision-queries.ts';
import type { ShownArticle } from '../judge-queries.ts';

/** Fields that readers see; an absent one stays as it is. */
type Written = { title: string; content: string } & {
  [K in keyof Attributes]?: string | readonly string[] | undefined;
};

/**
 * Returns the approved text of a public article and its new one. Compares with the text that staff approved
 * last, so many small changes add up; null if nothing that readers see changes.
 */
export async function articleChange(
  db: Queryable,
  shown: ShownArticle,
  written: Written,
): Promise<{ before: JudgedText; after: JudgedText } | null> {
  const { title, content, description, source, cover } = shown;
  const now = { title, content, tags: JSON.parse(shown.tags) as string[], description, source, cover };
  const before = textOf(now);
  const after = textOf({
    title: written.title,
    content: written.content,
    tags: written.tags ?? now.tags,
    description: written.description ?? description,
    source: written.source ?? source,
    cover: written.cover ?? cover,
  });
  if (before.title === after.title && before.text === after.text) return null;
  const approved = await findApproved(db, 'article', shown.id);
  if (!approved) return { before, after };
  const attributes = approved.attributes === '' ? now : (JSON.parse(approved.attributes) as Attributes);
  return { before: textOf({ ...attributes, title: approved.title, content: approved.content }), after };
}

const textOf = ({ title, content, tags, description, source, cover }: Required<Written>): JudgedText => ({
  title,
  text: [content, description, source, cover, tags].flat().join('\n'),
});
