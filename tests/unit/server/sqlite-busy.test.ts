import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isTemporary } from '../../../src/lib/contract/rules/errors.ts';
import { guarded, writeFault } from '../../../src/lib/server/db/sqlite/sqlite-faults.ts';

let folder: string;
let connections: DatabaseSync[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moye-busy-'));
  connections = [1, 2].map(() => new DatabaseSync(join(folder, 'a.sqlite'), { timeout: 0 }));
});
afterEach(() => {
  for (const connection of connections) connection.close();
  rmSync(folder, { recursive: true });
});

test('a write that another process holds up for too long is refused temporarily, not as a fault', () => {
  const [first, second] = connections as [DatabaseSync, DatabaseSync];
  first.exec('begin immediate');
  const errors: unknown[] = [];
  try {
    guarded(second, () => second.exec('begin immediate'));
  } catch (error) {
    errors.push(error);
  }
  expect(errors.map(isTemporary)).toEqual([true]);
  expect(errors.map(writeFault)).toEqual([null]);
  first.exec('rollback');
  guarded(second, () => second.exec('begin immediate; rollback'));
});
