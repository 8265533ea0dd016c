import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openArchive } from '../backup/archive-reader.ts';
import type { ArchiveReader } from '../backup/places.ts';
import { BackupError, type Manifest } from '../backup/format.ts';
import { checkArchive, linesOf, readEntries, type CheckedArchive } from '../backup/read-archive.ts';
import { openSecret } from '../backup/sealed-secret.ts';
import type { ArchivePlace } from '../config/backup-settings.ts';
import { SECRET_FILE, type SitePlaces } from '../config/config.ts';
import { writePrivateFile } from '../storage/data-folder.ts';
import { explainLost, openSnapshot, openTarget, OperationError, type Place } from './databases.ts';
import type { Database } from '../db/database.ts';
import type { Migration } from '../db/migration.ts';
import { MIGRATIONS, migrationsTo, NEWEST_VERSION } from '../db/migrate.ts';
import * as rows from '../db/move-rows.ts';
import { MOVED_TABLES } from '../db/move-tables.ts';
import { isUploadName, type Uploads } from '../files/uploads.ts';
import { openUploads } from '../wiring/open-storage.ts';
import { EMPTY, inspectTarget, rebuildDerived, reserve, type TargetState } from './target.ts';

/** Progress of a step: `check` reads the archive; the others count rows, files, or indexed articles. */
export interface RestoreProgress {
  step: 'check' | 'rows' | 'files' | 'index';
  done: number;
  total: number;
}

export interface RestoreOptions {
  from: ArchivePlace;
  to: Place;
  site: SitePlaces;
  /** Stops between two batches; the same call resumes. */
  signal: AbortSignal;
  onProgress(progress: RestoreProgress): void;
}

export interface RestoreReport {
  /** `same`: all rows were already present; missing files and the secret were restored. */
  outcome: 'restored' | 'same';
  manifest: Manifest;
  found: number;
  /** `absent`: not in the archive; `locked`: no passphrase was given. */
  secret: 'restored' | 'same' | 'absent' | 'locked';
}

type Run = RestoreOptions & { reader: ArchiveReader; archive: CheckedArchive; uploads: Uploads };

const AGAIN = '再次运行同样的命令，会接着恢复';

/**
 * Restores an archive into an empty database of either engine, the uploads and the secret. Checks the whole
 * archive before writing; servers refuse the database until everything is restored. Resumes an interrupted
 * run.
 * @throws BackupError, OperationError, StorageUnusableError, AbortError, errors of the uploads
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  const { from, site, signal, onProgress } = options;
  onProgress({ step: 'check', done: 0, total: 0 });
  const reader = openArchive(from);
  const uploads = openUploads(site);
  try {
    const archive = await checkArchive(reader, NEWEST_VERSION, { isFileName: isUploadName, signal });
    const secret = await secretOf(archive, site);
    return await restore({ ...options, reader, archive, uploads }, secret);
  } catch (error) {
    throw explainLost(error, AGAIN);
  } finally {
    uploads.close();
    reader.close();
  }
}

async function restore(
  run: Run,
  secret: { text: string | null; kind: RestoreReport['secret'] },
): Promise<RestoreReport> {
  const { archive, site, to } = run;
  const { manifest } = archive;
  const { kind, found } = await inspect(to, archive);
  const report = { manifest, found, secret: secret.kind };
  if (kind === 'same') {
    await putFiles(run);
    await putSecret(site, secret.text);
    return { ...report, outcome: 'same' };
  }
  if (kind !== 'loaded')
    await withTarget(to, migrationsTo(manifest.schema), (target) => loadRows(run, target, found));
  await putFiles(run);
  await withTarget(to, MIGRATIONS, async (target) => {
    await rebuildDerived(target, run.signal, (done, total) => run.onProgress({ step: 'index', done, total }));
    await putSecret(site, secret.text);
    await target.write(rows.unmarkMove);
  });
  return { ...report, outcome: 'restored' };
}

async function withTarget(
  to: Place,
  steps: readonly Migration[],
  work: (target: Database) => Promise<void>,
): Promise<void> {
  await using target = await openTarget(to, steps);
  try {
    await work(target);
  } catch (error) {
    const isFull = ['full', 'perhaps full'].includes(target.writeFault(error) ?? '');
    throw isFull ? new OperationError(`磁盘已满，写不进数据库：腾出地方后${AGAIN}`) : error;
  }
}

/** Decides what to do with the secret. Never overwrites a different one. */
async function secretOf({ secret }: CheckedArchive, site: SitePlaces) {
  if (secret === null) return { text: null, kind: 'absent' as const };
  if (site.passphrase === null) return { text: null, kind: 'locked' as const };
  const text = await openSecret(secret, site.passphrase);
  if (site.secret === text) return { text: null, kind: 'same' as const };
  if (site.secret !== null)
    throw new BackupError(
      '这里已经有另一个密钥（TOKEN_SECRET 或 DATA_DIR 里的 token-secret）：先移走它，或不给口令，只恢复数据',
    );
  return { text, kind: 'restored' as const };
}

async function putSecret({ dataDir }: SitePlaces, text: string | null): Promise<void> {
  if (text !== null) await writePrivateFile(join(dataDir, SECRET_FILE), text);
}

