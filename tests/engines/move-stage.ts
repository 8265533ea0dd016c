import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { clean } from '../clean-texts.ts';
import type { NewArticle } from '../../src/lib/contract/article-fields.ts';
import { PICTURE_URL } from '../../src/lib/contract/rules/pictures.ts';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { MOVED_TABLES } from '../../src/lib/server/db/move-tables.ts';
import { openPostgresSnapshot } from '../../src/lib/server/db/postgres/postgres-snapshot.ts';
import type { Snapshot } from '../../src/lib/server/db/database.ts';
import { openSqliteSnapshot } from '../../src/lib/server/db/sqlite/sqlite.ts';
import { moveDatabase, type MoveOptions, type MoveReport } from '../../src/lib/server/operations/move.ts';
import { keepName } from '../../src/lib/server/users/former-queries.ts';
import { displayColumns } from '../../src/lib/server/users/user-queries.ts';
import { addReads } from '../../src/lib/server/reads/read-queries.ts';
import { createStorage, sqliteIn, TOKEN_SECRET, type TestStorage } from '../engine.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { siteOf } from './import-stage.ts';

export const PASSWORD = '松风吹解带，山月照弹琴';

/** A SQLite site to move, and an empty database of the engine of this run. */
export interface MoveStage {
  /** Folder of the site, and URL of its database. */
  dataDir: string;
  from: string;
  target: TestStorage;
  to: string;
  /** Folder of a site on the target database. */
  targetDir: string;
  /** Moves from source to target, or according to `options`. */
  move(options?: Partial<MoveOptions>): Promise<MoveReport>;
  close(): Promise<void>;
}

