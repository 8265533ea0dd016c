import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/lib/server/db/database.ts';
import { createModerationService } from '../../src/lib/server/moderation/moderation-service.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';
import { fakes } from '../fakes.ts';

let stage: StaffStage;
let place: string;
beforeAll(async () => {
  stage = await openStaffStage();
  place = await stage.write(await stage.signUp('王维'));
});
afterAll(() => stage?.close());

/** Judges a comment by `author` on `db`. */
async function judge(author: Person, db: Database) {
  const { events, services } = stage.app;
  const moderation = createModerationService({
    db,
    events,
    words: services.words,
    options: services.options,
    ...fakes({ notices: { notify: async () => {}, withdraw: async () => {} } }),
    outsideJudge: null,
    now: stage.now,
  });
  const source = '空山新雨后，天气晚来秋';
  return (await moderation.judgeComment({ id: null, author: author.viewer, source })).reasons;
}

/** Returns the database with `work` run after each read. */
function afterReads(work: () => Promise<void>): Database {
  const { db } = stage.app;
  const read = db.read.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await work();
      return result;
    },
  });
  return { ...db, read };
}

test('a new account that comments often within minutes waits for staff, a known one does not', async () => {
  await stage.app.services.options.change({ approvedFirst: 8 }, null);
  const author = await stage.signUp('裴迪');
  for (let count = 0; count < 5; count++) {
    expect(await judge(author, stage.app.db)).toEqual([]);
    await stage.comment(author, place);
  }
  expect(await judge(author, stage.app.db)).toEqual(['flood']);
  await stage.app.services.options.change({ approvedFirst: 5 }, null);
  expect(await judge(author, stage.app.db)).toEqual([]);
  await stage.app.services.options.change({ approvedFirst: 8 }, null);
  stage.pass(11 * 60_000);
  expect(await judge(author, stage.app.db)).toEqual([]);
});

test('comments written while another one is judged do not make it wait', async () => {
  await stage.app.services.options.change({ approvedFirst: 3 }, null);
  const author = await stage.signUp('储光羲');
  let written = 0;
  const reasons = await judge(
    author,
    afterReads(async () => {
      for (; written < 6; written++) await stage.comment(author, place);
    }),
  );
  expect(written).toBe(6);
  expect(reasons).toEqual([]);
});