const inspect = (to: Place, { manifest, digest }: CheckedArchive): Promise<TargetState> =>
  inspectTarget(to, async ({ version, tables, db }, unfinished) => {
    const isLoaded = unfinished === rows.restoredFrom(digest);
    if (isLoaded || unfinished === rows.restoreFrom(digest)) {
      if (!isLoaded && version !== manifest.schema)
        throw new OperationError('目标数据库在恢复到一半时被别的版本改过：请换一个空的数据库');
      const counts = await rows.countRows(db, tablesOf(manifest));
      return { kind: isLoaded ? 'loaded' : 'unfinished', found: rows.totalOf(counts) };
    }
    if (unfinished !== null)
      throw new OperationError(
        '目标数据库里有一次没有完成的搬家，或另一份备份没有恢复完：请换一个空的数据库',
      );
    if (await rows.isEmpty(db, tables)) {
      if (version <= manifest.schema) return EMPTY;
      throw new OperationError('目标数据库里已有更新版本的表：请换一个没有表的数据库，恢复时会升级');
    }
    if (version === manifest.schema && (await differing(db, manifest)) === null)
      return { kind: 'same', found: 0 };
    throw new OperationError('目标数据库里已有数据，不会覆盖：请换一个空的数据库');
  });

const tablesOf = ({ tables }: Manifest) =>
  MOVED_TABLES.filter(({ name }) => tables.some((table) => table.name === name));

/** Reads the target without the time limits of requests: counting a large table takes longer. */
async function inSnapshot<T>(to: Place, read: (db: Database['read']) => Promise<T>): Promise<T> {
  await using snapshot = await openSnapshot(to);
  return await read(snapshot.db);
}

async function differing(db: Database['read'], manifest: Manifest): Promise<string | null> {
  const counts = await rows.countRows(db, tablesOf(manifest));
  const unequal = manifest.tables.find(({ rows: expected }, index) => counts[index]?.rows !== expected);
  if (unequal) return unequal.name;
  for (const [index, table] of tablesOf(manifest).entries()) {
    const { digest } = await rows.fingerprintOf(db, table);
    if (digest !== manifest.tables[index]?.sha256) return table.name;
  }
  return null;
}

async function loadRows(run: Run, target: Database, found: number): Promise<void> {
  const { manifest, digest } = run.archive;
  await reserve(target, rows.restoreFrom(digest), manifest.tables);
  await copyRows(run, target, found);
  await target.write((trx) => rows.continueSequences(trx, target.engine));
  const table = await inSnapshot(run.to, (db) => differing(db, manifest));
  if (table !== null) throw new BackupError(`恢复后的 ${table} 表和备份不一致：请换一个空的数据库重新恢复`);
  await target.write((trx) => rows.remarkMove(trx, rows.restoredFrom(digest)));
}

/** Skips as many rows as each table has: rows are inserted in the order of the archive, batch by batch. */
async function copyRows(
  { archive, reader, to, signal, onProgress }: Run,
  target: Database,
  found: number,
): Promise<void> {
  const { manifest } = archive;
  const tables = tablesOf(manifest);
  const counts = await inSnapshot(to, (db) => rows.countRows(db, tables));
  const left = new Map<string, number>(counts.map(({ table, rows: there }) => [table, there]));
  const total = rows.totalOf(manifest.tables);
  let done = found;
  onProgress({ step: 'rows', done, total });
  for await (const { name, bytes } of readEntries(reader, { isFileName: isUploadName, signal })) {
    const table = tables.find((one) => name.startsWith(`tables/${one.name}/`));
    if (name.startsWith('files/')) break;
    if (!table) continue;
    const lines = linesOf(bytes);
    const skipped = Math.min(left.get(table.name) ?? 0, lines.length);
    left.set(table.name, (left.get(table.name) ?? 0) - skipped);
    const fresh = lines.slice(skipped).map(rows.readCanonical);
    await target
      .write((trx) => rows.insertRows(trx, table, fresh))
      .catch((error: unknown) => {
        throw target.violation(error) ? new BackupError(`备份里的 ${table.name} 表自相矛盾`) : error;
      });
    onProgress({ step: 'rows', done: (done += fresh.length), total });
    // SQLite calls are synchronous: without this, not even a signal would be handled.
    await setImmediate();
  }
}

async function putFiles({ archive, reader, uploads, signal, onProgress }: Run): Promise<void> {
  const { files } = archive.manifest;
  const digests = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  let done = 0;
  onProgress({ step: 'files', done, total: files.length });
  if (files.length === 0) return;
  for await (const { name: entry, bytes } of readEntries(reader, { isFileName: isUploadName, signal })) {
    if (!entry.startsWith('files/')) continue;
    const name = entry.slice(6);
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (digest !== digests.get(name)) throw new BackupError(`备份文件在恢复时变了：${name} 和清单不一致`);
    if (!(await isUploaded(uploads, name, bytes))) await uploads.put(name, bytes);
    onProgress({ step: 'files', done: ++done, total: files.length });
  }
}

async function isUploaded(uploads: Uploads, name: string, bytes: Buffer): Promise<boolean> {
  if ((await uploads.size(name)) !== bytes.length) return false;
  const opened = await uploads.open(name);
  return opened !== null && bytes.equals(Buffer.from(await new Response(opened.body).arrayBuffer()));
}
