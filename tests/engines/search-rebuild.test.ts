import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../src/lib/server/db/database.ts';
import { forgetIndex, rebuildIfNeeded } from '../../src/lib/server/search/rebuild.ts';
import { ENGINE } from '../engine.ts';
import { openSearchStage, type SearchStage } from './search-fixture.ts';

describe('the index as a whole', () => {
  let stage: SearchStage;
  beforeEach(async () => {
    stage = await openSearchStage();
  });
  afterEach(() => stage.close());
  const ask = (keywords: string) => stage.index.search({ keywords, page: 1, pageSize: 10 });

  test('is rebuilt once from the public articles when its version changed', async () => {
    await stage.addAll(
      Array.from({ length: 130 }, (_, index) => ({ title: `线程${index}`, tags: ['并发'], text: '内存' })),
    );
    await stage.add({ title: '线程' }, 'draft');
    expect((await ask('线程')).total).toBe(130);
    await stage.db.write(async (trx) => {
      const entries =
        ENGINE === 'sqlite'
          ? sql`insert into search_whole (search_whole) values ('delete-all')`
          : sql`delete from search_entries`;
      await entries.execute(trx);
      await sql`update search_state set version = 0`.execute(trx);
    });
    expect(await rebuildIfNeeded(stage.db)).toBe(130);
    expect(await rebuildIfNeeded(stage.db)).toBe(0);
    for (const word of ['线程', '并发', '内存']) expect((await ask(word)).total).toBe(130);
  });

  test('numbers articles alike, one by one and many at once', async () => {
    // Several articles of most seconds, so that many take the next free number.
    const seconds = Array.from({ length: 130 }, (_, index) => (index * 37) % 61);
    for (const second of seconds.slice(0, 40)) await stage.add({ title: '线程', createTime: second * 1000 });
    await stage.addAll(seconds.slice(40).map((second) => ({ title: '线程', createTime: second * 1000 })));
    const numbers = async () =>
      (
        await sql`select article_id, document from search_documents order by article_id`.execute(
          stage.db.read,
        )
      ).rows;
    const before = await numbers();
    expect(before).toHaveLength(130);
    await stage.db.write(forgetIndex);
    await rebuildIfNeeded(stage.db);
    expect(await numbers()).toEqual(before);
  });

  test('is built once by concurrent starts', async () => {
    await stage.addAll(Array.from({ length: 130 }, (_, index) => ({ title: `线程${index}` })));
    await stage.db.write((trx) => sql`update search_state set version = 0`.execute(trx));
    const built = await Promise.all([1, 2, 3].map(() => rebuildIfNeeded(stage.db)));
    expect(built.reduce((sum, count) => sum + count)).toBe(130);
    expect((await ask('线程')).total).toBe(130);
  });

  test('resumes an interrupted build', async () => {
    await stage.addAll(Array.from({ length: 130 }, (_, index) => ({ title: `线程${index}` })));
    await stage.db.write((trx) => sql`update search_state set version = 0`.execute(trx));
    let writes = 2;
    const stopping: Database = {
      ...stage.db,
      write: (work) => {
        writes -= 1;
        return writes >= 0 ? stage.db.write(work) : Promise.reject(new Error('stopped'));
      },
    };
    await expect(rebuildIfNeeded(stopping)).rejects.toThrow('stopped');
    const done = (await ask('线程')).total;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(130);
    expect(await rebuildIfNeeded(stage.db)).toBe(130 - done);
    expect((await ask('线程')).total).toBe(130);
  });

  test('finds some of the hits while it is rebuilt, never others, and all at the end', async () => {
    const ids = await stage.addAll(
      Array.from({ length: 260 }, (_, index) => ({ title: index % 2 === 0 ? '独特' : '平常' })),
    );
    const holders = new Set(ids.filter((_, index) => index % 2 === 0));
    await stage.db.write(forgetIndex);
    const over = new AbortController();
    const rebuilding = rebuildIfNeeded(stage.db).finally(() => over.abort());
    const totals: number[] = [];
    while (!over.signal.aborted) {
      const { hits, total } = await ask('独特');
      expect(hits.filter(({ articleId }) => !holders.has(articleId))).toEqual([]);
      totals.push(total);
    }
    expect(await rebuilding).toBe(260);
    expect(Math.max(...totals)).toBeLessThanOrEqual(130);
    expect((await ask('独特')).total).toBe(130);
  });

  test.runIf(ENGINE === 'postgres')('waits for searches that have begun, which then end', async () => {
    await stage.addAll(Array.from({ length: 130 }, (_, index) => ({ title: `线程${index}` })));
    const { begun, go } = { begun: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() };
    const searching = stage.db.read.transaction().execute(async (snapshot) => {
      // In the order of a search: its state, then the entries of its hits.
      await sql`select 1 from search_changes, search_segments, search_tail limit 1`.execute(snapshot);
      begun.resolve();
      await go.promise;
      return sql`select document from search_entries`.execute(snapshot);
    });
    await begun.promise;
    const forgetting = stage.db.write(forgetIndex).then(() => rebuildIfNeeded(stage.db));
    await expect
      .poll(async () => {
        const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_locks
          where not granted and mode = 'AccessExclusiveLock'`.execute(stage.db.read);
        return rows[0]?.waiting;
      })
      .toBe(1);
    // PostgreSQL ends the transaction that notices a deadlock; the rebuild looks for one after a second.
    await setTimeout(1_200);
    go.resolve();
    expect((await searching).rows).toHaveLength(130);
    expect(await forgetting).toBe(130);
  });

  test.runIf(ENGINE === 'sqlite')('leaves the file consistent after changes', async () => {
    const ids = await stage.addAll(
      Array.from({ length: 60 }, (_, index) => ({ title: `线程${index}`, text: '内存'.repeat(50) })),
    );
    for (const id of ids.slice(0, 30)) await stage.hide(id);
    const check = new DatabaseSync(stage.file);
    expect(check.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    check.exec(`insert into search_whole (search_whole) values ('integrity-check')`);
    check.close();
  });
});
