import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { countArticles } from '../articles/core/count-queries.ts';
import { findFormerPictureUses, forgetPictureUses } from '../articles/core/usage-queries.ts';
import type { Database, Snapshot } from '../db/database.ts';
import * as moved from '../db/move-rows.ts';
import { forgetIndex, rebuildIfNeeded } from '../search/rebuild.ts';
import { openSnapshot, OperationError, unfinishedIn, type Place } from './databases.ts';

/**
 * State of a database that a move or a restore fills. `unfinished`: an interrupted run from the same source
 * has left `found` rows; `loaded`: it has left all rows; `same`: nothing is left to do.
 */
export interface TargetState {
  kind: 'empty' | 'unfinished' | 'loaded' | 'same';
  found: number;
}

export const EMPTY: TargetState = { kind: 'empty', found: 0 };

/**
 * Inspects a target before it is written to.
 * @param look gets the source of an unfinished move or restore, or null
 * @throws OperationError if it belongs to another program; errors of `look`
 */
export async function inspectTarget(
  to: Place,
  look: (target: Snapshot, unfinished: string | null) => Promise<TargetState>,
): Promise<TargetState> {
  if ('file' in to && !existsSync(to.file)) return EMPTY;
  await using target = await openSnapshot(to);
  const { version, tables } = target;
  if (version === 0 && tables.length > 0)
    throw new OperationError(`目标数据库里已有别的程序的表（${tables[0]} 等），请换一个空的数据库`);
  return await look(target, await unfinishedIn(target));
}

/** Marks an empty target, unless an interrupted run has: servers refuse to serve it. */
export async function reserve(
  target: Database,
  source: string,
  tables: readonly { name: string }[],
): Promise<void> {
  if ((await moved.unfinishedMove(target.read)) !== null) return;
  const names = tables.map(({ name }) => name);
  await target.write(async (trx) => {
    if (!(await moved.isEmpty(trx, names)))
      throw new OperationError('目标数据库刚刚有了别的数据：请换一个空的数据库');
    await moved.emptyCounters(trx);
    await forgetIndex(trx);
    await forgetPictureUses(trx);
    await moved.markMove(trx, source);
  });
}

/** Rebuilds picture uses and the search index, which are not copied. @throws AbortError */
export async function rebuildDerived(
  target: Database,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  await findFormerPictureUses(target);
  const total = await countArticles(target.read, { of: 'public' });
  onProgress(0, total);
  await setImmediate();
  signal.throwIfAborted();
  await rebuildIfNeeded(target, (indexed) => {
    onProgress(indexed, total);
    return !signal.aborted;
  });
  signal.throwIfAborted();
}
