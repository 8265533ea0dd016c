import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { account } from './accounts.ts';
import { DEFAULT_OPTIONS } from '../../src/lib/contract/site-options.ts';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { siteOf } from './import-stage.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';

const PASSWORD = '松风吹解带，山月照弹琴';
const FROM = { address: '192.0.2.7' };

let place: string;
let storage: TestStorage;
let app: App;
let later = 0;
beforeEach(async () => {
  later = 0;
  place = mkdtempSync(join(tmpdir(), 'moye-staff-'));
  storage = await createStorage(join(place, 'data'));
  app = await open();
});
afterEach(async () => {
  await app?.close();
  await storage?.remove();
  rmSync(place, { recursive: true, force: true });
});

/** Opens the product as another process would. */
const open = () => createApp(readConfig(siteOf(storage)), () => Date.now() + later);

const signUp = async (username: string, on = app) => {
  const { token } = await on.services.auth.signup(account(username, PASSWORD), FROM);
  const viewer = async () => (await on.services.auth.viewerOf(token)).viewer;
  return { token, viewer, id: (await viewer())?.id ?? '' };
};
const auditLog = () =>
  app.db.read.selectFrom('audit_log').selectAll().orderBy('create_time').orderBy('id').execute();

describe('roles', () => {
  test('are read per request: a change applies from the next one, in every process', async () => {
    const wei = await signUp('王维');
    const other = await open();
    expect((await wei.viewer())?.role).toBe('author');
    await other.services.roles.set('王维', 'editor', null);
    expect((await wei.viewer())?.role).toBe('editor');
    await app.services.roles.set(' 王维 ', 'operator', wei.id);
    expect((await other.services.auth.viewerOf(wei.token)).viewer?.role).toBe('operator');
    await other.close();
  });

  test('the last operator cannot be demoted', async () => {
    await signUp('王维');
    await signUp('裴迪');
    const { roles } = app.services;
    await roles.set('王维', 'operator', null);
    for (const role of ['editor', 'author'] as const)
      await expect(roles.set('王维', role, null)).rejects.toMatchObject({ code: 'LAST_OPERATOR' });
    await roles.set('王维', 'operator', null);
    await roles.set('裴迪', 'operator', null);
    await Promise.allSettled([roles.set('王维', 'author', null), roles.set('裴迪', 'author', null)]);
    expect(await roles.isWithoutOperator()).toBe(false);
    await expect(roles.set('无此人', 'editor', null)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
  });

  test('only actual changes are in the audit log', async () => {
    const wei = await signUp('王维');
    await app.services.roles.set('王维', 'operator', null);
    await app.services.roles.set('王维', 'operator', wei.id);
    await signUp('裴迪');
    await app.services.roles.set('裴迪', 'editor', wei.id);
    expect(
      (await auditLog()).map(({ actor_id, actor_name, action, subject_id, before, after }) => [
        actor_id,
        actor_name,
        action,
        subject_id === wei.id,
        before,
        after,
      ]),
    ).toEqual([
      [null, '', 'user.role', true, '{"username":"王维","role":"author"}', '{"role":"operator"}'],
      [wei.id, '王维', 'user.role', false, '{"username":"裴迪","role":"author"}', '{"role":"editor"}'],
    ]);
  });
});

describe('the audit log', () => {
  test('cannot be changed or emptied', async () => {
    await signUp('王维');
    await app.services.roles.set('王维', 'operator', null);
    const before = await auditLog();
    const changes = [sql`update audit_log set action = 'x'`, sql`delete from audit_log`];
    for (const change of changes)
      await expect(app.db.write((trx) => change.execute(trx))).rejects.toThrow('audit_log cannot be changed');
    expect(await auditLog()).toEqual(before);
  });

  test('has no entries of rolled back transactions', async () => {
    const { id } = await signUp('王维');
    const entry = { actorId: id, subject: { kind: 'user', id }, before: {}, after: {} };
    const failing = app.db.write(async (trx) => {
      await app.services.audit.write(trx, { ...entry, action: 'user.role' });
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await auditLog()).toEqual([]);
  });
});

describe('the link for the first operator', () => {
  const account = { username: '王维', password: PASSWORD };

  test('creates the operator account, once', async () => {
    const { roles, auth } = app.services;
    const [key, second] = [await roles.newLink(), await roles.newLink()];
    expect(
      JSON.stringify(await app.db.read.selectFrom('operator_links').selectAll().execute()),
    ).not.toContain(key);
    const { token } = await roles.setUp({ key, ...account }, FROM);
    expect((await auth.viewerOf(token)).viewer).toMatchObject({ username: '王维', role: 'operator' });
    for (const used of [key, second])
      await expect(roles.setUp({ ...account, key: used, username: '裴迪' }, FROM)).rejects.toMatchObject({
        code: 'SETUP_LINK_INVALID',
      });
    expect(await app.services.users.find('裴迪')).toBeNull();
    expect((await auditLog()).map(({ actor_name, action }) => [actor_name, action])).toEqual([
      ['王维', 'user.role'],
    ]);
  });

  test('sets name, introduction and sign-up of the site, with the operator as the actor', async () => {
    const { roles, site, options } = app.services;
    const key = await roles.newLink();
    const facts = { title: '山居记', description: '山中的事', signup: 'invitation' as const };
    await expect(roles.setUp({ key: `${key}x`, ...account, ...facts }, FROM)).rejects.toMatchObject({
      code: 'SETUP_LINK_INVALID',
    });
    expect((await site.read()).title).toBe('墨页');
    await roles.setUp({ key, ...account, ...facts }, FROM);
    expect(await site.read()).toMatchObject({ title: '山居记', description: '山中的事' });
    expect((await options.read()).signup).toBe('invitation');
    expect((await auditLog()).map(({ actor_name, action }) => [actor_name, action])).toEqual([
      ['王维', 'user.role'],
      ['王维', 'site.change'],
      ['王维', 'options.change'],
    ]);
  });

  test('makes the signed-in account the operator, once despite concurrent uses', async () => {
    const { roles } = app.services;
    const key = await roles.newLink();
    const people = await Promise.all(['王维', '裴迪', '孟浩然'].map((name) => signUp(name)));
    const viewers = await Promise.all(people.map(({ viewer }) => viewer()));
    const claims = await Promise.allSettled(
      viewers.map(async (viewer) => viewer && roles.claim(key, viewer)),
    );
    expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const operators = await app.db.read
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'operator')
      .execute();
    expect(operators).toHaveLength(1);
  });

  test('is invalid after a day, with another key, or once there is an operator', async () => {
    const { roles } = app.services;
    const key = await roles.newLink();
    const refused = { code: 'SETUP_LINK_INVALID' };
    await expect(roles.setUp({ ...account, key: `${key}x` }, FROM)).rejects.toMatchObject(refused);
    later = DAY_MS + 1000;
    await expect(roles.setUp({ ...account, key }, FROM)).rejects.toMatchObject(refused);
    const fresh = await roles.newLink();
    const wei = await signUp('裴迪');
    await roles.set('裴迪', 'operator', null);
    await expect(roles.setUp({ ...account, key: fresh }, FROM)).rejects.toMatchObject(refused);
    const viewer = (await wei.viewer()) ?? expect.fail('nobody is signed in');
    await expect(roles.claim(fresh, viewer)).rejects.toMatchObject(refused);
    expect(await app.services.users.find('王维')).toBeNull();
  });
});

describe('site options', () => {
  test('have defaults until set, in this and in other processes', async () => {
    const other = await open();
    await Promise.all([app.startListening(), other.startListening()]);
    const read = () => Promise.all([app, other].map(({ services }) => services.options.read()));
    expect(await read()).toEqual([DEFAULT_OPTIONS, DEFAULT_OPTIONS]);
    const changed = { ...DEFAULT_OPTIONS, reports: false };
    expect(await other.services.options.change({ reports: false }, null)).toEqual(changed);
    expect(await other.services.options.read()).toEqual(changed);
    await expect.poll(() => app.services.options.read()).toEqual(changed);
    expect((await auditLog()).map(({ action, before, after }) => [action, before, after])).toEqual([
      ['options.change', '{"reports":true}', '{"reports":false}'],
    ]);
    await app.services.options.change({ reports: false }, null);
    expect(await auditLog()).toHaveLength(1);
    await other.close();
  });

  test('an unreadable one has its default, and does not affect the others', async () => {
    await app.db.write((trx) =>
      trx
        .insertInto('site_options')
        .values([
          { name: 'reports', value: '"perhaps"' },
          { name: 'of another version', value: '1' },
        ])
        .execute(),
    );
    expect(await app.services.options.read()).toEqual(DEFAULT_OPTIONS);
  });
});
