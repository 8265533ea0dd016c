import { hostname } from 'node:os';
import { listFailing } from '../notices/delivery-queries.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Disk } from '../disk/disk.ts';
import type { Services } from '../services.ts';
import type { Log } from '../shared/log.ts';
import { isInReserve, measureDisk, type MeasureDisk } from '../storage/disk-reserve.ts';
import { MIB, DAY_MS, MINUTE_MS } from '../../contract/rules/units.ts';
import { formatMinute } from '../../shared/time.ts';
import { toInstant } from '../shared/ids.ts';
import { createJob } from '../jobs/jobs.ts';
import type { Alarm, NoticeService } from '../notices/notice-service.ts';

interface Parts {
  config: Pick<Config, 'diskReserveBytes' | 'siteTimeZone'>;
  db: Database;
  writeFault: Disk['fault'];
  folders: readonly string[];
  services: Pick<Services, 'notices' | 'backups' | 'overdue'>;
  measure?: MeasureDisk;
  log: Log;
  now: () => number;
}

const MAX_TITLES = 5;
/** Consecutive failures of a delivery after which operators are notified. */
const MIN_TRIES = 2;
const place = hostname();

export function openAlarms(parts: Parts): AlarmService {
  const { db, services, log, now } = parts;
  const { notices } = services;
  return createAlarms({ db, notices, checks: checksOf(parts), place, log, now });
}

export function checksOf({
  config,
  db,
  writeFault,
  folders,
  services,
  measure = measureDisk,
  now,
}: Parts): Checks {
  const { notices, backups, overdue } = services;

  const disk: Check = async () => {
    for (const folder of folders) {
      // Before the reserve is reached, where pictures and backups are refused.
      if (!(await isInReserve(folder, 2 * config.diskReserveBytes, measure))) continue;
      const free = Math.round(((await measure(folder))?.free ?? 0) / MIB);
      return {
        title: '磁盘快满了',
        text: `${place} 的 ${folder} 只剩 ${free} MB。低于 ${config.diskReserveBytes / MIB} MB 时，图片、导出和备份不能再写入`,
      };
    }
    return null;
  };

  const backup: Check = async () => {
    const schedule = await backups.schedule();
    if (!schedule) return null;
    const { time, error } = await backups.last();
    if (error !== '') return { title: '备份失败了', text: error };
    const isOld = time !== null && now() - time > 2 * schedule.everyMs;
    if (!isOld) return null;
    const last = formatMinute(toInstant(time), config.siteTimeZone);
    return { title: '备份过期了', text: `最近一次备份是 ${last}` };
  };

  const webhook: Check = async () => {
    const all = [...(await listFailing(db.read))];
    const failing = new Map(all.filter(([, { tries }]) => tries >= MIN_TRIES));
    if (failing.size === 0) return null;
    const named = (await notices.webhooks.list()).filter(({ id }) => failing.has(id));
    const lines = named.map(
      ({ id, name, place }) => `${name}（${place}）：${failing.get(id)?.problem ?? ''}`,
    );
    return { title: '通知地址送不到', text: lines.join('\n'), except: all.map(([id]) => id) };
  };

  return {
    disk,
    backup,
    webhook,
    async storage() {
      const fault = await writeFault();
      if (!fault) return null;
      return fault === 'full'
        ? { title: '磁盘满了', text: `${place} 的磁盘没有空间，文章和评论都不能保存` }
        : { title: '数据不能写入', text: `${place} 的数据库或数据目录不能写入，文章和评论都不能保存` };
    },
    async schedule() {
      const text = await overdue.describeSchedules(MAX_TITLES);
      return text === '' ? null : { title: '有文章到时间没有发布', text };
    },
  };
}

/** Finds what an operator must know; null if there is nothing. */
type Check = () => Promise<Pick<Alarm, 'title' | 'text' | 'except'> | null>;

/** The alarm of `storage` is sent directly, because it must work without writing. */
const KINDS = ['storage', 'disk', 'backup', 'webhook', 'schedule'] as const;
type Kind = (typeof KINDS)[number];
export type Checks = Record<Kind, Check>;

const CHECK_INTERVAL_MS = MINUTE_MS;

type AlarmService = ReturnType<typeof createAlarms>;

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
