import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { everything, fillSite, openSite } from './move-stage.ts';

test('a backup of the database file holds trash, schedules and history, complete', async () => {
  const place = mkdtempSync(join(tmpdir(), 'moye-backup-'));
  const [dataDir, copyDir] = [join(place, 'site'), join(place, 'copy')];
  try {
    const { articleIds } = await fillSite(dataDir);
    const running = await openSite(dataDir);
    const [file, copied] = [join(dataDir, 'moye.sqlite'), join(copyDir, 'moye.sqlite')];
    await openSite(copyDir).then((app) => app.close());
    const source = new DatabaseSync(file, { readOnly: true });
    await backup(source, copied);
    source.close();
    const before = await everything(`sqlite:${file}`);
    await running.close();
    for (const table of ['trash', 'article_schedules', 'article_versions'])
      expect([table, before[table]?.length]).not.toEqual([table, 0]);
    expect(await everything(`sqlite:${copied}`)).toEqual(before);

    const restored = await openSite(copyDir);
    const author = await restored.services.users.find('作者');
    const viewer = { id: author?._id ?? '', username: '作者', signinId: '' };
    const deleted = articleIds[3] ?? '';
    expect(await restored.services.trash.restore(deleted, viewer)).toEqual({ id: deleted, status: 'normal' });
    expect((await restored.services.versions.list(deleted, { page: 1, pageSize: 10 }, viewer)).total).toBe(1);
    await restored.close();
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
