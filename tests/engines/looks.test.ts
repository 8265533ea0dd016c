import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { contrastOf, DEFAULT_LOOK, SHIPPED_LOOKS, type Look } from '../../src/lib/contract/rules/looks.ts';
import { ENGINE } from '../engine.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

let stage: StaffStage;
let operator: Person;
beforeEach(async () => {
  stage = await openStaffStage();
  operator = await stage.signUp('站长');
  await stage.app.services.roles.set('站长', 'operator', null);
});
afterEach(() => stage?.close());

const lookNamed = (name: string, radius = 9): Look => ({
  ...structuredClone(DEFAULT_LOOK),
  name,
  shape: { radius, rhythm: 1 },
});
const sheetOf = async (app: StaffStage['app'], path = '/look.css') => {
  const file = await app.services.site.file(path);
  return file && String(file.bytes);
};
/** Two nodes of SQLite are two processes; in one, a write would wait for itself. */
async function atOnce<T>(changes: (() => Promise<T>)[]): Promise<PromiseSettledResult<T>[]> {
  if (ENGINE === 'postgres') return Promise.allSettled(changes.map((change) => change()));
  const results = [];
  for (const change of changes) results.push(...(await Promise.allSettled([change()])));
  return results;
}
const audited = async () =>
  (await stage.app.db.read.selectFrom('audit_log').selectAll().orderBy('create_time').orderBy('id').execute())
    .filter(({ action }) => action.startsWith('site.'))
    .map(({ action, before, after }) => [action, before, after]);

describe('the look of the site', () => {
  test('is the default one, without a sheet, until another is chosen', async () => {
    const { site } = stage.app.services;
    expect((await site.identity()).look).toEqual(DEFAULT_LOOK);
    expect((await site.read()).look).toEqual({
      href: '',
      paragraphs: 'spaced',
      list: 'text',
      head: 'left',
      front: 'beside',
    });
    expect(await sheetOf(stage.app)).toBeNull();
  });

  test('is used by the other node from the next request', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    const look = { ...lookNamed('圆'), list: 'cards', front: 'middle' } as const;
    const told = await stage.app.services.site.change({ look }, operator.viewer);
    expect(told.look).toEqual(look);
    await expect.poll(async () => (await other.services.site.read()).look.list).toBe('cards');
    const { href, front } = (await other.services.site.read()).look;
    expect(href).toMatch(/^\/look\.css\?v=[\w-]{10}$/);
    expect(front).toBe('middle');
    expect(await sheetOf(other)).toMatch(/^html:root\{--radius:9px\}/);
    expect(await audited()).toEqual([['site.change', '{"look":null}', '{"look":"圆"}']]);
    await other.close();
  });

  test('changes its address with every change, and ends with the default look', async () => {
    const { site } = stage.app.services;
    await site.change({ look: lookNamed('圆', 9) }, operator.viewer);
    const { href } = (await site.read()).look;
    await site.change({ look: lookNamed('圆', 10) }, operator.viewer);
    expect((await site.read()).look.href).not.toBe(href);
    await site.change({ look: DEFAULT_LOOK }, operator.viewer);
    expect((await site.read()).look.href).toBe('');
  });

  test('yields its links to the accent, which fits the colours of the look', async () => {
    const { site } = stage.app.services;
    await site.change({ accent: '#c07a35' }, operator.viewer);
    const look = structuredClone(DEFAULT_LOOK);
    Object.assign(look.colours.light, {
      raised: '#ddd6c6',
      edge: '#77705f',
      soft: '#55503f',
      vermilion: '#8f2c18',
    });
    await site.change({ look }, operator.viewer);
    expect(await site.identity()).toMatchObject({ accent: '#c07a35', look });
    const sheet = (await sheetOf(stage.app, '/accent.css')) ?? '';
    const indigo = /--indigo:(#\w{6})/.exec(sheet)?.[1] ?? '';
    expect(contrastOf(indigo, '#ddd6c6')).toBeGreaterThanOrEqual(4.5);
  });

  test('of site.json wins, and is fixed in the console', async () => {
    const { site: _, ...config } = stage.app.config;
    const settings = readConfig({
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl ?? '',
      TOKEN_SECRET: config.tokenSecret,
      SITE_JSON: '{"look":"简报"}',
    }).site;
    await stage.app.services.site.change({ look: lookNamed('圆') }, operator.viewer);
    const other = await createApp({ ...config, site: settings });
    const { site } = other.services;
    expect(await site.identity()).toMatchObject({ look: { name: '简报' }, fixed: { look: 'SITE_JSON' } });
    expect((await site.read()).look.list).toBe('dense');
    await expect(site.change({ look: DEFAULT_LOOK }, operator.viewer)).rejects.toThrow('SITE_JSON');
    await other.close();
  });

  test('stored by a version with other values is not used', async () => {
    const value = JSON.stringify({ title: '旧', look: { ...DEFAULT_LOOK, list: 'spiral' } });
    await stage.app.db.write((trx) =>
      trx.insertInto('site_options').values({ name: 'site', value }).execute(),
    );
    const other = await stage.open();
    expect(await other.services.site.identity()).toMatchObject({ title: '旧', look: { list: 'text' } });
    await other.close();
  });
});

