import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createAlarms, type Checks, checksOf } from '../../src/lib/server/wiring/open-alarms.ts';
import { DAY_MS, HOUR_MS, MIB, MINUTE_MS } from '../../src/lib/contract/rules/units.ts';
import { TOKEN_SECRET } from '../engine.ts';
import { ORIGIN, setNoticeStage } from './notice-stage.ts';

const stage = setNoticeStage();
const quiet = async () => null;
const none: Checks = { storage: quiet, disk: quiet, backup: quiet, webhook: quiet, schedule: quiet };
const log = { warn: () => {} };

const alarmsOf = (
  checks: Partial<Checks>,
  place = 'node-a',
  { db, notices }: Pick<Parameters<typeof createAlarms>[0], 'db' | 'notices'> = {
    db: stage.app.db,
    notices: stage.notices,
  },
) =>
  createAlarms({
    db,
    notices,
    checks: { ...none, ...checks },
    place,
    log,
    now: stage.now,
  });
const addHook = (kinds: 'alarm'[] | 'report'[] = ['alarm'], name = '值班') =>
  stage.app.db.write((trx) =>
    stage.notices.webhooks.save(trx, null, {
      name,
      format: 'json',
      kinds,
      isOn: true,
      url: stage.site.urlOf('hooks.example.com', `/${name}`),
      secret: 'a secret of both sides',
    }),
  );
const full = async () => ({ title: '磁盘快满了', text: '只剩 3 MB' });

describe('an alarm', () => {
  test('reaches operators by mail and subscribed webhooks, once a day while it lasts', async () => {
    await addHook();
    await addHook(['report'], '别的');
    await stage.app.services.roles.set('王维', 'operator', null);
    await stage.app.services.roles.set('裴迪', 'editor', null);
    const alarms = alarmsOf({ disk: full });
    await alarms.look();
    await alarms.look();
    // Another process on the same machine, and one on another.
    await alarmsOf({ disk: full }).look();
    expect([await stage.sendHooks(), await stage.sendMail()]).toEqual([1, 1]);
    expect(JSON.parse(stage.bodies[0] ?? '')).toMatchObject({
      event: 'alarm',
      title: '磁盘快满了',
      text: '只剩 3 MB',
      url: 'https://blog.example.com/admin',
    });
    expect(stage.site.asked.map(({ url }) => url)).toEqual([encodeURI('/值班')]);
    await alarmsOf({ disk: full }, 'node-b').look();
    stage.pass(DAY_MS);
    await alarms.look();
    expect(await stage.sendHooks()).toBe(2);
  });

  test('that two nodes raise at the same time is sent once', async () => {
    await addHook();
    await stage.app.services.roles.set('王维', 'operator', null);
    const settings = { ...stage.storage.settings, TOKEN_SECRET, SITE_URL: ORIGIN, LOG_LEVEL: 'silent' };
    const other = await createApp(readConfig(settings), stage.now);
    const { db, services } = other;
    const nodes = [alarmsOf({ backup: full }), alarmsOf({ backup: full }, 'node-b', { db, ...services })];
    await Promise.all(nodes.map((node) => node.look()));
    await other.close();
    expect([await stage.sendHooks(), await stage.sendMail()]).toEqual([1, 1]);
  });

  test('is not sent while nothing is wrong, nor by mail to an operator who wants none', async () => {
    await stage.app.services.roles.set('王维', 'operator', null);
    await stage.notices.saveSettings(stage.author.id, { mode: 'off', kinds: [] });
    await alarmsOf({}).look();
    await alarmsOf({ backup: full }).look();
    expect([await stage.sendHooks(), await stage.sendMail()]).toEqual([0, 0]);
  });

  test('of unwritable storage is sent without writing, and again if no one took it', async () => {
    await addHook();
    stage.addresses.clear();
    stage.answer = { status: 500, text: '' };
    const alarms = createAlarms({
      db: { write: () => Promise.reject(new Error('read-only')) },
      notices: stage.notices,
      checks: { ...none, storage: full, backup: full },
      place: 'node-a',
      log,
      now: stage.now,
    });
    await alarms.look();
    stage.answer = { status: 200, text: '' };
    await alarms.look();
    await alarms.look();
    expect(stage.bodies.map((body) => (JSON.parse(body) as { title: string }).title)).toEqual([
      '磁盘快满了',
      '磁盘快满了',
    ]);
    expect(await stage.count('waiting')).toBe(0);
  });
});

