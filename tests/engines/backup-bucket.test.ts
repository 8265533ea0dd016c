import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MIB } from '../../src/lib/contract/rules/units.ts';
import { examine } from '../../src/lib/server/operations/doctor.ts';
import {
  COMMAND_ENVIRONMENT,
  digestsOf,
  openBackupStage,
  type BackupStage,
  type Home,
} from './backup-stage.ts';
import { runMoye } from './import-command.ts';
import { openSite } from './move-stage.ts';
import { openS3Storage, type S3Storage } from './s3-storage.ts';

let stage: BackupStage;
let bucket: S3Storage;
beforeEach(async () => {
  stage = await openBackupStage();
  bucket = await openS3Storage('backups/');
});
afterEach(async () => {
  await stage.close();
  await bucket.close();
});

const ADDRESS = 's3://moye-test/backups/a.tar.zst';

const access = (): Record<string, string> => ({
  BACKUP_S3_ENDPOINT: bucket.place.endpoint ?? '',
  BACKUP_S3_REGION: bucket.place.region,
  BACKUP_S3_ACCESS_KEY_ID: bucket.place.accessKeyId,
  BACKUP_S3_SECRET_ACCESS_KEY: bucket.place.secretAccessKey,
});

const moye = (at: Home, words: string[], environment: NodeJS.ProcessEnv = access()) =>
  runMoye(at.storage, words, { environment: { ...COMMAND_ENVIRONMENT, ...environment } });

/** A site with a picture that needs three parts of an upload. */
async function largeSite() {
  const site = await stage.site();
  const uploads = join(site.dataDir, 'uploads');
  const [picture = ''] = readdirSync(uploads);
  writeFileSync(join(uploads, picture), randomBytes(40 * MIB));
  return site;
}

describe('moye backup and moye restore with a bucket', () => {
  test('stream an archive in parts, and back into an empty site', async () => {
    const site = await largeSite();
    const backup = await moye(site, ['backup', ADDRESS]);
    expect(backup).toMatchObject({ code: 0, errors: '' });
    expect(backup.output).toContain('已备份：');
    expect(bucket.keys()).toEqual(['backups/a.tar.zst']);
    expect(bucket.unfinished()).toBe(0);
    expect(existsSync('s3:')).toBe(false);
    const there = await stage.home('there');
    expect(await moye(there, ['restore', ADDRESS])).toMatchObject({ code: 0, errors: '' });
    expect(await digestsOf(there.address)).toEqual(await digestsOf(site.address));
    expect(readdirSync(join(there.dataDir, 'uploads')).sort()).toEqual(
      readdirSync(join(site.dataDir, 'uploads')).sort(),
    );
  });

  test('overwrite nothing', async () => {
    const site = await stage.site();
    bucket.put('backups/a.tar.zst', Buffer.from('mine'), new Date());
    bucket.put('backups/a.tar.zst.old', Buffer.from('older'), new Date());
    const { code, errors } = await moye(site, ['backup', ADDRESS]);
    expect([code, errors]).toEqual([1, `moye：${ADDRESS} 已经存在，不会覆盖：请换一个文件名\n`]);
    bucket.remove('backups/a.tar.zst');
    expect(await moye(site, ['backup', ADDRESS])).toMatchObject({ code: 0, errors: '' });
  });

  test('need the access to buckets, and the name of a file in one', async () => {
    const site = await stage.site();
    const cases: [words: string[], environment: NodeJS.ProcessEnv, said: string][] = [
      [['backup', ADDRESS], {}, 'BACKUP_S3_ACCESS_KEY_ID'],
      [['restore', ADDRESS], {}, 'BACKUP_S3_ACCESS_KEY_ID'],
      [['backup', 's3://moye-test'], access(), 's3://桶/目录/文件名'],
      [['backup', 's3://moye-test/backups/'], access(), 's3://桶/目录/文件名'],
      [['backup', 's3:/moye-test/a'], access(), 's3://桶/目录/文件名'],
      [['backup', 'https://moye-test/a'], access(), 's3://桶/目录/文件名'],
      [['restore', 'oss://moye-test/a'], access(), 's3://桶/目录/文件名'],
      [['export', 'site', 's3://moye-test/a.zip'], access(), '导出只能写到本机'],
    ];
    for (const [words, environment, said] of cases) {
      const { code, output, errors } = await moye(site, words, environment);
      expect([code, output], words.join(' ')).toEqual([1, '']);
      expect(errors, words.join(' ')).toContain(said);
    }
    expect(existsSync('s3:') || existsSync('oss:') || existsSync('https:')).toBe(false);
    expect(bucket.keys()).toEqual([]);
  });
});

