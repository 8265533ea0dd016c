import { setImmediate } from 'node:timers/promises';
import { explainLost, openSnapshot, openTarget, OperationError, placeOf, type Place } from './databases.ts';
import type { Database, Snapshot } from '../db/database.ts';
import { NEWEST_VERSION } from '../db/migrate.ts';
import * as moved from '../db/move-rows.ts';
import { MOVED_TABLES } from '../db/move-tables.ts';
import { EMPTY, inspectTarget, rebuildDerived, reserve, type TargetState } from './target.ts';

/**
 * Progress of a step: `copy` copies rows, `compare` reads both sides, `index` builds the search index. Counts
 * rows, or articles for `index`.
 */
export interface MoveProgress {
  step: 'copy' | 'compare' | 'index';
  table: string;
  done: number;
  total: number;
}

export interface MoveOptions {
  /** Databases as `sqlite:<file>` or `postgres://…`. */
  from: string;
  to: string;
  isDryRun: boolean;
  /** Stops between two batches; the same call resumes. */
  signal: AbortSignal;
  onProgress(progress: MoveProgress): void;
}

export interface MoveReport {
  /** `same`: target already complete; `possible`: result of a dry run. */
  outcome: 'moved' | 'same' | 'possible';
  /** Tables on both sides with digests if they were compared; otherwise the tables to move. */
  tables: (moved.TableCount & Partial<moved.Fingerprint>)[];
  found: number;
  /** Whether the source was written to meanwhile; those changes were not moved. */
  isSourceChanged: boolean;
}

/**
 * Copies a site's database into another of either engine, and compares both. Reads a snapshot of the source.
 * Resumes an interrupted move; refuses a target with other data.
 * @throws OperationError, StorageUnusableError, AbortError
 */
export async function moveDatabase(options: MoveOptions): Promise<MoveReport> {
  const [from, to] = [placeOf(options.from), placeOf(options.to)];
  await using source = await openSnapshot(from);
  try {
    await requireWhole(source);
    const { kind, found } = await inspect(to, source);
    const tables = await moved.countRows(source.db);
    const report = { tables, found, isSourceChanged: false };
    if (kind === 'same')
      return { ...report, tables: await requireSame(source, to, options), outcome: 'same' };
    if (options.isDryRun) return { ...report, outcome: 'possible' };
    return await run(source, to, report, options);
  } catch (error) {
    throw explainLost(error, '再次运行同样的命令，会接着搬');
  }
}

async function run(
  source: Snapshot,
  to: Place,
  report: Omit<MoveReport, 'outcome'>,
  options: MoveOptions,
): Promise<MoveReport> {
  await using target = await openTarget(to);
  await reserve(target, source.name, MOVED_TABLES);
  await copy(source, target, report, options);
  await target.write((trx) => moved.continueSequences(trx, target.engine));
  const tables = await requireSame(source, to, options);
  await rebuildDerived(target, options.signal, (done, total) =>
    options.onProgress({ step: 'index', table: '', done, total }),
  );
  await target.write(moved.unmarkMove);
  return { ...report, outcome: 'moved', tables, isSourceChanged: source.wasWritten?.() ?? false };
}

async function copy(
  source: Snapshot,
  target: Database,
  { tables, found }: Pick<MoveReport, 'tables' | 'found'>,
  { signal, onProgress }: MoveOptions,
): Promise<void> {
  const total = moved.totalOf(tables);
  let done = found;
  for (const table of MOVED_TABLES) {
    onProgress({ step: 'copy', table: table.name, done, total });
    for (;;) {
      // SQLite calls are synchronous: without this, not even a signal would be handled.
      await setImmediate();
      signal.throwIfAborted();
      const copied = await target.write(async (trx) => {
        const rows = await moved.rowsAfter(source.db, table, await moved.lastRow(trx, table));
        await moved.insertRows(trx, table, rows);
        return rows.length;
      });
      if (copied === 0) break;
      done += copied;
      onProgress({ step: 'copy', table: table.name, done, total });
    }
  }
}

async function requireSame(
  source: Snapshot,
  to: Place,
  { onProgress }: MoveOptions,
): Promise<moved.Fingerprint[]> {
  await using target = await openSnapshot(to);
  const [ours, theirs] = [await moved.countRows(source.db), await moved.countRows(target.db)];
  const isMarked = (await moved.unfinishedMove(target.db)) !== null;
  const unequal = ours.find(({ rows }, index) => rows !== theirs[index]?.rows);
  if (unequal) throw different(unequal.table, isMarked, theirs);
  const total = 2 * moved.totalOf(ours);
  let done = 0;
  const fingerprints: moved.Fingerprint[] = [];
  for (const table of MOVED_TABLES) {
    const onRows = (rows: number) =>
      onProgress({ step: 'compare', table: table.name, done: (done += rows), total });
    const one = await moved.fingerprintOf(source.db, table, onRows);
    const other = await moved.fingerprintOf(target.db, table, onRows);
    if (one.digest !== other.digest) throw different(table.name, isMarked, theirs);
    fingerprints.push(one);
  }
  return fingerprints;
}

function different(table: string, isMarked: boolean, counts: moved.TableCount[]): OperationError {
  if (isMarked)
    return new OperationError(
      `两边的 ${table} 表不一致，多半是来源在两次搬家之间有了改动：请停下来源的服务，清空目标数据库后重新搬家`,
    );
  const held = counts.filter(({ rows }) => rows > 0).map(({ table: name, rows }) => `${name} ${rows} 行`);
  return new OperationError(`目标数据库里已有别的数据（${held.join('、')}），不会覆盖：请换一个空的数据库`);
}

const inspect = (to: Place, source: Snapshot): Promise<TargetState> =>
  inspectTarget(to, async ({ name, engine, version, tables, db }, unfinished) => {
    if (name === source.name && engine === source.engine)
      throw new OperationError('来源与目标是同一个数据库');
    if (unfinished === null && (await moved.isEmpty(db, tables)) && version <= NEWEST_VERSION) return EMPTY;
    if (version !== NEWEST_VERSION)
      throw new OperationError('目标数据库是另一个版本的墨页建的：请换一个空的数据库');
    if (unfinished === null) return { kind: 'same', found: 0 };
    if (unfinished === source.name)
      return { kind: 'unfinished', found: moved.totalOf(await moved.countRows(db)) };
    throw new OperationError(
      `目标数据库里有一次没有完成的搬家，来自 ${unfinished}：请从那里继续，或换一个空的数据库`,
    );
  });

async function requireWhole({ version, db }: Snapshot): Promise<void> {
  if (version === 0) throw new OperationError('来源不是墨页的数据库');
  if (version < NEWEST_VERSION)
    throw new OperationError('来源数据库是旧版本的墨页建的：先用现在的版本启动一次服务，再搬家');
  if (version > NEWEST_VERSION) throw new OperationError('来源数据库是更新版本的墨页建的：请用那个版本搬家');
  if ((await moved.unfinishedMove(db)) !== null)
    throw new OperationError('来源是一次没有完成的搬家的目标，数据还不完整');
}
