import type { Database } from '../db/database.ts';
import { createJob } from '../jobs/jobs.ts';
import type { Alarm, NoticeService } from '../notices/notice-service.ts';
import type { Log } from '../shared/log.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/units.ts';

/** Finds what an operator must know; null if there is nothing. */
export type Check = () => Promise<Pick<Alarm, 'title' | 'text' | 'except'> | null>;

export interface Checks {
  /** Works without writing: its alarm is sent directly. */
  storage: Check;
  disk: Check;
  backup: Check;
  webhook: Check;
  schedule: Check;
}

type Kind = keyof Checks;

const CHECK_INTERVAL_MS = MINUTE_MS;
const KINDS: readonly Kind[] = ['storage', 'disk', 'backup', 'webhook', 'schedule'];

export type AlarmService = ReturnType<typeof createAlarms>;

/**
 * Tells operators by mail and webhook what keeps a site from working, each once a day while it lasts.
 * @param place name of this machine, whose disk and storage are its own
 */
export function createAlarms({
  db,
  notices,
  checks,
  place,
  log,
  now,
}: {
  db: Pick<Database, 'write'>;
  notices: Pick<NoticeService, 'alarm' | 'sendAlarm'>;
  checks: Checks;
  place: string;
  log: Pick<Log, 'warn'>;
  now: () => number;
}) {
  /** Keys of today's alarms of this process; other processes share the keys of the outbox. */
  const raised = new Set<string>();
  let day = -1;

  const keyOf = (kind: Kind): string => {
    const isOwn = kind === 'storage' || kind === 'disk';
    return `alarm:${kind}:${isOwn ? `${place}:` : ''}${day}`;
  };

  async function raise(kind: Kind): Promise<void> {
    const key = keyOf(kind);
    if (raised.has(key)) return;
    const found = await checks[kind]();
    if (!found) return;
    const alarm = { ...found, key };
    if (kind === 'storage') await notices.sendAlarm(alarm);
    else await db.write((trx) => notices.alarm(trx, alarm));
    raised.add(key);
    log.warn({ alarm: kind }, 'alarm raised');
  }

  async function look(): Promise<void> {
    const today = Math.floor(now() / DAY_MS);
    if (today !== day) raised.clear();
    day = today;
    for (const kind of KINDS)
      await raise(kind).catch((error: unknown) =>
        log.warn({ err: error, alarm: kind }, 'raising an alarm failed'),
      );
  }

  const job = createJob(look, {
    everyMs: CHECK_INTERVAL_MS,
    failed: (error) => log.warn({ err: error }, 'alarm job failed'),
  });
  return { look, ...job };
}