describe("a backup reports the bucket's own reason, and leaves nothing", () => {
  const refusals: [mood: Parameters<S3Storage['be']>[0], said: string, advice: string][] = [
    ['bucketless', 'NoSuchBucket', '没有这个存储桶'],
    ['locked', 'AccessDenied', '这把密钥没有权限'],
    ['readonly', 'AccessDenied', '这把密钥没有权限'],
    ['full', 'XMinioStorageFull', '存储已满'],
    ['slowing', 'SlowDown', '存储太忙'],
    ['proxied', '不是 S3 的（HTTP 502）', '请检查地址'],
  ];
  test.each(refusals)('when it is %s: %s', async (mood, said, advice) => {
    const site = await largeSite();
    bucket.be(mood);
    const { code, output, errors } = await moye(site, ['backup', ADDRESS]);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/^moye：存储桶 moye-test [^\n]+\n$/);
    expect(errors).toContain(said);
    expect(errors).toContain(advice);
    bucket.be('well');
    expect(bucket.keys()).toEqual([]);
    expect(bucket.unfinished()).toBe(0);
    expect(readdirSync(site.dataDir).filter((name) => name.includes('snapshot'))).toEqual([]);
  });

  test('when it cannot be reached', async () => {
    const site = await stage.site();
    await bucket.close();
    const { code, errors } = await moye(site, ['backup', ADDRESS]);
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^moye：存储桶 moye-test 连不上或中途断开（[^\n]*ECONNREFUSED[^\n]*）：请检查地址和网络\n$/,
    );
    bucket = await openS3Storage('backups/');
  });

  test('also when the backup is cancelled in the middle', async () => {
    const site = await largeSite();
    const interrupt = new AbortController();
    const to = { s3: bucket.place };
    const onProgress = ({ step, done }: { step: string; done: number }) => {
      if (step === 'files' && done > 0) interrupt.abort();
    };
    const job = { site: site.places, secret: null, to, name: 'a.tar.zst' };
    const { backUp } = await import('../../src/lib/server/operations/backup.ts');
    await expect(backUp(job, { signal: interrupt.signal, onProgress })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(bucket.keys()).toEqual([]);
    expect(bucket.unfinished()).toBe(0);
  });

  test('a key that may only write is enough', async () => {
    const site = await stage.site();
    bucket.be('writeonly');
    expect(await moye(site, ['backup', ADDRESS])).toMatchObject({ code: 0, errors: '' });
    expect(bucket.keys()).toEqual(['backups/a.tar.zst']);
  });
});

describe('a restore from a bucket changes nothing', () => {
  test('when the archive is cut, missing, empty or not to be read', async () => {
    const site = await stage.site();
    await moye(site, ['backup', ADDRESS]);
    const whole = bucket.get('backups/a.tar.zst');
    const there = await stage.home('there', { isSqlite: true });
    const cut = (length: number) => () =>
      bucket.put('backups/a.tar.zst', whole.subarray(0, length), new Date());
    const cases: [damage: () => void, said: RegExp][] = [
      [cut(Math.floor(whole.length / 2)), /^moye：备份文件(?:不完整|已损坏)：[^\n]+\n$/],
      [cut(whole.length - 40), /^moye：备份文件(?:不完整|已损坏)：[^\n]+\n$/],
      [cut(0), /^moye：(?:备份文件不完整：[^\n]+|不是墨页的备份文件)\n$/],
      [() => bucket.remove('backups/a.tar.zst'), /^moye：存储桶 moye-test 拒绝了：NoSuchKey。桶里没有/],
      [() => bucket.be('bucketless'), /NoSuchBucket。没有这个存储桶/],
      [() => bucket.be('writeonly'), /AccessDenied。这把密钥没有权限/],
      [() => bucket.be('proxied'), /不是 S3 的（HTTP 502）/],
    ];
    for (const [index, [damage, said]] of cases.entries()) {
      damage();
      const { code, output, errors } = await moye(there, ['restore', ADDRESS]);
      expect([code, output], `case ${index}`).toEqual([1, '']);
      expect(errors, `case ${index}`).toMatch(said);
    }
    expect(existsSync(there.dataDir)).toBe(false);
    bucket.be('well');
    bucket.put('backups/a.tar.zst', whole, new Date());
    expect(await moye(there, ['restore', ADDRESS])).toMatchObject({ code: 0, errors: '' });
  });

  test('when responses break off; later ones are asked for again', async () => {
    const site = await stage.site();
    await moye(site, ['backup', ADDRESS]);
    const there = await stage.home('there', { isSqlite: true });
    bucket.be('broken');
    const { code, errors } = await moye(there, ['restore', ADDRESS]);
    expect(code).toBe(1);
    expect(errors).toMatch(/^moye：存储桶 moye-test 连不上或中途断开（[^\n]+）：请检查地址和网络\n$/);
    expect(existsSync(there.dataDir)).toBe(false);
  });
});

describe('moye doctor', () => {
  const look = async (settings: Record<string, string>) => {
    const site = await stage.home('site');
    const app = await openSite(site.dataDir, { ...site.storage.settings, ...settings });
    try {
      const findings = await Array.fromAsync(examine(app, { mends: false }));
      return findings.find(({ check }) => check === '备份的去处');
    } finally {
      await app.close();
    }
  };
  const toBucket = () => ({ BACKUP_EVERY: '1d', BACKUP_TO: 's3://moye-test/backups', ...access() });

  test('writes to the bucket of the backups, and leaves no file there', async () => {
    expect(await look(toBucket())).toMatchObject({ verdict: 'fine' });
    expect(bucket.calls).toContain('PUT');
    expect(bucket.keys()).toEqual([]);
  });

  test.each([
    ['bucketless', 'wrong', 'BACKUP_TO 写不进：存储桶 moye-test 拒绝了：NoSuchBucket'],
    ['readonly', 'wrong', 'BACKUP_TO 写不进：存储桶 moye-test 拒绝了：AccessDenied'],
    ['undeletable', 'doubtful', '写得进，旧的备份却删不了，BACKUP_KEEP 不起作用：存储桶 moye-test 拒绝了'],
  ] as const)('reports a bucket that is %s', async (mood, verdict, text) => {
    bucket.be(mood);
    expect(await look(toBucket())).toMatchObject({ verdict, text: expect.stringContaining(text) as string });
  });

  test('reports a folder that cannot be written', async () => {
    const file = join(stage.folder, 'a-file');
    writeFileSync(file, '');
    expect(await look({ BACKUP_EVERY: '1d', BACKUP_TO: join(file, 'backups') })).toMatchObject({
      verdict: 'wrong',
      text: expect.stringMatching(/^BACKUP_TO 写不进：不能新建文件夹 \S+a-file：不是文件夹$/) as string,
    });
  });
});
