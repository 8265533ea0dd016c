import { ARCHIVE_NUMBERS } from '../articles/discovery/archive-queries.ts';
import { ARTICLE_NUMBERS, countStrayCopies, mendCopies } from '../articles/core/count-queries.ts';
import { SITEMAP_NUMBERS } from '../articles/discovery/sitemap-queries.ts';
import * as uses from '../articles/core/usage-queries.ts';
import { VERSION_NUMBERS } from '../articles/history/version-queries.ts';
import { countWrongInvisible, mendInvisible } from '../comments/invisible-queries.ts';
import type { Config } from '../config/config.ts';
import { countWrongCounters, repairCounters, type StoredCounter } from '../db/stored-counters.ts';
import { isInReserve, measureDisk } from '../storage/disk-reserve.ts';
import { openSnapshot, placeIn } from './databases.ts';
import { explain } from './explain.ts';
import { tryDestination } from '../backup/destination.ts';
import type { DiskFault } from '../disk/disk.ts';
import { contradictionsIn } from '../doctor/contradictions.ts';
import * as state from '../doctor/doctor-queries.ts';
import { STORED_NUMBERS } from '../quotas/quota-queries.ts';
import { READ_NUMBERS } from '../reads/read-queries.ts';
import { countIndexFaults } from '../search/index-check.ts';
import { forgetIndex, rebuildIfNeeded } from '../search/rebuild.ts';
import type { App } from '../services.ts';
import { COMMENT_NUMBERS } from '../staff/overview-queries.ts';
import { countOperators } from '../staff/role-queries.ts';
import { TAG_NUMBERS } from '../tags/tag-queries.ts';
import { USER_NUMBERS } from '../users/user-queries.ts';
import { DAY_MS, GIB, MIB, MINUTE_MS } from '../../contract/rules/units.ts';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `wrong` must be fixed, by `--mend` or the operator; `doubtful` deserves a look. */
export type Verdict = 'fine' | 'doubtful' | 'wrong' | 'mended';

export interface Finding {
  check: string;
  verdict: Verdict;
  text: string;
}

type Found = Pick<Finding, 'verdict' | 'text'>;
interface Check {
  name: string;
  look(app: App): Promise<Found>;
  /** Repairs that are safe while the server runs; the check runs again afterwards. */
  mend?(app: App): Promise<void>;
}

const LOW_BYTES = GIB;
const NO_BYTES = 64 * MIB;
const MAX_CLOCK_OFFSET_MS = 5_000;
const WRONG_CLOCK_MS = MINUTE_MS;
const MAX_SHOWN_ITEMS = 3;
const MAX_REPLICA_LAG_S = 10;

const FINE: Found = { verdict: 'fine', text: '' };
const wrong = (text: string): Found => ({ verdict: 'wrong', text });
const doubtful = (text: string): Found => ({ verdict: 'doubtful', text });
const wrongIf = (count: number, text: string): Found => (count > 0 ? wrong(`${count} ${text}`) : FINE);
const joined = (texts: readonly string[]): string =>
  texts.slice(0, MAX_SHOWN_ITEMS).join('；') +
  (texts.length > MAX_SHOWN_ITEMS ? `；等 ${texts.length} 处` : '');

const UNWRITABLE: Record<DiskFault, string> = {
  full: '磁盘已满，什么都保存不了',
  unwritable: '数据库不能写入：文件或文件系统是只读的，或连到了备用库',
};

export const NUMBERS: readonly StoredCounter[] = [
  ...ARTICLE_NUMBERS,
  ...TAG_NUMBERS,
  USER_NUMBERS,
  STORED_NUMBERS,
  VERSION_NUMBERS,
  READ_NUMBERS,
  ARCHIVE_NUMBERS,
  SITEMAP_NUMBERS,
  COMMENT_NUMBERS,
];

