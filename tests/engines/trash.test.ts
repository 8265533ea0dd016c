import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate, MIGRATIONS } from '../../src/lib/server/db/migrate.ts';
import { openImportStage } from './import-stage.ts';

test('articles deleted before the trash existed are in it after the migration, as drafts', async () => {
  const stage = await openImportStage();
  try {
    const { db, services } = stage.app;
    const fields = { title: '早年删的', content: '正文', tags: ['旧'], type: '', secret: false };
    const { id } = await services.articles.create({ ...fields, status: 'normal' }, stage.author);
    await services.articles.remove(id, stage.author);
    await db.write(async (trx) => {
      // A later migration added version pictures that refer to these tables; only PostgreSQL enforces the
      // references.
      const cascade = db.engine === 'postgres' ? sql`cascade` : sql``;
      for (const table of ['trash', 'article_schedules', 'article_versions'])
        await sql`drop table ${sql.table(table)} ${cascade}`.execute(trx);
      await sql`alter table users drop column version_bytes`.execute(trx);
      await sql`update schema_version set version = 10`.execute(trx);
    });
    const before = Date.now();
    // Later migrations have already been applied.
    await migrate(
      db.engine,
      db.write,
      MIGRATIONS.filter(({ number }) => number <= 11),
    );
    const { result } = await services.trash.list({ page: 1, pageSize: 10 }, stage.author);
    expect(result).toMatchObject([{ _id: id, title: '早年删的', former_status: 'draft' }]);
    expect(Date.parse(result[0]?.removed_time ?? '')).toBeGreaterThanOrEqual(before);
    expect(await services.trash.restore(id, stage.author)).toEqual({ id, status: 'draft' });
    expect(await services.articles.readSource(id, stage.author)).toMatchObject({ content: '正文' });
  } finally {
    await stage.close();
  }
});
