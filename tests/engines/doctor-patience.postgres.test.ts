import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { examine } from '../../src/lib/server/operations/doctor.ts';
import { openStaffStage, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let other: Client;
beforeEach(async () => {
  stage = await openStaffStage();
  other = new Client({ connectionString: stage.app.config.databaseUrl ?? '' });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await stage.close();
});

/** Longer than a statement of a request may take, or wait for a lock. */
const LONG_MS = 3_500;

test('a check of a large database may take longer than requests may', async () => {
  await other.query('begin');
  await other.query('lock table comment_days in access exclusive mode');
  const examined = Array.fromAsync(examine(stage.app, { mends: false }));
  await delay(LONG_MS);
  await other.query('rollback');
  expect((await examined).filter(({ verdict }) => verdict === 'wrong')).toEqual([]);
});