const CHECKS: readonly Check[] = [
  {
    name: '数据库完整',
    async look({ db }) {
      const faults = await db.faults();
      return faults.length > 0 ? wrong(`${joined(faults)}。请从备份恢复`.replaceAll('\n', ' ')) : FINE;
    },
  },
  {
    name: '能写入',
    async look({ writeFault }) {
      const fault = await writeFault();
      return fault ? wrong(UNWRITABLE[fault]) : FINE;
    },
  },
  {
    name: '公开与否',
    look: async ({ db }) =>
      wrongIf(
        await state.countLeaks(db.read),
        '篇文章在等待审核或已被隐藏，却还公开着：用 moye content hide 隐藏',
      ),
  },
  {
    name: '标签里的文章',
    look: async ({ db }) => wrongIf(await countStrayCopies(db.read), '处和文章不一致'),
    mend: ({ db }) => db.write(mendCopies),
  },
  {
    name: '看不到的评论',
    look: async ({ db }) => wrongIf(await countWrongInvisible(db.read), '处和文章不一致'),
    mend: ({ db }) => db.write(mendInvisible),
  },
  {
    name: '计数',
    async look({ db }) {
      const found: string[] = [];
      for (const counter of NUMBERS) {
        const count = await countWrongCounters(db.read, counter);
        if (count > 0) found.push(`${counter.table}.${counter.column} ${count} 行`);
      }
      return found.length > 0 ? wrong(`和实际不符：${found.join('、')}`) : FINE;
    },
    async mend({ db }) {
      for (const counter of NUMBERS) await db.write((trx) => repairCounters(trx, counter));
    },
  },
  {
    name: '搜索索引',
    async look({ db }) {
      const { missing, orphaned, isStale } = await countIndexFaults(db);
      if (isStale) return wrong('没有建完');
      return missing + orphaned > 0 ? wrong(`缺 ${missing} 篇，多 ${orphaned} 条`) : FINE;
    },
    async mend({ db }) {
      await db.write(forgetIndex);
      await rebuildIfNeeded(db);
    },
  },
  {
    name: '图片的使用',
    look: async ({ db }) => wrongIf(await uses.countWrongUses(db.read), '处和文章不一致'),
    async mend({ db }) {
      await db.write(async (trx) => {
        await uses.dropUnexplainedUses(trx);
        await uses.forgetPictureUses(trx);
      });
      await uses.findFormerPictureUses(db);
    },
  },
  {
    name: '没有记录的文件',
    async look({ services }) {
      const { orphans, known } = await services.files.findOrphans();
      if (orphans.length > known && orphans.length > 0)
        return doubtful(`${orphans.length} 个，比有记录的还多：多半属于另一个数据库，不会清理`);
      return wrongIf(orphans.length, '个，没有任何记录提到它们');
    },
    mend: async ({ services }) => void (await services.files.removeOrphans()),
  },
  {
    name: '丢失的文件',
    async look({ services }) {
      const missing = await services.files.findMissing();
      return missing.length > 0
        ? wrong(`${missing.length} 个不在了：${joined(missing)}。请从备份里找回`)
        : FINE;
    },
  },
  {
    name: '缩略图的记录',
    async look({ services }) {
      const { unrecorded, lost } = await services.files.findVariantFaults();
      return wrongIf(unrecorded.length + lost.length, '处和文件不一致');
    },
    mend: ({ services }) => services.files.mendVariants(),
  },
  {
    name: '图片空间',
    async look({ services }) {
      const { bytes, limit, isNearLimit } = await services.files.room.measure();
      if (limit === null || !isNearLimit) return FINE;
      const text = `已用 ${Math.round(bytes / MIB)} MB，上限 ${Math.round(limit / MIB)} MB（UPLOADS_LIMIT_MB）`;
      return bytes >= limit ? wrong(`${text}：不能再上传图片`) : doubtful(text);
    },
  },
  { name: '时钟', look: lookAtClock },
  { name: '磁盘空间', look: ({ config }) => lookAtDisk(config) },
  {
    name: '设置',
    async look({ config, services }) {
      const { search, backup, sso } = await services.operatorSettings.held();
      const operator = { search: search.value, backup: backup.value, sso: sso.value };
      const found = contradictionsIn({ ...config, operator });
      return found.length > 0 ? doubtful(found.join('；')) : FINE;
    },
  },
  {
    name: '定时发布',
    async look({ db, services: { overdue } }) {
      const late = await overdue.describeSchedules(MAX_SHOWN_ITEMS);
      if (late !== '') return wrong(late);
      const refused = await state.countRefusedSchedules(db.read);
      return refused > 0 ? doubtful(`${refused} 篇到时间没能发布，作者在草稿里看得到原因`) : FINE;
    },
  },
  {
    name: '通知',
    async look({ db, services: { overdue } }) {
      const late = await overdue.describeDeliveries();
      if (late !== '') return wrong(late);
      const dead = await state.countDeadLetters(db.read);
      return dead > 0 ? doubtful(`${dead} 条没能送达，已经放弃：见后台的「通知」`) : FINE;
    },
  },
  { name: '只读副本', look: lookAtReplica },
  { name: '备份', look: lookAtBackups },
  { name: '备份的去处', look: lookAtDestination },
  {
    name: '运营者',
    look: async ({ db }) =>
      (await countOperators(db.read)) > 0
        ? FINE
        : doubtful('还没有，用 moye user role <用户名> operator 任命'),
  },
];

/**
 * Checks a site while its server runs, one check after another.
 * @param mends whether to run the repairs
 */
