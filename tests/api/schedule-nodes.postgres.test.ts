import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { WAIT_MS } from '../limits.ts';
import { createStorage, TOKEN_SECRET } from '../engine.ts';
import { amount, tally } from '../trial.ts';
import { clientOf, done } from './server.ts';
import { spawnServer, temporaryFolder, type ServerProcess } from './spawn.ts';

/** SCHEDULE_ROUNDS=100 runs a longer test. */
const ROUNDS = amount('SCHEDULE_ROUNDS', 1, 20);
const AHEAD_MS = 400;

/** Counts publications: an article's row is updated once per publication. */
const COUNTING = `
  create table publications (article_id text not null);
  create function count_publication() returns trigger language plpgsql as $$
    begin insert into publications values (new.id); return new; end $$;
  create trigger count_publication after update of update_time on articles
    for each row when (new.status = 'normal') execute function count_publication()`;

test(
  'with one of two nodes killed at the scheduled time, every article is published exactly once',
  async () => {
    await using folder = await temporaryFolder();
    await using storage = await createStorage(folder.path);
    for (const statement of COUNTING.split(/;\n {2}(?=create)/)) await storage.rows(statement);
    const start = () => spawnServer({ ...storage.settings, TOKEN_SECRET, LOG_LEVEL: 'warn' });
    const nodes: ServerProcess[] = [start(), start()];
    try {
      const [first] = nodes;
      const author = await clientOf((await first?.url) ?? '').join('定时的人');
      const ids: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const [victim, survivor] = nodes as [ServerProcess, ServerProcess];
        await victim.url;
        const { write, post } = clientOf(await survivor.url);
        const id = await write(author, { title: `第 ${round} 篇`, status: 'draft' });
        const due = Date.now() + AHEAD_MS;
        const publish_time = new Date(due).toISOString();
        done(await post('/api/page/schedule', { id, publish_time }, author.token));
        // Kills the server before, during or after the publication.
        await wait(Math.max(0, due - Date.now() - 10 + (round % 20) * 4));
        victim.child.kill('SIGKILL');
        tally('nodes killed');
        await victim.ended;
        nodes.splice(0, 2, survivor, start());
        await vi.waitFor(
          async () => expect(done(await post('/api/page/detail', { id })).status).toBe('normal'),
          { timeout: WAIT_MS, interval: 50 },
        );
        ids.push(id);
      }
      const count = `select article_id from publications order by article_id`;
      const published = (await storage.rows(count)).map((row) => row['article_id']);
      expect(published).toEqual(ids.toSorted());
      expect(await storage.count(`select page_num from users where username = '定时的人'`)).toBe(ROUNDS);
      expect(await storage.count('select count(*) from article_schedules')).toBe(0);
    } finally {
      for (const { child } of nodes) child.kill('SIGKILL');
      await Promise.all(nodes.map(({ ended }) => ended));
    }
  },
  60_000 + ROUNDS * 10_000,
);
