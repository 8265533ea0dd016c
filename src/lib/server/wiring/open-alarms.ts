import { hostname } from 'node:os';
import { createAlarms, type AlarmService, type Check, type Checks } from '../alarms/alarm-service.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Disk } from '../disk/disk.ts';
import type { Services } from '../services.ts';
import type { Log } from '../shared/log.ts';
import { isInReserve, measureDisk, type MeasureDisk } from '../storage/disk-reserve.ts';
import { MIB } from '../../shared/units.ts';
import { formatMinute } from '../../shared/time.ts';
import { toInstant } from '../shared/ids.ts';

interface Parts {
  config: Pick<Config, 'diskReserveBytes' | 'backup' | 'siteTimeZone'>;
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
    if (!config.backup) return null;
    const { time, error } = await backups.last();
    if (error !== '') return { title: '备份失败了', text: error };
    const isOld = time !== null && now() - time > 2 * config.backup.everyMs;
    if (!isOld) return null;
    const last = formatMinute(toInstant(time), config.siteTimeZone);
    return { title: '备份过期了', text: `最近一次备份是 ${last}` };
  };

  const webhook: Check = async () => {
    const all = [...(await notices.listFailing())];
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
