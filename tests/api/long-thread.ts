import { sql } from 'kysely';
import { clean } from '../clean-texts.ts';
import type { App } from '../../src/lib/server/app.ts';
import { newId } from '../../src/lib/server/shared/ids.ts';

const BATCH_SIZE = 100;

/**
 * Inserts comments directly into the database, one per second; the last one is dated now.
 * @returns their ids, oldest first
 */
export async function fillThread(
  app: Pick<App, 'db'>,
  thread: { articleId: string; writer: string; count: number; text: (number: number) => string },
): Promise<string[]> {
  const { articleId, writer, count, text } = thread;
  const end = Date.now() - 1000;
  const ids = Array.from({ length: count }, () => newId());
  await app.db.write(async (trx) => {
    const { id: author_id } = await trx
      .selectFrom('users')
      .select('id')
      .where('username', '=', writer)
      .executeTakeFirstOrThrow();
    const rows = ids.map((id, index) => ({
      id,
      article_id: articleId,
      author_id,
      content: clean(text(index + 1)),
      reply_user_id: author_id,
      // Each comment quotes itself.
      reply_comment_id: id,
      create_time: end - (count - index) * 1000,
      request_id: null,
      edit_time: null,
      mentions: '',
    }));
    for (let at = 0; at < count; at += BATCH_SIZE)
      await trx
        .insertInto('comments')
        .values(rows.slice(at, at + BATCH_SIZE))
        .execute();
    // As the database does by itself for threads that grow slowly.
    if (app.db.engine === 'postgres') await sql`analyze comments`.execute(trx);
  });
  return ids;
}