describe('alarms are raised for', () => {
  const zone = { siteTimeZone: 'Asia/Shanghai' };
  const look = (parts: Partial<Parameters<typeof checksOf>[0]> = {}) =>
    checksOf({
      config: { ...zone, diskReserveBytes: 256 * MIB },
      db: stage.app.db,
      writeFault: async () => null,
      folders: ['/data'],
      services: { ...stage.app.services, notices: stage.notices },
      measure: async () => ({ free: 100_000 * MIB, total: 1_000_000 * MIB }),
      log: stage.app.log,
      now: stage.now,
      ...parts,
    });
  const schedule = async () => ({ everyMs: HOUR_MS, place: '/backups' });

  test('nothing on a site that works', async () => {
    const checks = look({ config: { ...zone, diskReserveBytes: 256 * MIB } });
    expect(await Promise.all(Object.values(checks).map((check) => check()))).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  test('a disk that nears the reserve', async () => {
    const found = await look({ measure: async () => ({ free: 300 * MIB, total: 1_000_000 * MIB }) }).disk();
    expect(found?.text).toMatch(/\/data 只剩 300 MB。低于 256 MB/);
    const measure = async () => ({ free: 300 * MIB, total: 1_000_000 * MIB });
    expect(await look({ measure, config: { ...zone, diskReserveBytes: 0 } }).disk()).toBeNull();
    expect(await look({ measure: async () => null }).disk()).toBeNull();
  });

  test('a failed or overdue backup', async () => {
    const config = { ...zone, diskReserveBytes: 0 };
    const backupOf = (time: number | null, error: string) =>
      look({
        config,
        services: {
          ...stage.app.services,
          notices: stage.notices,
          backups: { ...stage.app.services.backups, schedule, last: async () => ({ time, bytes: 1, error }) },
        },
      }).backup();
    expect(await backupOf(stage.now(), 'no space')).toEqual({ title: '备份失败了', text: 'no space' });
    expect(await backupOf(Date.UTC(2026, 0, 31, 16, 5), '')).toEqual({
      title: '备份过期了',
      text: '最近一次备份是 2026-02-01 00:05',
    });
    expect(await backupOf(stage.now() - HOUR_MS, '')).toBeNull();
  });

  test('storage that cannot be written', async () => {
    expect((await look({ writeFault: async () => 'full' }).storage())?.title).toBe('磁盘满了');
    expect((await look({ writeFault: async () => 'unwritable' }).storage())?.title).toBe('数据不能写入');
  });

  test('a webhook that fails again, not at the first failure', async () => {
    const { id } = await addHook(['report']);
    stage.answer = { status: 502, text: '' };
    await stage.notify({ kind: 'report', title: '有人举报', text: '', path: '/admin/reports' });
    await stage.sendHooks();
    expect(await look().webhook()).toBeNull();
    stage.pass(2 * MINUTE_MS);
    await stage.sendHooks();
    expect(await look().webhook()).toMatchObject({ title: '通知地址送不到', except: [id] });
    expect((await look().webhook())?.text).toMatch(/^值班（http:.+）：对方回答 502/);
  });

  test('an overdue schedule', async () => {
    const overdue = {
      ...stage.app.services.overdue,
      describeSchedules: async () => '1 篇过了时间还没有发布',
    };
    const services = { ...stage.app.services, notices: stage.notices, overdue };
    expect(await look({ services }).schedule()).toMatchObject({ text: '1 篇过了时间还没有发布' });
  });
});