export async function openMoveStage(): Promise<MoveStage> {
  const place = mkdtempSync(join(tmpdir(), 'moye-move-'));
  const [dataDir, targetDir] = [join(place, 'old'), join(place, 'new')];
  const target = await createStorage(targetDir, { isEmpty: true });
  const from = `sqlite:${join(dataDir, 'moye.sqlite')}`;
  const to = target.settings['DATABASE_URL'] ?? `sqlite:${join(targetDir, 'moye.sqlite')}`;
  const usual: MoveOptions = {
    from,
    to,
    isDryRun: false,
    signal: new AbortController().signal,
    onProgress: () => {},
  };
  return {
    dataDir,
    from,
    target,
    to,
    targetDir,
    move: (options = {}) => moveDatabase({ ...usual, ...options }),
    async close() {
      await target.remove();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Opens the site with the database in `dataDir`, or the one in `settings`. */
export const openSite = (dataDir: string, settings: Record<string, string> = {}): Promise<App> =>
  createApp(readConfig({ ...siteOf(sqliteIn(dataDir)), TOKEN_SECRET, ...settings }));

/** Opens a consistent snapshot of the database at `address`. */
export const openSnapshotOf = (address: string): Promise<Snapshot> =>
  address.startsWith('sqlite:') ? openSqliteSnapshot(address.slice(7)) : openPostgresSnapshot(address);

/** Contents of a filled site, to compare after a move. */
export interface Filled {
  refreshToken: string;
  /** A public, a draft, a secret and a deleted article. */
  articleIds: string[];
  avatar: string;
}

/** Fills every table of the SQLite site in `dataDir`, with values that are easily lost. */
export async function fillSite(dataDir: string): Promise<Filled> {
  const app = await openSite(dataDir);
  const { auth, articles, comments, files, revisions, series, schedules } = app.services;
  const signUp = async (username: string) => {
    const account = { username, password: PASSWORD, gender: 'x' as const, bio: '', invite: '' };
    const tokens = await app.services.signups.signUp(account, { address: '192.0.2.7' });
    const { viewer } = await auth.viewerOf(`Bearer ${tokens.token}`);
    if (!viewer) throw new Error(`${username} is not signed in`);
    return { viewer, ...tokens };
  };
  const [author, reader] = [await signUp('作者'), await signUp('读者')];
  const picture = await twoColours(20, 20).png().toBuffer();
  const { url: cover } = await files.saveImage(author.viewer, picture);
  const write = async (title: string, content: string, more: Partial<NewArticle> = {}) => {
    const fields = { title, content, tags: ['诗', '𠮷'], type: '', status: 'normal' as const, secret: false };
    return (await articles.create({ ...fields, ...more, request_id: title }, author.viewer)).id;
  };
  const verses = await series.create({ title: '辋川集', description: '', cover }, author.viewer);
  const settings = { cover, series: verses._id, licence: 'cc0-1.0', pinned: true };
  const articleIds = [
    await write('山居秋暝', '空山新雨后，天气晚来秋。', { description: '王维的秋天 👨‍👩‍👧', ...settings }),
    await write('草稿', `👨‍👩‍👧 ${'长'.repeat(150_000)}`, { status: 'draft' }),
    await write('秘密', '独坐幽篁里', { secret: true }),
    await write('删去的', '弹琴复长啸'),
  ];
  const [id = '', , , deleted = ''] = articleIds;
  await articles.remove(deleted, author.viewer);
  const extras = { description: '改过的说明', cover };
  const revision = { title: '改', content: '改过的', tags: ['诗'], secret: false, ...extras };
  await revisions.save({ ...revision, id }, author.viewer);
  const push = {
    article_id: id,
    engine: 'baidu',
    change_time: 1,
    due_time: 2,
    tries: 1,
    problem: '慢',
  } as const;
  await app.db.write(async (trx) => {
    await trx.insertInto('pushes').values(push).execute();
    await trx.insertInto('comment_days').values({ day: 10_000, comment_num: 0 }).execute();
  });
  const { invitations, notices, users } = app.services;
  await app.db.write((trx) => users.reserveClosedName(trx, { id: '', username: '从前的名字' }));
  const { code } = await invitations.add({ uses: 2, days: 7, note: '朋友' }, null);
  await app.db.write((trx) => invitations.use(trx, code, author.viewer.id));
  await notices.saveSettings(author.viewer.id, { mode: 'daily', kinds: ['reply'] });
  await app.db.write(async (trx) => {
    const hook = { name: '值班', format: 'json', kinds: ['report'], isOn: true, secret: '密' } as const;
    await notices.webhooks.save(trx, null, { ...hook, url: 'https://hooks.example.com/in' });
    await notices.notify(trx, { kind: 'report', title: '举报', text: '广告', path: '/' });
  });
  await schedules.set({ id, publish_time: new Date(Date.now() + 86_400_000).toISOString() }, author.viewer);
  const comment = { page_id: id, reply_user: '', reply_content: '', request_id: '' };
  await comments.create({ ...comment, content: '好诗 😀' }, reader.viewer);
  const reply = { reply_user: '读者', reply_content: '好诗 😀', request_id: 'request-1' };
  await comments.create({ ...comment, ...reply, content: '谢谢' }, author.viewer);
  const hidden = await comments.create(
    { ...comment, content: '足够长的一句话，一天之内会被记住' },
    reader.viewer,
  );
  const decision = { ids: [hidden._id], action: 'hide' as const, note: '离题' };
  await app.services.takedowns.decide('comment', decision, null);
  const change = {
    kind: 'comment',
    id: hidden._id,
    author_id: reader.viewer.id,
    state: 'held',
    reasons: '["changed"]',
    note: '',
    fields: '{"content":"改过"}',
    create_time: 1,
  } as const;
  await app.db.write((trx) => trx.insertInto('pending_changes').values(change).execute());
  await app.db.write((trx) =>
    app.services.operatorSettings.store(trx, 'search', { INDEXNOW_KEY: '0123456789abcdef' }),
  );
  const { id: about } = await app.services.pages.create({ title: '关于', slug: 'about' }, author.viewer);
  const { id: below } = await app.services.pages.create({ title: '联系', slug: '联系' }, author.viewer);
  await app.services.pages.change({ id: about, slug: '关于', in_feeds: true }, author.viewer);
  const tree = [
    { id: about, parent: '' },
    { id: below, parent: about },
  ];
  await app.services.pages.order({ pages: tree }, author.viewer);
  await app.services.formerPaths.addAll([{ address: '/2020/山居秋暝/', articleId: id }]);
  await app.services.words.add(['赌博'], { category: '广告', action: 'hold' }, null);
  await auth.refresh(`Bearer ${reader.refresh_token}`);
  const avatar = await files.saveAvatar(author.viewer, `data:image/png;base64,${picture.toString('base64')}`);
  await app.services.picks.pin(id);
  await app.services.roles.set('作者', 'operator', null);
  const tag = await app.services.tags.create({ name: '旧名', description: '' }, author.viewer);
  await app.services.tagConsole.rename({ id: tag._id, name: '新名' }, author.viewer);
  const report = { kind: 'user', id: '作者', reason: 'spam', note: '看看' } as const;
  await app.services.reports.create(report, reader.viewer);
  const friend = {
    name: '友',
    url: 'https://友.example/',
    description: '👨‍👩‍👧',
    feed: '',
    logo: cover,
    group: '诗',
  };
  await app.services.friends.save(friend, author.viewer);
  await app.services.options.change({ reports: false, keepOrigins: 180 }, author.viewer.id);
  const poster = { ...reader.viewer, origin: '203.0.113.9' };
  await app.db.write(async (trx) => {
    await app.services.origins.note(trx, 'comment', hidden._id, poster);
    await addReads(trx, [{ article_id: id, day: 0, month: 0, reads: 3 }]);
    const odd = '\u0001\u007f\u2028\ufeff\'"\\ \r\n\t e\u0301 \u{10ffff}';
    const profile = {
      ...displayColumns(clean('👨‍👩‍👧 读')),
      website: clean('https://a.example/'),
      links: clean('["https://b.example/?c=1"]'),
    };
    await trx
      .updateTable('users')
      .set({ bio: clean(odd), ...profile })
      .where('username', '=', '读者')
      .execute();
    await keepName(trx, { ...author.viewer, username: '旧作者' });
    const html = Buffer.from([0, 255, 128, 10, 13, 39, 92]);
    await trx.updateTable('article_bodies').set({ html }).where('article_id', '=', deleted).execute();
    const file = {
      owner_id: author.viewer.id,
      path: '诗/甲.md',
      kind: 'article',
      target: id,
      digest: '',
    } as const;
    await trx
      .insertInto('synced_files')
      .values({
        ...file,
        article_time: 1,
        needs: '[]',
        is_stale: 0,
        revision_time: 0,
        bytes: Buffer.from([0, 255, 13, 10]),
      })
      .execute();
    const source = { owner_id: author.viewer.id, source: '/博客/甲.md', article_id: id, digest: '' };
    await trx.insertInto('imports').values(source).execute();
    const name = cover.slice(PICTURE_URL.length);
    // Zero bytes: exports omit copies, and the tests compare the stored bytes of accounts.
    const copy = { file: `${name}.480.webp`, picture: name, bytes: 0, asked_day: 1 };
    await trx.insertInto('picture_variants').values(copy).execute();
  });
  const [user_id, hash] = [author.viewer.id, 'a hash'];
  await app.db.write(async (trx) => {
    const totp = { user_id, secret: 'sealed', last_step: 1, create_time: 1 };
    await trx.insertInto('user_totps').values(totp).execute();
    await trx.insertInto('recovery_codes').values({ user_id, hash }).execute();
    const key = { id: 'key', user_id, name: '手机', public_key: 'key', sign_count: 1, transports: '[]' };
    await trx
      .insertInto('passkeys')
      .values({ ...key, create_time: 1, last_used: 2 })
      .execute();
    const closing = { user_id, contents: 'keep', hash: 'closing', due_time: 9e12 } as const;
    await trx.insertInto('closings').values(closing).execute();
    const email = { user_id, address: 'A@example.com', address_key: 'a@example.com', create_time: 1 };
    await trx.insertInto('user_emails').values(email).execute();
    const token = { id: 'token', user_id, name: '同步', hash, scopes: '["articles:read"]', create_time: 1 };
    const used = { expire_time: 9_000_000_000_000, last_used: 2, last_address: '192.0.2.7' };
    await trx
      .insertInto('access_tokens')
      .values({ ...token, ...used })
      .execute();
    const identity = {
      issuer: 'https://id.example/',
      subject: '号 1',
      user_id,
      name: '作者',
      create_time: 1,
    };
    await trx
      .insertInto('identities')
      .values({ ...identity, last_used: 2 })
      .execute();
    const ticket = { hash, kind: 'reset', user_id, payload: '', expire_time: Date.now() + 86_400_000 };
    await trx.insertInto('account_tickets').values(ticket).execute();
  });
  await app.close();
  return { refreshToken: author.refresh_token, articleIds, avatar };
}

/**
 * Adds comments by the first user to the first article of the SQLite site in `dataDir`, each addressed to the
 * second user.
 */
export function addComments(dataDir: string, count: number): void {
  const db = new DatabaseSync(join(dataDir, 'moye.sqlite'));
  db.exec(`
    create temp table made as with recursive n (n) as (select 1 union all select n + 1 from n where n < ${count})
      select printf('%024x', n) as id, n from n;
    insert into comments (id, article_id, author_id, content, reply_user_id, create_time, request_id)
      select id, (select id from articles order by seq limit 1), (select min(id) from users),
      '第 ' || n || ' 条评论 ' || hex(n * 7919), null, 1700000000000 + n, null from made;
    insert into comment_recipients select (select max(id) from users), id, 1700000000000 + n, n % 2 from made`);
  db.close();
}

/** Returns every row of every table as the database returns it. */
export async function everything(address: string) {
  const snapshot = await openSnapshotOf(address);
  try {
    const tables: Record<string, unknown[]> = {};
    for (const { name, key } of MOVED_TABLES) {
      let query = snapshot.db.selectFrom(name).selectAll();
      for (const column of key) query = query.orderBy(column as never);
      const rows = await query.execute();
      tables[name] = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([column, value]) => [
            column,
            value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
          ]),
        ),
      );
    }
    return tables;
  } finally {
    await snapshot.close();
  }
}

export const tablesOf = async (address: string) => {
  const snapshot = await openSnapshotOf(address);
  await snapshot.close();
  return snapshot.tables;
};
