import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  countWrongUses,
  findFormerPictureUses,
  forgetPictureUses,
} from '../../src/lib/server/articles/core/usage-queries.ts';
import { PICTURE_URL } from '../../src/lib/contract/rules/pictures.ts';
import { openStaffStage, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
beforeEach(async () => void (stage = await openStaffStage()));
afterEach(() => stage?.close());

test('uses of pictures are found among thousands of texts without any', async () => {
  const { db } = stage.app;
  const author = await stage.signUp('王维');
  await stage.write(author);
  const name = `${'a'.repeat(32)}.png`;
  const ids = Array.from({ length: 2_500 }, (_, index) => `f${index.toString(16).padStart(23, '0')}`);
  // Sixty in one row, more than are read at once, and the last of all.
  const shows = (index: number) => (index >= 1_200 && index < 1_260) || index === 2_499;
  await db.write(async (trx) => {
    await trx
      .insertInto('files')
      .values({ name, owner_id: author.viewer.id, kind: 'image', bytes: 1, create_time: 1 })
      .execute();
    const { seq: _, ...article } = await trx.selectFrom('articles').selectAll().executeTakeFirstOrThrow();
    const body = await trx.selectFrom('article_bodies').selectAll().executeTakeFirstOrThrow();
    for (let from = 0; from < ids.length; from += 100) {
      const some = ids.slice(from, from + 100);
      await trx
        .insertInto('articles')
        .values(some.map((id) => ({ ...article, id, status: 'draft', is_public: 0 })))
        .execute();
      await trx
        .insertInto('article_bodies')
        .values(
          some.map((article_id, index) => ({
            ...body,
            article_id,
            content: shows(from + index) ? `![](${PICTURE_URL}${name})` : '空山新雨后',
          })),
        )
        .execute();
    }
    await forgetPictureUses(trx);
  });
  expect(await countWrongUses(db.read)).toBe(61);
  await findFormerPictureUses(db);
  const rows = await stage.rows('select article_id from article_pictures order by article_id');
  expect(rows.map(({ article_id }) => article_id)).toEqual(ids.filter((_, index) => shows(index)));
  expect(await countWrongUses(db.read)).toBe(0);
  expect(await stage.rows('select * from picture_scans')).toEqual([]);
});