export async function* examine(app: App, { mends }: { mends: boolean }): AsyncGenerator<Finding> {
  for (const { name: check, look, mend } of CHECKS) {
    try {
      const found = await inSnapshot(app, look);
      if (found.verdict !== 'wrong' || !mend || !mends) {
        yield { check, ...found };
        continue;
      }
      await mend(app);
      const after = await inSnapshot(app, look);
      yield { check, ...(after.verdict === 'fine' ? { verdict: 'mended', text: found.text } : after) };
    } catch (error) {
      const { message, cause } = error as Error;
      yield { check, ...wrong(`查不了：${cause instanceof Error ? cause.message : message}`) };
    }
  }
}

async function lookAtReplica({ db: { replica } }: App): Promise<Found> {
  if (!replica) return FINE;
  const lag = await replica.lag();
  if (!lag) return doubtful('连不上，或不是主库的备用库：读者的页面也由主库回答');
  const seconds = Math.round(lag.seconds ?? Infinity);
  return seconds > MAX_REPLICA_LAG_S ? doubtful(`落后 ${seconds} 秒：读者的页面也由主库回答`) : FINE;
}

/** Runs a check on one state of the database; on PostgreSQL without the time limits of requests. */
async function inSnapshot(app: App, look: Check['look']): Promise<Found> {
  if (app.config.databaseUrl === null) return look(app);
  await using snapshot = await openSnapshot(placeIn(app.config));
  return await look({ ...app, db: { ...app.db, read: snapshot.db } });
}

async function lookAtClock({ config, db }: App): Promise<Found> {
  const before = Date.now();
  const database = await db.time();
  const clocks: [string, number][] = [['数据库', database - (before + Date.now()) / 2]];
  const written = await fileTime(config).catch(() => null);
  if (written !== null) clocks.push(['磁盘', written - Date.now()]);
  const off = clocks.filter(([, by]) => Math.abs(by) > MAX_CLOCK_OFFSET_MS);
  const text = off
    .map(([name, by]) => `${name}的钟和本机差 ${Math.round(Math.abs(by) / 1000)} 秒`)
    .join('；');
  if (off.length > 0)
    return off.some(([, by]) => Math.abs(by) > WRONG_CLOCK_MS) ? wrong(text) : doubtful(text);
  const future = await state.countFuture(db.read, Date.now() + WRONG_CLOCK_MS);
  return future > 0 ? doubtful(`${future} 篇文章的修改时间在将来：时钟快过`) : FINE;
}

async function lookAtDisk({ dataDir, uploads, diskReserveBytes }: Config): Promise<Found> {
  let least = Infinity;
  for (const folder of [dataDir, ...('folder' in uploads ? [uploads.folder] : [])]) {
    const found = await measureDisk(folder);
    if (found) least = Math.min(least, found.free);
    if (await isInReserve(folder, diskReserveBytes))
      return wrong(`${folder} 所在的磁盘只剩 DISK_RESERVE_MB 那一份，图片、导出和备份已停止写入`);
  }
  if (least >= LOW_BYTES) return FINE;
  const text = `只剩 ${Math.floor(least / MIB)} MB`;
  return least < NO_BYTES ? wrong(text) : doubtful(text);
}

async function lookAtBackups({ services }: App): Promise<Found> {
  const { time, error } = await services.backups.last();
  if (error !== '') return wrong(`上一次备份失败：${error}`);
  const everyMs = (await services.backups.schedule())?.everyMs;
  if (time === null) return doubtful('从来没有备份过，见 moye backup 和 BACKUP_EVERY');
  const days = Math.floor((Date.now() - time) / DAY_MS);
  if (everyMs !== undefined && Date.now() - time > 2 * everyMs)
    return wrong(`最近一次在 ${days} 天前，比 BACKUP_EVERY 久得多：服务没有在运行，或备份一直失败`);
  return days > 7 ? doubtful(`最近一次在 ${days} 天前`) : FINE;
}

async function lookAtDestination({ services }: App): Promise<Found> {
  const backup = (await services.operatorSettings.held()).backup.value;
  const found = backup && (await tryDestination(backup.to));
  if (!found) return FINE;
  const reason = explain(found.error);
  return found.isWritable
    ? doubtful(`写得进，旧的备份却删不了，BACKUP_KEEP 不起作用：${reason}`)
    : wrong(`BACKUP_TO 写不进：${reason}`);
}

/** Returns the modification time of a new file on the site's disk, in milliseconds since the epoch. */
async function fileTime({ uploads, dataDir }: Config): Promise<number> {
  const folder = 'folder' in uploads && existsSync(uploads.folder) ? uploads.folder : dataDir;
  // If the process dies before removing the file, a cleanup job removes it from the uploads.
  const path = join(folder, `.${randomBytes(16).toString('hex')}.part`);
  try {
    await writeFile(path, '', { mode: 0o600, flag: 'wx' });
    return (await stat(path)).mtimeMs;
  } finally {
    await rm(path, { force: true });
  }
}