test('two operators who save on two nodes: the second is told, and nothing is overwritten', async () => {
  const other = await stage.open();
  await Promise.all([stage.app.startListening(), other.startListening()]);
  const first = stage.app.services.site;
  const second = other.services.site;
  const { version } = await first.identity();
  expect((await second.identity()).version).toBe(version);
  const answers = await atOnce([
    () => first.change({ look: lookNamed('甲'), version }, operator.viewer),
    () => second.change({ look: lookNamed('乙'), version }, operator.viewer),
  ]);
  const [won] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? answer.reason : []));
  expect(refused).toMatchObject([{ code: 'VERSION_CHANGED' }]);
  expect((await first.identity()).look).toEqual(won?.look);
  expect(await audited()).toHaveLength(1);
  // Who has read the new version may change it.
  const { look } = await second.change({ look: lookNamed('丙'), version: won?.version }, operator.viewer);
  expect(look.name).toBe('丙');
  await other.close();
});

describe('saved looks', () => {
  test('are kept by name, replaced, and deleted', async () => {
    const { looks } = stage.app.services;
    expect(await looks.list()).toEqual({ shipped: SHIPPED_LOOKS, saved: [] });
    await looks.save(lookNamed('圆', 9), operator.viewer);
    await looks.save(lookNamed('方', 0), operator.viewer);
    const { saved } = await looks.save(lookNamed('圆', 12), operator.viewer);
    expect(saved).toEqual([lookNamed('方', 0), lookNamed('圆', 12)]);
    expect((await looks.remove('方', operator.viewer)).saved).toEqual([lookNamed('圆', 12)]);
    await expect(looks.remove('方', operator.viewer)).rejects.toMatchObject({ code: 'FIELD_INVALID' });
    expect(await audited()).toEqual([
      ['site.save_look', '{}', '{"look":"圆"}'],
      ['site.save_look', '{}', '{"look":"方"}'],
      ['site.save_look', '{}', '{"look":"圆"}'],
      ['site.delete_look', '{}', '{"look":"方"}'],
    ]);
  });

  test('are at most 20, none with the name of a shipped one', async () => {
    const { looks } = stage.app.services;
    for (let index = 0; index < 20; index++) await looks.save(lookNamed(`第${index}`), operator.viewer);
    await expect(looks.save(lookNamed('再来'), operator.viewer)).rejects.toMatchObject({
      code: 'LOOKS_TOO_MANY',
    });
    await looks.save(lookNamed('第3', 1), operator.viewer);
    expect((await looks.list()).saved).toHaveLength(20);
    expect(() => looks.save(lookNamed('画册'), operator.viewer)).toThrow('自带');
  });

  test('saved on two nodes at the same time are both kept', async () => {
    const other = await stage.open();
    await atOnce([
      () => stage.app.services.looks.save(lookNamed('甲'), operator.viewer),
      () => other.services.looks.save(lookNamed('乙'), operator.viewer),
    ]);
    const { saved } = await stage.app.services.looks.list();
    expect(saved.map(({ name }) => name).sort()).toEqual(['乙', '甲']);
    await other.close();
  });

  test('that are deleted while in use change nothing on the site', async () => {
    const { looks, site } = stage.app.services;
    await looks.save(lookNamed('圆'), operator.viewer);
    await site.change({ look: lookNamed('圆') }, operator.viewer);
    const { look } = await site.read();
    await looks.remove('圆', operator.viewer);
    expect((await site.identity()).look).toEqual(lookNamed('圆'));
    expect((await site.read()).look).toEqual(look);
    expect(await sheetOf(stage.app)).toBe('html:root{--radius:9px}');
  });
});

test('the operator’s own style sheet has an address of its own, and none when it is empty', async () => {
  const { site } = stage.app.services;
  const told = await site.change({ style: 'p{COLOR:red} /* note */' }, operator.viewer);
  expect(told.style).toBe('p {\n  color: red;\n}');
  expect((await site.read()).style).toMatch(/^\/style\.css\?v=/);
  expect(await sheetOf(stage.app, '/style.css')).toMatch(/^p:is\(main \*,.*\)\{color:red\}body>main\{/);
  await site.change({ style: '' }, operator.viewer);
  expect((await site.read()).style).toBe('');
  expect(await sheetOf(stage.app, '/style.css')).toBeNull();
  const sizes = [
    ['site.change', '{"style":0}', '{"style":19}'],
    ['site.change', '{"style":19}', '{"style":0}'],
  ];
  // Both may be of the same millisecond.
  expect(new Set(await audited())).toEqual(new Set(sizes));
});

test('a style sheet that leaves its bounds changes nothing, and the refusal names the line', async () => {
  const { site } = stage.app.services;
  await site.change({ style: 'p { top: 0 }' }, operator.viewer);
  const before = await site.identity();
  const attempt = site.change({ style: 'p {\n}\n.a { position: fixed }', title: '别的' }, operator.viewer);
  await expect(attempt).rejects.toMatchObject({ code: 'FIELD_INVALID', field: 'style' });
  await expect(attempt).rejects.toThrow(/^第 3 行第 1 列：position 只能是/);
  expect(await site.identity()).toEqual(before);
});

test('a stored style sheet that the rules no longer allow is not served', async () => {
  const { db } = stage.app;
  const value = JSON.stringify({ style: '*{position:fixed}', title: '山居' });
  await db.write((trx) => trx.insertInto('site_options').values({ name: 'site', value }).execute());
  const other = await stage.open();
  expect(await other.services.site.read()).toMatchObject({ title: '山居', style: '' });
  expect(await sheetOf(other, '/style.css')).toBeNull();
  await other.close();
});
