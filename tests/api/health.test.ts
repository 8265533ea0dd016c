import { expect, test } from 'vitest';
import { recordBackup, recordFailure } from '../../src/lib/server/backup/backup-queries.ts';
import { openServer } from './server.ts';

test('how old the last backup is, is told to programs on this machine', async () => {
  const server = await openServer();
  try {
    const health = async (headers: Record<string, string> = {}) => {
      const answer = await fetch(`${server.url}/healthz?verbose`, { headers });
      const text = await answer.text();
      return [answer.status, text.startsWith('{') ? (JSON.parse(text) as unknown) : text];
    };
    const age = async () =>
      /^moye_backup_age_seconds (\S+)$/m.exec((await server.send('/metrics')).text)?.[1];
    expect(await health()).toEqual([200, { status: 'ok', backup: { age: null, bytes: 0, error: '' } }]);
    expect(await age()).toBe('+Inf');
    const { db } = server.app;
    await recordBackup(db, 'manual', { time: Date.now() - 7_200_000, bytes: 12 });
    await recordFailure(db, 'scheduled', '磁盘已满', Date.now());
    const backup = { age: expect.closeTo(7_200, -2) as number, bytes: 12, error: '磁盘已满' };
    expect(await health()).toEqual([200, { status: 'ok', backup }]);
    expect(Number(await age())).toBeGreaterThanOrEqual(7_200);
    // A reader behind a proxy learns no more than before.
    expect(await health({ 'X-Forwarded-For': '203.0.113.7' })).toEqual([200, 'ok\n']);
  } finally {
    await server.close();
  }
});
