import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readArchivePlace, readPlaces } from '../../server/config/config.ts';
import type { ArchivePlace } from '../../server/config/backup-settings.ts';
import type { BackupReport } from '../../server/operations/backup.ts';
import type { RestoreProgress, RestoreReport } from '../../server/operations/restore.ts';
import { UsageError } from '../../server/operations/explain.ts';
import type { SiteWithConsole } from '../../server/operations/site-places.ts';
import { withProgress } from '../progress.ts';
import { requireSite } from '../session.ts';

interface Options {
  passphraseFile?: string;
  to?: string;
}

const STEPS: Record<RestoreProgress['step'], string> = {
  check: '检查',
  rows: '数据',
  files: '图片',
  index: '搜索索引',
};
const MAX_SHOWN_MISSING = 20;
const MIN_PASSPHRASE_CHARACTERS = 12;

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('把整个站点备份成一个文件：数据库、上传的图片、密钥；服务可以照常运行')
    .argument('<file>', '备份文件，如 moye.tar.zst 或 s3://桶/目录/moye.tar.zst，不会覆盖已有的')
    .option(
      '--passphrase-file <file>',
      '口令所在的文件，密钥用它加密；没有口令（或 BACKUP_PASSPHRASE）就不放密钥',
    )
    .action(backUpTo);
  program
    .command('restore')
    .description('把备份恢复到空的数据库（两种都可以），图片恢复到设置的地方；中断后可以继续')
    .argument('<file>', '备份文件，或 s3://桶/目录/文件名')
    .option('--to <address>', '目标，如 sqlite:data/moye.sqlite，默认是设置里的数据库')
    .option(
      '--passphrase-file <file>',
      '备份时的口令所在的文件；没有口令（或 BACKUP_PASSPHRASE）就不恢复密钥',
    )
    .action(restoreFrom);
}

async function backUpTo(file: string, options: Options): Promise<void> {
  await requireSite(readPlaces());
  const site = await siteOf(options);
  const { place, name } = archiveAt(file, site);
  const { backUp, noteBackup } = await import('../../server/operations/backup.ts');
  const secret =
    site.secret !== null && site.passphrase !== null
      ? { value: site.secret, passphrase: site.passphrase }
      : null;
  const job = { site, secret, to: place, name };
  const report = await withProgress('已停下，没有留下文件', (signal, show) =>
    backUp(job, {
      signal,
      onProgress: ({ step, done, total }) => show(step === 'tables' ? '数据' : '图片', done, total),
    }),
  );
  if (!report) return;
  await noteBackup(site, report);
  for (const line of describeBackup(report, secret !== null)) console.log(line);
}

async function restoreFrom(file: string, options: Options): Promise<void> {
  const site = await siteOf(options);
  const from = archiveAt(file, site);
  const { restoreBackup } = await import('../../server/operations/restore.ts');
  const { placeIn, placeOf } = await import('../../server/operations/databases.ts');
  const to = options.to === undefined ? placeIn(site) : placeOf(options.to);
  const report = await withProgress('已停下，目标还不完整：再次运行同样的命令会接着恢复', (signal, show) =>
    restoreBackup({
      from,
      to,
      site,
      signal,
      onProgress: ({ step, done, total }) => show(STEPS[step], done, total),
    }),
  );
  if (report) for (const line of describeRestore(report)) console.log(line);
}

function archiveAt(address: string, { backup }: SiteWithConsole): ArchivePlace {
  const found = readArchivePlace(address, backup);
  if (found) return found;
  throw new UsageError('备份文件要写成路径，或存储桶里的一个文件：s3://桶/目录/文件名');
}

async function siteOf({ passphraseFile }: Options): Promise<SiteWithConsole> {
  const { readSite } = await import('../../server/operations/site-places.ts');
  const site = await readSite();
  if (passphraseFile === undefined) return site;
  const passphrase = readFileSync(passphraseFile, 'utf8').trim();
  if (passphrase.length < MIN_PASSPHRASE_CHARACTERS)
    throw new UsageError(`口令至少要有 ${MIN_PASSPHRASE_CHARACTERS} 个字符`);
  return { ...site, passphrase };
}

const rowsOf = ({ tables }: BackupReport['manifest']): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0);

function* describeBackup({ bytes, manifest }: BackupReport, hasSecret: boolean): Generator<string> {
  const size = (bytes / 1024 / 1024).toFixed(1);
  yield `已备份：${rowsOf(manifest)} 行，${manifest.files.length} 张图片，${size} MB，状态截至 ${manifest.time}`;
  const { missing } = manifest;
  if (missing.length > 0) {
    yield `有 ${missing.length} 张图片已经不在，没有放进备份：`;
    yield* missingPictures(missing);
  }
  yield hasSecret
    ? '密钥已用口令加密放进备份：口令请另存一处'
    : '密钥没有放进备份（没有给口令）：请另外保存 TOKEN_SECRET 或 DATA_DIR 里的 token-secret';
}

/** Lists the names of pictures whose files are missing, up to a maximum. */
export function* missingPictures(names: readonly string[]): Generator<string> {
  for (const name of names.slice(0, MAX_SHOWN_MISSING)) yield `  ${name}`;
  if (names.length > MAX_SHOWN_MISSING) yield `  …… 还有 ${names.length - MAX_SHOWN_MISSING} 张`;
}

const SECRETS: Record<RestoreReport['secret'], string> = {
  restored: '密钥已写入 DATA_DIR 里的 token-secret；设置了 DATABASE_URL 时，要把它的内容设为 TOKEN_SECRET',
  same: '密钥本来就一致',
  absent: '备份里没有密钥：请把原来的设为 TOKEN_SECRET，否则所有人要重新登录，两步验证要重新设置',
  locked: '没有给口令，密钥没有恢复：请把原来的设为 TOKEN_SECRET，否则所有人要重新登录，两步验证要重新设置',
};

function* describeRestore({ outcome, manifest, found, secret }: RestoreReport): Generator<string> {
  const rows = rowsOf(manifest);
  const files = `${manifest.files.length} 张图片`;
  if (outcome === 'same') yield `数据库里已经是这份备份：共 ${rows} 行，没有写入；${files}都在`;
  else if (found > 0) yield `已恢复：共 ${rows} 行，其中 ${found} 行上次已经恢复；${files}；逐表核对一致`;
  else yield `已恢复：共 ${rows} 行，${files}；逐表核对一致`;
  yield `状态截至 ${manifest.time}`;
  if (manifest.missing.length > 0) yield `有 ${manifest.missing.length} 张图片在备份时已经不在`;
  yield SECRETS[secret];
}
