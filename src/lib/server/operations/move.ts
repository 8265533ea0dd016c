import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { findFormerPictureUses, forgetPictureUses } from '../articles/core/usage-queries.ts';
import { buildIndex, openSnapshot, openTarget, placeOf, type Place } from './databases.ts';
import type { Database, Snapshot } from '../db/database.ts';
import { NEWEST_VERSION } from '../db/migrate.ts';
import {
  continueSequences,
  countRows,
  emptyCounters,
  fingerprintOf,
  insertRows,
  isEmpty,
  lastRow,
  markMove,
  rowsAfter,
  unfinishedMove,
  unmarkMove,
  type Fingerprint,
  type TableCount,
} from '../db/move-rows.ts';
import { MOVED_TABLES } from '../db/move-tables.ts';
import { reasonOf } from '../db/postgres/postgres-pool.ts';
import { StorageUnavailableError } from '../storage/storage.ts';
import { forgetIndex } from '../search/rebuild.ts';

/** Reason why a move is impossible: one Chinese sentence for the operator. */
class MoveError extends Error {
  override name = 'MoveError';
}

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
  signal: AbortSignal;
  onProgress(progress: MoveProgress): void;
}

export interface MoveReport {
  /** `same`: target already complete; `stopped`: the command resumes; `possible`: result of a dry run. */
  outcome: 'moved' | 'same' | 'stopped' | 'possible';
  /** Tables on both sides with digests if they were compared; otherwise the tables to move. */
  tables: (TableCount & Partial<Fingerprint>)[];
  found: number;
  /** Whether the source was written to meanwhile; those changes were not moved. */
  isSourceChanged: boolean;
}

/** `empty`: nothing to keep; `unfinished`: an interrupted move from the same source has left `found` rows. */
type State = { kind: 'empty' | 'full' } | { kind: 'unfinished'; found: number };

const ALL = MOVED_TABLES.map(({ name }) => name);

/**
 * Copies a site's database into another of either engine, and compares both. Reads a snapshot of the source.
 * Resumes an interrupted move; refuses a target with other data.
 * @throws MoveError, StorageUnusableError
 */
export async function moveDatabase(options: MoveOptions): Promise<MoveReport> {
  try {
    return await lookAndMove(options);
  } catch (error) {
    if (!(error instanceof StorageUnavailableError)) throw error;
    throw new MoveError(`数据库没有回应（${reasonOf(error.cause)}）：等它恢复后再次运行同样的命令，会接着搬`);
  }
}

async function lookAndMove(options: MoveOptions): Promise<MoveReport> {
  const [from, to] = [requirePlace(options.from), requirePlace(options.to)];
  const source = await openSnapshot(from);
  try {
    await requireWhole(source);
    const state = await inspect(to, source);
    const found = state.kind === 'unfinished' ? state.found : 0;
    const tables = await countRows(source.db);
    const report = { tables, found, isSourceChanged: false };
    if (state.kind === 'full')
      return { ...report, tables: await requireSame(source, to, options), outcome: 'same' };
    if (options.isDryRun) return { ...report, outcome: 'possible' };
    return await run(source, to, report, options);
  } finally {
    await source.close();
  }
}

async function run(
  source: Snapshot,
  to: Place,
  { tables, found }: Pick<MoveReport, 'tables' | 'found'>,
  options: MoveOptions,
): Promise<MoveReport> {
  const total = totalOf(tables);
  const target = await openTarget(to);
  try {
    if ((await unfinishedMove(target.read)) === null) await begin(target, source);
    const isWhole = await copy(source, target, { found, total }, options);
    if (!isWhole) return { outcome: 'stopped', tables, found, isSourceChanged: false };
    await target.write((trx) => continueSequences(trx, target.engine));
    const compared = await requireSame(source, to, options);
    await findFormerPictureUses(target);
    const onIndexed = (done: number, all: number) =>
      options.onProgress({ step: 'index', table: '', done, total: all });
    if (!(await buildIndex(target, options.signal, onIndexed)))
      return { outcome: 'stopped', tables, found, isSourceChanged: false };
    await target.write(unmarkMove);
    const isSourceChanged = source.wasWritten?.() ?? false;
    return { outcome: 'moved', tables: compared, found, isSourceChanged };
  } finally {
    await target.close();
  }
}

/** Reserves the target for this move; servers refuse to serve it. */
async function begin(target: Database, source: Snapshot): Promise<void> {
  await target.write(async (trx) => {
    if (!(await isEmpty(trx, ALL))) throw new MoveError('目标数据库刚刚有了别的数据：请换一个空的数据库');
    await emptyCounters(trx);
    await forgetIndex(trx);
    await forgetPictureUses(trx);
    await markMove(trx, source.name);
  });
}

