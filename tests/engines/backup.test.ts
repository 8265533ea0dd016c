import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDestination } from '../../src/lib/server/backup/destination.ts';
import { readFromFile } from '../../src/lib/server/backup/archive-reader.ts';
import { checkArchive } from '../../src/lib/server/backup/read-archive.ts';
import { NEWEST_VERSION } from '../../src/lib/server/db/migrate.ts';
import { bans } from '../../src/lib/server/db/migrations/0025-bans.ts';
import { isUploadName } from '../../src/lib/server/files/uploads.ts';
import type { RestoreProgress } from '../../src/lib/server/operations/restore.ts';
import {
  digestsOf,
  ENGINE,
  expectSound,
  openBackupStage,
  PASSPHRASE,
  sha256,
  type BackupStage,
  type Home,
} from './backup-stage.ts';
import { addComments, everything, openSite, PASSWORD } from './move-stage.ts';
import { openS3Storage } from './s3-storage.ts';

let stage: BackupStage;
beforeEach(async () => {
  stage = await openBackupStage();
});
afterEach(() => stage.close());

const uploadsOf = (home: Home) =>
  existsSync(join(home.dataDir, 'uploads')) ? readdirSync(join(home.dataDir, 'uploads')).sort() : [];
const digestsIn = (manifest: { tables: { name: string; sha256: string }[] }) =>
  Object.fromEntries(manifest.tables.map((table) => [table.name, table.sha256]));
const open = (home: Home) => openSite(home.dataDir, home.storage.settings);

