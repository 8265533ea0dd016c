import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { openStaffStage, type Person, type StaffStage } from './staff-stage.ts';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#f00" d="M0 0h9v9H0z"/></svg>';

let stage: StaffStage;
let operator: Person;
beforeEach(async () => {
  stage = await openStaffStage();
  operator = await stage.signUp('站长');
  await stage.app.services.roles.set('站长', 'operator', null);
});
afterEach(() => stage?.close());

const audited = async () =>
  (await stage.app.db.read.selectFrom('audit_log').selectAll().orderBy('create_time').orderBy('id').execute())
    .filter(({ action }) => action === 'site.change')
    .map(({ before, after }) => [before, after]);

describe('site settings of the operator', () => {
  test('apply from the next request, on every node, and clear the page cache', async () => {
    const other = await stage.open();
    await Promise.all([stage.app.startListening(), other.startListening()]);
    const { site } = stage.app.services;
    const links = [{ text: '关于', href: '/detail/0123456789abcdef01234567' }];
    const changes = {
      title: '纸上谈',
      footer: '一九九九',
      links,
      nav: { '/lab/list': null },
      accent: '#7b2d8b',
    };
    const told = await site.change(changes, operator.viewer);
    expect(told).toMatchObject({ ...changes, description: '把想法写下来，让文字自己说话。', fixed: {} });
    expect(await site.read()).toMatchObject({ title: '纸上谈', nav: { '/lab/list': null }, links });
    expect(stage.app.backend.site.title).toBe('纸上谈');
    await expect.poll(async () => (await other.services.site.read()).title).toBe('纸上谈');
    await expect.poll(() => other.services.site.facts.title).toBe('纸上谈');
    const sheet = await other.services.site.file('/accent.css');
    expect(String(sheet?.bytes)).toContain('--indigo:#');
    expect(stage.events.filter(({ type }) => type === 'options-changed')).toHaveLength(1);
    expect(await audited()).toEqual([
      [
        '{"title":null,"footer":null,"links":null,"nav":null,"accent":null}',
        JSON.stringify({
          title: '纸上谈',
          footer: '一九九九',
          links,
          nav: { '/lab/list': null },
          accent: '#7b2d8b',
        }),
      ],
    ]);
    await site.change({ title: '纸上谈' }, operator.viewer);
    expect(await audited()).toHaveLength(1);
    await other.close();
  });

  test('yield to environment and file, and name that source', async () => {
    await stage.app.services.site.change(
      { title: '控制台', footer: '控制台', accent: '#112233' },
      operator.viewer,
    );
    const { site: _, ...config } = stage.app.config;
    const settings = readConfig({
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl ?? '',
      TOKEN_SECRET: config.tokenSecret,
      SITE_TITLE: '环境',
      SITE_JSON: '{"title":"文件","footer":"文件"}',
    }).site;
    const other = await createApp({ ...config, site: settings });
    const { site } = other.services;
    expect(await site.identity()).toMatchObject({
      title: '环境',
      footer: '文件',
      accent: '#112233',
      fixed: { title: 'SITE_TITLE', footer: 'SITE_JSON' },
    });
    await expect(site.change({ title: '改' }, operator.viewer)).rejects.toThrow('SITE_TITLE');
    await other.close();
  });

  test('a logo is rendered, replaced and removed; invalid pictures are refused', async () => {
    const { site } = stage.app.services;
    const own = await site.file('/icon-192.png');
    for (const wrong of ['', 'PNG', '<svg xmlns="http://www.w3.org/2000/svg"/>', '\u0089PNG\r\n'])
      await expect(site.setLogo(Buffer.from(wrong, 'latin1'), operator.viewer)).rejects.toMatchObject({
        code: 'LOGO_UNUSABLE',
      });
    const script = SVG.replace('<path', '<script>alert(1)</script><path');
    const told = await site.setLogo(Buffer.from(script), operator.viewer);
    expect(told.logo).toMatch(/^\/site-logo\.png\?v=/);
    expect((await site.file('/icon-192.png'))?.version).not.toBe(own?.version);
    const stored = await stage.app.db.read.selectFrom('site_options').selectAll().execute();
    const { base64 } = JSON.parse(stored[0]?.value ?? '') as { base64: string };
    expect(Buffer.from(base64, 'base64').toString()).not.toContain('alert');
    // A large PNG is stored smaller; a damaged one is refused.
    const large = await sharp({ create: { width: 4096, height: 4096, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    for (const wrong of [
      large.subarray(0, large.length - 2_000),
      Buffer.concat([large.subarray(0, 33), Buffer.alloc(99)]),
    ])
      await expect(site.setLogo(wrong, operator.viewer)).rejects.toMatchObject({ code: 'LOGO_UNUSABLE' });
    await site.setLogo(large, operator.viewer);
    const [row] = await stage.app.db.read.selectFrom('site_options').selectAll().execute();
    const kept = Buffer.from((JSON.parse(row?.value ?? '') as { base64: string }).base64, 'base64');
    expect(await sharp(kept).metadata()).toMatchObject({ width: 1024, height: 1024, format: 'png' });
    expect((await site.read()).logo).toMatchObject({ width: 28, height: 28 });
    expect((await site.removeLogo(operator.viewer)).logo).toBeNull();
    expect((await site.file('/icon-192.png'))?.version).toBe(own?.version);
    expect(await audited()).toEqual([
      ['{"logo":false}', '{"logo":true}'],
      ['{"logo":true}', '{"logo":true}'],
      ['{"logo":true}', '{"logo":false}'],
    ]);
  });
});
