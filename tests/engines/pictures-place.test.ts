import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { App } from '../../src/lib/server/app.ts';
import { eventually } from '../eventually.ts';
import { twoColours } from '../unit/files/pictures.ts';
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

const change = (texts: Record<string, string>, app?: App) => stage.change('uploads', texts, app && { app });
/** A new picture, stored by a process; returns its name. */
const upload = async (app: App, width: number) => {
  const owner = { id: stage.operator.viewer.id };
  return (await app.services.files.saveImage(owner, await twoColours(width, 20).png().toBuffer())).name;
};
const keyOf = (name: string) => `${storage.place.prefix}${name}`;
const sizeIn = async (app: App, name: string) => (await app.services.files.find(name)).size;

test('a bucket is used at once on every node, and the pictures of the folder stay visible', async () => {
  const other = await stage.open();
  await Promise.all([stage.app.startListening(), other.startListening()]);
  const old = await upload(stage.app, 20);
  expect(existsSync(join(stage.app.config.dataDir, 'uploads', old))).toBe(true);
  const told = await change(storage.settings);
  expect(told).toMatchObject({
    texts: { S3_BUCKET: 'moye-test', S3_ENDPOINT: storage.place.endpoint },
    secrets: ['S3_SECRET_ACCESS_KEY'],
  });
  const stored = [await stage.rows('select * from operator_settings'), await stage.audited()];
  expect(JSON.stringify(stored)).not.toContain(storage.place.secretAccessKey);
  const added = await upload(other, 24);
  expect(storage.keys()).toContain(keyOf(added));
  expect(readdirSync(join(stage.app.config.dataDir, 'uploads'))).not.toContain(added);
  for (const app of [stage.app, other])
    for (const name of [old, added]) expect(await sizeIn(app, name)).toBeGreaterThan(0);
  await other.close();
});

test('backups have the pictures of the bucket and of the folder', async () => {
  const names = [await upload(stage.app, 20)];
  await change(storage.settings);
  names.push(await upload(stage.app, 24));
  const { backups, backupConsole } = stage.app.services;
  await stage.change('backup', {
    BACKUP_EVERY: '1d',
    BACKUP_TO: join(stage.app.config.dataDir, '..', 'backups'),
  });
  await backups.begin();
  const { items } = await eventually(async () => {
    const state = await backupConsole.state();
    expect([state.is_running, state.items.length, state.problem]).toEqual([false, 1, '']);
    return state;
  });
  await backups.beginCheck(items[0]?.name ?? '');
  await eventually(async () =>
    expect((await backupConsole.state()).check).toMatchObject({
      is_sound: true,
      text: expect.stringContaining(`、${names.length} 个图片文件`),
    }),
  );
});

test('a bucket is left only once its pictures are at the new place', async () => {
  await change(storage.settings);
  const name = await upload(stage.app, 20);
  await expect(change({ S3_BUCKET: '' })).rejects.toMatchObject({
    code: 'FIELD_INVALID',
    field: 'S3_BUCKET',
    message: expect.stringMatching(new RegExp(`已有的图片（如 ${name}）不在那里.*rclone`)),
  });
  await expect(change({ S3_PREFIX: 'elsewhere' })).rejects.toMatchObject({ field: 'S3_BUCKET' });
  expect(await sizeIn(stage.app, name)).toBeGreaterThan(0);
  storage.put(`elsewhere/${name}`, storage.get(keyOf(name)), new Date());
  await change({ S3_PREFIX: 'elsewhere' });
  storage.remove(keyOf(name));
  expect(await sizeIn(stage.app, name)).toBeGreaterThan(0);
});

test('a bucket that cannot be used is refused in Chinese, and nothing changes', async () => {
  const refusedWith = (texts: Record<string, string>, text: string) =>
    expect(change({ ...storage.settings, ...texts }), text).rejects.toMatchObject({
      code: 'FIELD_INVALID',
      field: 'S3_BUCKET',
      message: expect.stringContaining(text),
    });
  await refusedWith({ S3_SECRET_ACCESS_KEY: 'another' }, '这把密钥没有权限');
  await refusedWith({ S3_BUCKET: 'nobody' }, '没有这个存储桶');
  for (const [mood, text] of [
    ['elsewhere', '区域不对'],
    ['stuffed', '存储已满'],
    ['writeonly', '这把密钥没有权限'],
    ['undeletable', '这把密钥没有权限'],
    ['proxied', '回答不是 S3 的'],
  ] as const) {
    storage.be(mood);
    await refusedWith({}, text);
  }
  storage.be('well');
  for (const [texts, field] of [
    [{ S3_SECRET_ACCESS_KEY: '' }, 'S3_SECRET_ACCESS_KEY'],
    [{ S3_BUCKET: 'A_B' }, 'S3_BUCKET'],
    [{ S3_PREFIX: '../x' }, 'S3_PREFIX'],
    [{ S3_ENDPOINT: 'https://s3.example.com/path' }, 'S3_ENDPOINT'],
  ] as const)
    await expect(change({ ...storage.settings, ...texts }), field).rejects.toMatchObject({ field });
  expect(await stage.rows('select * from operator_settings')).toEqual([]);
  const name = await upload(stage.app, 20);
  expect(existsSync(join(stage.app.config.dataDir, 'uploads', name))).toBe(true);
});

test('a folder or bucket of the environment is fixed', async () => {
  await change(storage.settings);
  await stage.close();
  const folder = join(stage.app.config.dataDir, '..', 'pictures');
  stage = await openSettingsStage({ UPLOADS_DIR: folder });
  const { fixed, is_broken } = await stage.settings('uploads');
  expect(fixed).toMatchObject({ S3_BUCKET: 'UPLOADS_DIR', S3_PREFIX: 'UPLOADS_DIR' });
  expect(is_broken).toBe(false);
  await expect(change(storage.settings)).rejects.toMatchObject({ code: 'FIELD_FIXED' });
  const name = await upload(stage.app, 20);
  expect(existsSync(join(folder, name))).toBe(true);
  await stage.close();
  stage = await openSettingsStage(storage.settings);
  expect((await stage.settings('uploads')).fixed).toMatchObject({ S3_BUCKET: 'S3_BUCKET' });
});