describe(`a backup, restored into ${ENGINE}`, () => {
  test('has everything, on either engine, and leaves no other files', async () => {
    const site = await stage.site();
    const before = await everything(site.address);
    for (const rows of Object.values(before)) expect(rows.length).toBeGreaterThan(0);
    const running = await openSite(site.dataDir);
    const { file, manifest } = await stage.backUp(site);
    await running.close();
    expect(readdirSync(stage.folder).sort()).toEqual(['a.tar.zst', 'site']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(digestsIn(manifest)).toEqual(await digestsOf(site.address));

    const there = await stage.home('there');
    expect(await stage.restore(file, there)).toMatchObject({
      outcome: 'restored',
      found: 0,
      secret: 'restored',
    });
    expect(await everything(there.address)).toEqual(before);
    expect(await digestsOf(there.address)).toEqual(digestsIn(manifest));
    await expectSound(there);
    expect(manifest.files.length).toBeGreaterThan(1);
    expect(uploadsOf(there)).toEqual(manifest.files.map(({ name }) => name).sort());
    for (const name of uploadsOf(there))
      expect(readFileSync(join(there.dataDir, 'uploads', name))).toEqual(
        readFileSync(join(site.dataDir, 'uploads', name)),
      );
    expect(readFileSync(join(there.dataDir, 'token-secret'), 'utf8')).toBe(
      'the secret of the site that is backed up',
    );

    // Then back to the other engine.
    const second = await stage.backUp(there, 'b.tar.zst');
    const back = await stage.home('back', { isSqlite: true });
    await stage.restore(second.file, back);
    expect(await everything(back.address)).toEqual(before);
    await expectSound(back);
  });

  test('serves as before: accounts, sign-ins, search, pictures', async () => {
    const site = await stage.site();
    const { file } = await stage.backUp(site);
    const there = await stage.home('there');
    await stage.restore(file, there);
    const app = await open(there);
    try {
      const { auth, articles, users } = app.services;
      const { token } = await auth.refresh(`Bearer ${site.filled.refreshToken}`);
      expect((await auth.viewerOf(`Bearer ${token}`)).viewer?.username).toBe('作者');
      expect(await auth.verifyPassword('读者', PASSWORD)).toBe(true);
      const search = (words: string) => articles.search(words, { page: 1, pageSize: 10 });
      expect((await search('空山新雨')).result.map(({ id }) => id)).toEqual([site.filled.articleIds[0]]);
      for (const hidden of ['独坐幽篁', '弹琴复长啸', '长长长']) expect((await search(hidden)).total).toBe(0);
      expect((await users.detail('作者')).avatar).toBe(site.filled.avatar);
    } finally {
      await app.close();
    }
  });

  test('is of an older schema, too: its rows are migrated', { tags: ['once'] }, async () => {
    const site = await stage.site();
    // Restores the schema to its state at its release.
    const db = new DatabaseSync(site.address.slice(7));
    db.exec(
      'drop table closings; drop table notifications; drop table identities; drop table synced_files; drop table access_tokens; drop table backups; drop table former_paths; drop table tag_aliases; drop table picture_variants; drop table former_names; drop table post_origins; drop table moderation_decisions; drop table pending_changes; alter table tags drop column made_by_name; alter table users drop column display_name; alter table users drop column display_name_time; alter table users drop column website; alter table users drop column links; alter table users drop column username_time; update schema_version set version = 27',
    );
    for (const column of ['display_skeleton', 'written_display_skeleton'])
      db.exec(`drop index users_${column}; alter table users drop column ${column}`);
    db.exec(
      'drop index outbox_log; drop index outbox_subject; alter table outbox drop column subject; drop index webhooks_owner; alter table webhooks drop column owner_id',
    );
    db.exec(`drop index written_prints_item; alter table written_prints drop column item_id;
      alter table written_prints drop column is_withheld; alter table withheld_items drop column hidden_by_ban;
      alter table withheld_items drop column words`);
    db.exec('drop trigger comment_days_insert; drop trigger comment_days_delete; drop table comment_days');
    for (const name of ['article', 'written', 'received', 'deleted', 'unaddressed'])
      db.exec(`drop trigger invisible_comments_${name}`);
    db.exec('drop table friend_entries; drop table friends');
    db.exec('drop table operator_settings; drop table article_slugs; alter table users drop column thanks');
    db.exec('alter table articles drop column address');
    for (const table of ['articles', 'article_revisions', 'article_versions'])
      db.exec(`alter table ${table} drop column slug`);
    db.exec(
      'drop table page_slugs; drop table pages; drop index articles_pages; alter table articles drop column is_page',
    );
    db.exec(
      'drop table invisible_comments; drop index series_public; alter table series drop column page_num',
    );
    for (const table of ['comments', 'withheld_comments'])
      db.exec(`alter table ${table} add column reply_content text not null default '';
        update ${table} set reply_content = '好诗 😀' where reply_comment_id is not null;
        alter table ${table} drop column reply_comment_id`);
    db.exec('drop table reports');
    for (const statement of bans.sqlite) if (/\breports\b/.test(statement)) db.exec(statement);
    db.close();
    const { file, manifest } = await stage.backUp(site);
    expect(manifest.schema).toBe(27);
    const there = await stage.home('there');
    await stage.restore(file, there);
    const [{ version } = { version: 0 }] = await there.storage.rows('select version from schema_version');
    expect(version).toBe(NEWEST_VERSION);
    await (await open(there)).close();
    expect(await there.storage.count('select count(*) from users')).toBe(2);
    const quotes = 'select count(*) from comments where reply_comment_id is not null';
    expect(await there.storage.count(quotes)).toBe(1);
  });

  test('does nothing the second time, and never overwrites other data', { tags: ['once'] }, async () => {
    const site = await stage.site();
    const { file } = await stage.backUp(site);
    const there = await stage.home('there');
    await stage.restore(file, there);
    const again = { ...there.places, secret: 'the secret of the site that is backed up' };
    const [lost = ''] = uploadsOf(there);
    rmSync(join(there.dataDir, 'uploads', lost));
    expect(await stage.restore(file, there, { site: again })).toMatchObject({
      outcome: 'same',
      secret: 'same',
    });
    expect(uploadsOf(there)).toContain(lost);
    const other = await stage.home('other');
    await (await open(other)).close();
    const app = await open(there);
    await app.services.options.change({ reports: true }, null);
    await app.close();
    const changed = await digestsOf(there.address);
    await expect(stage.restore(file, there, { site: again })).rejects.toThrow(
      '目标数据库里已有数据，不会覆盖：请换一个空的数据库',
    );
    expect(await digestsOf(there.address)).toEqual(changed);
  });

  test(
    'once interrupted is not served, accepts no other archive, and resumes',
    { tags: ['long'] },
    async () => {
      const site = await stage.site();
      const { file } = await stage.backUp(site);
      addComments(site.dataDir, 3);
      const other = await stage.backUp(site, 'other.tar.zst');
      const there = await stage.home('there');
      for (const [step, from] of [
        ['rows', 10],
        ['files', 1],
        ['index', 0],
      ] as const) {
        const interrupt = new AbortController();
        const stopAt = (progress: RestoreProgress) => {
          if (progress.step === step && progress.done >= from) interrupt.abort();
        };
        await expect(
          stage.restore(file, there, { signal: interrupt.signal, onProgress: stopAt }),
        ).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
        await expect(open(there)).rejects.toThrow(
          'restoring a backup into this database was interrupted: run `moye restore` again',
        );
        await expect(stage.restore(other.file, there)).rejects.toThrow('另一份备份没有恢复完');
      }
      const { outcome, found } = await stage.restore(file, there);
      expect(outcome).toBe('restored');
      expect(found).toBeGreaterThan(10);
      const whole = await stage.home('whole');
      await stage.restore(file, whole);
      expect(await everything(there.address)).toEqual(await everything(whole.address));
      expect(uploadsOf(there)).toEqual(uploadsOf(whole));
      await (await open(there)).close();
    },
  );

  test('reports a picture deleted meanwhile, and has the rest', { tags: ['once'] }, async () => {
    const site = await stage.site();
    const lost = String((await site.storage.rows('select name from files order by name'))[0]?.['name']);
    rmSync(join(site.dataDir, 'uploads', lost));
    const { file, manifest } = await stage.backUp(site);
    expect(manifest.missing).toEqual([lost]);
    expect(manifest.files.length).toBe((await site.storage.count('select count(*) from files')) - 1);
    const there = await stage.home('there');
    expect((await stage.restore(file, there)).manifest.missing).toEqual([lost]);
    expect(uploadsOf(there)).toEqual(manifest.files.map(({ name }) => name));
  });

  test('reads pictures from a bucket, and restores them into one', { tags: ['once'] }, async () => {
    const storage = await openS3Storage();
    try {
      const site = await stage.site();
      const names = uploadsOf(site);
      for (const name of names)
        storage.put(
          storage.place.prefix + name,
          readFileSync(join(site.dataDir, 'uploads', name)),
          new Date(),
        );
      const places = { ...site.places, uploads: { s3: storage.place } };
      const { file, manifest } = await stage.backUp({ ...site, places });
      expect(manifest.files.length).toBeGreaterThan(1);
      for (const { name, sha256: digest } of manifest.files)
        expect(sha256(readFileSync(join(site.dataDir, 'uploads', name)))).toBe(digest);
      const elsewhere = await openS3Storage('restored/');
      const there = await stage.home('there', { settings: elsewhere.settings });
      await stage.restore(file, there);
      expect(elsewhere.keys()).toEqual(manifest.files.map(({ name }) => `restored/${name}`).sort());
      await elsewhere.close();
    } finally {
      await storage.close();
    }
  });
});

describe('the secret', () => {
  test('is left out without a passphrase, and needs the right one', { tags: ['once'] }, async () => {
    const site = await stage.site();
    const bare = await stage.backUp(site, 'bare.tar.zst', { secret: null });
    const there = await stage.home('there');
    expect((await stage.restore(bare.file, there)).secret).toBe('absent');
    expect(existsSync(join(there.dataDir, 'token-secret'))).toBe(false);

    const { file } = await stage.backUp(site);
    const closed = await stage.home('closed');
    const wrong = { ...closed.places, passphrase: `${PASSPHRASE}。` };
    await expect(stage.restore(file, closed, { site: wrong })).rejects.toThrow(
      '口令不对：备份里的密钥打不开',
    );
    const other = { ...closed.places, secret: 'the secret of quite another site' };
    await expect(stage.restore(file, closed, { site: other })).rejects.toThrow('这里已经有另一个密钥');
    expect(existsSync(closed.dataDir)).toBe(false);
    const without = { ...closed.places, passphrase: null };
    expect((await stage.restore(file, closed, { site: without })).secret).toBe('locked');
  });

  test('is not in the archive in clear text', async () => {
    const site = await stage.site();
    const { file } = await stage.backUp(site);
    const reading = { isFileName: isUploadName, signal: new AbortController().signal };
    const { secret } = await checkArchive(readFromFile(file), NEWEST_VERSION, reading);
    expect(secret).toContain('"kdf":"scrypt"');
    expect(secret).not.toContain('the secret of the site');
  });
});

describe('a backup', () => {
  test('overwrites nothing, and is written completely or not at all', async () => {
    const site = await stage.site();
    writeFileSync(join(stage.folder, 'a.tar.zst'), 'mine');
    await expect(stage.backUp(site)).rejects.toThrow('已经存在，不会覆盖');
    expect(readFileSync(join(stage.folder, 'a.tar.zst'), 'utf8')).toBe('mine');
    const nothing = await stage.home('nothing', { isSqlite: true });
    await expect(stage.backUp(nothing, 'n.tar.zst')).rejects.toThrow('cannot use database');
    expect(readdirSync(stage.folder).sort()).toEqual(['a.tar.zst', 'site']);
  });

  test('that is cancelled at once leaves nothing, even when opening its file is slow', async () => {
    const folder = join(stage.folder, 'given-up');
    const destination = openDestination({ folder });
    for (let round = 0; round < 50; round++) {
      const draft = await destination.begin(`${round}.tar.zst`);
      await draft.discard();
      // A file that is still being opened would be created after the folder was removed.
      expect(draft.sink.closed).toBe(true);
    }
    destination.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is refused for an incomplete database', async () => {
    const site = await stage.site();
    const db = new DatabaseSync(site.address.slice(7));
    db.exec("insert into moves values ('elsewhere')");
    db.close();
    await expect(stage.backUp(site)).rejects.toThrow('数据库还没有搬完或恢复完');
    expect(readdirSync(stage.folder)).toEqual(['site']);
  });
});
