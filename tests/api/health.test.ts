import { expect, test } from 'vitest';
import { recordBackup, recordFailure } from '../../src/lib/server/backup/backup-queries.ts';
import { done, openServer } from './server.ts';

test('the health check reports the backup age to local clients', async () => {
  const server = await openServer();
  try {
    const health = async (headers: Record<string, string> = {}) => {
      const answer = await fetch(`${server.url}/healthz?verbose`, { headers });
      const text = await answer.text();
      return [answer.status, text.startsWith('{') ? (JSON.parse(text) as unknown) : text];
    };
    const age = async () =>
      /^moye_backup_age_seconds (\S+)$/m.exec((await server.send('/metrics')).text)?.[1];
    expect(await health()).toEqual([
      200,
      { status: 'ok', backup: { age: null, bytes: 0, error: '' }, proxies: 0 },
    ]);
    expect(await age()).toBe('+Inf');
    const { db } = server.app;
    await recordBackup(db, 'manual', { time: Date.now() - 7_200_000, bytes: 12 });
    await recordFailure(db, 'scheduled', '磁盘已满', Date.now());
    const backup = { age: expect.closeTo(7_200, -2) as number, bytes: 12, error: '磁盘已满' };
    expect(await health()).toEqual([200, { status: 'ok', backup, proxies: 0 }]);
    expect(Number(await age())).toBeGreaterThanOrEqual(7_200);
    // A reader behind a proxy sees no details.
    expect(await health({ 'X-Forwarded-For': '203.0.113.7' })).toEqual([200, 'ok\n']);
  } finally {
    await server.close();
  }
});

test('/metrics counts schedules and deliveries that are overdue', async () => {
  const server = await openServer();
  const overdue = async () =>
    [...(await server.send('/metrics')).text.matchAll(/^moye_(\w+_overdue\S*) (\d+)$/gm)].map(
      ([, name, count]) => `${name} ${count}`,
    );
  try {
    const author = await server.join('王维');
    const id = await server.write(author, { status: 'draft' });
    const publish_time = new Date(Date.now() + 60_000).toISOString();
    done(await server.post('/api/page/schedule', { id, publish_time }, author.token));
    await server.app.db.write((trx) =>
      trx
        .insertInto('pushes')
        .values({ article_id: id, engine: 'baidu', change_time: 0, due_time: 0, tries: 0, problem: '' })
        .execute(),
    );
    const others = ['mail', 'own', 'webhook', 'indexnow'].map((to) => `deliveries_overdue{to="${to}"} 0`);
    const counted = ['schedules_overdue 0', 'deliveries_overdue{to="baidu"} 1', ...others];
    expect((await overdue()).toSorted()).toEqual(counted.toSorted());
    server.pass(600);
    expect(await overdue()).toContain('schedules_overdue 1');
  } finally {
    await server.close();
  }
});
