import type { Queryable } from '../db/database.ts';
import type { AppParts } from '../services.ts';
import * as queries from './guide-queries.ts';
import { GUIDE_ACCOUNT, readGuides } from './guides.ts';

export type GuideParts = Pick<AppParts, 'db' | 'events' | 'articles' | 'trash'>;

/**
 * Returns the id of the guide account if all contents of the site are its unchanged guides, and it was never
 * used; null otherwise.
 */
export async function findUntouchedGuides(db: Queryable): Promise<string | null> {
  const account = await queries.findAccount(db, GUIDE_ACCOUNT.username);
  if (account?.bio !== GUIDE_ACCOUNT.bio || account.role !== 'author' || account.avatar !== '') return null;
  const guides = await readGuides();
  const articles = await queries.listArticles(db, guides.length + 1);
  const isGuide = (article: (typeof articles)[number]): boolean =>
    article.author_id === account.id &&
    article.status === 'normal' &&
    guides.some(({ title, content }) => title === article.title && content === article.content);
  const isUntouched = articles.length <= guides.length && articles.every(isGuide);
  return isUntouched && !(await queries.isUsed(db, account.id)) ? account.id : null;
}

/**
 * Removes the untouched guide account `id` with its guides and tags. Can be repeated after an interruption.
 */
export async function removeGuides({ db, events, articles, trash }: GuideParts, id: string): Promise<void> {
  const viewer = { id, username: GUIDE_ACCOUNT.username, signinId: '', origin: null, isUnlimited: true };
  const { length: count } = await readGuides();
  for (const guide of await queries.listArticles(db.read, count)) await articles.remove(guide.id, viewer);
  await trash.empty(viewer);
  await db.write(async (trx) => {
    await queries.deleteAccount(trx, id);
    events.emit(trx, { type: 'anything' });
  });
}
