import type { Queryable } from '../../db/database.ts';
import type { JudgedText } from './change-size.ts';
import { findApproved } from './decision-queries.ts';
import type { ShownArticle } from '../judge-queries.ts';

/** Fields that readers see; an absent field stays as it is. */
type Written = { title: string; content: string } & {
  [K in 'tags' | 'description' | 'source' | 'cover']?: string | readonly string[] | undefined;
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
  const tags = JSON.parse(shown.tags) as string[];
  const now = textOf({ ...shown, tags });
  const after = textOf({
    title: written.title,
    content: written.content,
    tags: written.tags ?? tags,
    description: written.description ?? shown.description,
    source: written.source ?? shown.source,
    cover: written.cover ?? shown.cover,
  });
  if (now.title === after.title && now.text === after.text) return null;
  const { title, content } = (await findApproved(db, 'article', shown.id)) ?? shown;
  return { before: textOf({ ...shown, tags, title, content }), after };
}

const textOf = ({ title, content, tags, description, source, cover }: Required<Written>): JudgedText => ({
  title,
  text: [content, description, source, cover].concat(tags as string[]).join('\n'),
});
