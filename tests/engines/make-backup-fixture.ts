import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { backUp } from '../../src/lib/server/operations/backup.ts';
import { readPlaces } from '../../src/lib/server/config/config.ts';
import { fillSite } from './move-stage.ts';

/**
 * Created tests/fixtures/backup/format-1.tar.zst and is kept for the next format; released archives are never
 * regenerated. `node tests/engines/make-backup-fixture.ts <file>`
 */
const [to = fileURLToPath(new URL('../fixtures/backup/format-1.tar.zst', import.meta.url))] =
  process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'moye-fixture-'));
const site = readPlaces({ DATA_DIR: join(folder, 'site') });
await fillSite(site.dataDir);
// An older schema, so that restoring the archive migrates its rows.
const db = new DatabaseSync(join(site.dataDir, 'moye.sqlite'));
db.exec('drop table backups; update schema_version set version = 27');
db.close();
const secret = { value: 'the secret of the site of format 1', passphrase: '口令：松风吹解带，山月照弹琴' };
const job = { site, secret, to: { folder }, name: 'archive' };
await backUp(job, { signal: new AbortController().signal, onProgress: () => {} });
renameSync(join(folder, 'archive'), to);
rmSync(folder, { recursive: true });