async function copy(
  source: Snapshot,
  target: Database,
  { found, total }: { found: number; total: number },
  { signal, onProgress }: MoveOptions,
): Promise<boolean> {
  let done = found;
  for (const table of MOVED_TABLES) {
    onProgress({ step: 'copy', table: table.name, done, total });
    for (;;) {
      // SQLite calls are synchronous: without this, not even a signal would be handled.
      await setImmediate();
      if (signal.aborted) return false;
      const copied = await target.write(async (trx) => {
        const rows = await rowsAfter(source.db, table, await lastRow(trx, table));
        if (rows.length > 0) await insertRows(trx, table, rows);
        return rows.length;
      });
      if (copied === 0) break;
      done += copied;
      onProgress({ step: 'copy', table: table.name, done, total });
    }
  }
  return true;
}

const totalOf = (counts: readonly TableCount[]) => counts.reduce((sum, { rows }) => sum + rows, 0);

async function requireSame(source: Snapshot, to: Place, { onProgress }: MoveOptions): Promise<Fingerprint[]> {
  const target = await openSnapshot(to);
  try {
    const [ours, theirs] = [await countRows(source.db), await countRows(target.db)];
    const isMarked = (await unfinishedMove(target.db)) !== null;
    const unequal = ours.find(({ rows }, index) => rows !== theirs[index]?.rows);
    if (unequal) throw different(unequal.table, isMarked, theirs);
    const total = 2 * totalOf(ours);
    let done = 0;
    const fingerprints: Fingerprint[] = [];
    for (const table of MOVED_TABLES) {
      const onRows = (rows: number) =>
        onProgress({ step: 'compare', table: table.name, done: (done += rows), total });
      const one = await fingerprintOf(source.db, table, onRows);
      const other = await fingerprintOf(target.db, table, onRows);
      if (one.digest !== other.digest) throw different(table.name, isMarked, theirs);
      fingerprints.push(one);
    }
    return fingerprints;
  } finally {
    await target.close();
  }
}

function different(table: string, isMarked: boolean, counts: TableCount[]): MoveError {
  if (isMarked)
    return new MoveError(
      `两边的 ${table} 表不一致，多半是来源在两次搬家之间有了改动：请停下来源的服务，清空目标数据库后重新搬家`,
    );
  const held = counts.filter(({ rows }) => rows > 0).map(({ table: name, rows }) => `${name} ${rows} 行`);
  return new MoveError(`目标数据库里已有别的数据（${held.join('、')}），不会覆盖：请换一个空的数据库`);
}

async function inspect(to: Place, source: Snapshot): Promise<State> {
  if (to.engine === 'sqlite' && !existsSync(to.file)) return { kind: 'empty' };
  const target = await openSnapshot(to);
  const { name, engine, version, tables, db } = target;
  try {
    if (name === source.name && engine === source.engine) throw new MoveError('来源与目标是同一个数据库');
    if (version === 0 && tables.length > 0)
      throw new MoveError(`目标数据库里已有别的程序的表（${tables[0]} 等），请换一个空的数据库`);
    const unfinished = tables.includes('moves') ? await unfinishedMove(db) : null;
    if (unfinished === null && (await isEmpty(db, tables)) && version <= NEWEST_VERSION)
      return { kind: 'empty' };
    if (version !== NEWEST_VERSION)
      throw new MoveError('目标数据库是另一个版本的墨页建的：请换一个空的数据库');
    if (unfinished === null) return { kind: 'full' };
    if (unfinished === source.name) return { kind: 'unfinished', found: totalOf(await countRows(db)) };
    throw new MoveError(
      `目标数据库里有一次没有完成的搬家，来自 ${unfinished}：请从那里继续，或换一个空的数据库`,
    );
  } finally {
    await target.close();
  }
}

async function requireWhole({ version, db }: Snapshot): Promise<void> {
  if (version === 0) throw new MoveError('来源不是墨页的数据库');
  if (version < NEWEST_VERSION)
    throw new MoveError('来源数据库是旧版本的墨页建的：先用现在的版本启动一次服务，再搬家');
  if (version > NEWEST_VERSION) throw new MoveError('来源数据库是更新版本的墨页建的：请用那个版本搬家');
  if ((await unfinishedMove(db)) !== null)
    throw new MoveError('来源是一次没有完成的搬家的目标，数据还不完整');
}

function requirePlace(text: string): Place {
  const place = placeOf(text);
  if (!place) throw new MoveError('数据库的地址应为 sqlite:<文件> 或 postgres://用户:密码@主机:端口/数据库');
  return place;
}
