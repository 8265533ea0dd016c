import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { twoColours } from '../unit/files/pictures.ts';
import { COMMAND_ENVIRONMENT } from './backup-stage.ts';
import { runMoye } from './import-command.ts';
import { openS3Storage, type S3Storage } from './s3-storage.ts';
import { openSettingsStage, type SettingsStage } from './settings-forms.ts';

let stage: SettingsStage;
let storage: S3Storage;
beforeEach(async () => {
  stage = await openSettingsStage();
  storage = await openS3Storage();
});
afterEach(async () => {
  await stage?.close();
  await storage.close();
});

const moye = (words: string[], environment: Record<string, string> = {}) => {
  const { dataDir, databaseUrl, tokenSecret } = stage.app.config;
  const settings = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', TOKEN_SECRET: tokenSecret };
  return runMoye({ settings }, words, {
    environment: { ...COMMAND_ENVIRONMENT, ...settings, ...environment },
  });
};

test('backups of the command line use bucket, passphrase and pictures of the console', async () => {
  const { endpoint, region, accessKeyId, secretAccessKey } = storage.place;
  const owner = { id: stage.operator.viewer.id };
  const upload = async (width: number) =>
    stage.app.services.files.saveImage(owner, await twoColours(width, 20).png().toBuffer());
  await upload(20);
  await stage.change('uploads', storage.settings);
  await upload(24);
  const address = 's3://moye-test/backups/a.tar.zst';
  expect(await moye(['backup', address])).toMatchObject({
    code: 1,
    errors: expect.stringContaining('BACKUP_S3_ACCESS_KEY_ID'),
  });
  await stage.change('backup', {
    BACKUP_EVERY: '1d',
    BACKUP_TO: 's3://moye-test/backups',
    BACKUP_S3_ENDPOINT: endpoint ?? '',
    BACKUP_S3_REGION: region,
    BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    BACKUP_PASSPHRASE: '行到水穷处，坐看云起时。偶然值林叟',
  });
  const made = await moye(['backup', address]);
  expect(made).toMatchObject({ code: 0, errors: '' });
  expect(made.output).toMatch(/2 张图片.*\n密钥已用口令加密放进备份/);
  expect(storage.keys()).toContain('backups/a.tar.zst');
  const copy = join(stage.app.config.dataDir, '..', 'copy.sqlite');
  expect(await moye(['restore', address, '--to', `sqlite:${copy}`])).toMatchObject({
    code: 0,
    output: expect.stringContaining('密钥本来就一致'),
  });
  expect(existsSync(copy)).toBe(true);
  // The environment wins.
  const wrong = { BACKUP_S3_SECRET_ACCESS_KEY: 'another' };
  expect(await moye(['backup', address.replace('a.tar', 'b.tar')], wrong)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('这把密钥没有权限'),
  });
});
