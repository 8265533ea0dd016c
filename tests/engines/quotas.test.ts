import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newUser } from '../clean-texts.ts';
import { createApp } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { publishGuides } from '../../src/lib/server/guides/guides.ts';
import type { QuotaLimits } from '../../src/lib/server/shared/quota-rules.ts';
import { createQuotas, type Quotas, type Spender } from '../../src/lib/server/quotas/quota-service.ts';
import { temporaryFolder } from '../api/spawn.ts';
import { createStorage, ENGINE } from '../engine.ts';
import { openAccounts, type AccountStage } from './accounts.ts';
import { countStored } from './count-stored.ts';

const LIMITS: QuotaLimits = {
  uploads: 2,
  uploadBytes: 2 * 1024 * 1024,
  pictureMs: 2_000,
  comments: 3,
  commentsInMinute: 2,
  tags: 2,
  articles: 2,
  displayNames: 2,
  reports: 2,
  storage: 1024 * 1024,
};

let stage: AccountStage;
let quotas: Quotas;
let time: number;
let alice: Spender;
beforeEach(async () => {
  stage = await openAccounts();
  // A minute before midnight in Shanghai.
  time = Date.parse('2026-11-22T15:59:00Z');
  quotas = quotasWith(LIMITS);
  alice = await add('alice');
});
afterEach(() => stage.close());

const quotasWith = (limits: QuotaLimits | null) =>
  createQuotas({ db: stage.db, limits, timeZone: 'Asia/Shanghai', now: () => time });
const add = async (username: string): Promise<Spender> => ({
  id: await stage.db.write((trx) => stage.users.add(trx, newUser(username))),
});
const comment = (spender = alice) => stage.db.write((trx) => quotas.use(trx, spender, { comments: 1 }));
const store = (bytes: number, spender = alice) => stage.db.write((trx) => quotas.store(trx, spender, bytes));
const counts = () => stage.db.read.selectFrom('quota_uses').selectAll().execute();
const stored = async () =>
  (
    await stage.db.read
      .selectFrom('users')
      .select('stored_bytes')
      .where('id', '=', alice.id)
      .executeTakeFirstOrThrow()
  ).stored_bytes;

const NO_MORE = {
  code: 'QUOTA_REACHED',
  status: 429,
  message: '今天发表的评论已达上限（3 条），请明天再试',
};

describe(`quotas on ${ENGINE}`, () => {
  test('hold until midnight in the site’s zone, for each account', async () => {
    for (let index = 0; index < 3; index++) await comment();
    await expect(comment()).rejects.toMatchObject({ ...NO_MORE, retryAfter: 60 });
    await comment(await add('bob'));
    time += 59_999;
    await expect(comment()).rejects.toMatchObject({ ...NO_MORE, retryAfter: 1 });
    time += 1;
    for (let index = 0; index < 3; index++) await comment();
    await expect(comment()).rejects.toMatchObject({ ...NO_MORE, retryAfter: 86_400 });
  });

  test('of a minute last to its end', async () => {
    time += 20_500;
    const use = () => stage.db.write((trx) => quotas.use(trx, alice, { commentsInMinute: 1 }));
    await use();
    await use();
    await expect(use()).rejects.toMatchObject({
      code: 'QUOTA_REACHED',
      message: '评论过于频繁，一分钟最多 2 条，请稍后再试',
      retryAfter: 40,
    });
    time += 39_500;
    await use();
  });

  test('are exact for 20 concurrent requests, without counting refused or rolled back ones', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => comment()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const before = await counts();
    expect(before).toMatchObject([{ user_id: alice.id, kind: 'comments', used: 3 }]);
    const upload = stage.db.write(async (trx) => {
      await quotas.use(trx, alice, { uploads: 1 });
      throw new Error('something else');
    });
    await expect(upload).rejects.toThrow('something else');
    await expect(comment()).rejects.toMatchObject(NO_MORE);
    expect(await counts()).toEqual(before);
  });

  test('report beforehand that nothing is left, without counting that', async () => {
    const upload = (bytes: number) => stage.db.write((trx) => quotas.use(trx, alice, { uploadBytes: bytes }));
    await upload(LIMITS.uploadBytes - 1);
    await quotas.requireSome(alice, ['uploads', 'uploadBytes', 'storage']);
    await upload(1);
    await expect(quotas.requireSome(alice, ['uploads', 'uploadBytes'])).rejects.toMatchObject({
      code: 'QUOTA_REACHED',
      message: '今天上传的图片已达上限（2 MB），请明天再试',
    });
    await store(LIMITS.storage);
    await expect(quotas.requireSome(alice, ['storage'])).rejects.toMatchObject({ code: 'ACCOUNT_FULL' });
    expect(await counts()).toHaveLength(1);
  });

  test('a full account may only shrink', async () => {
    await store(LIMITS.storage - 10);
    await expect(store(11)).rejects.toMatchObject({
      code: 'ACCOUNT_FULL',
      status: 200,
      message: '存储空间已用完（图片和文章共 1 MB），这次没有保存。需要更多空间请联系站长',
    });
    expect(await stored()).toBe(LIMITS.storage - 10);
    await store(10);
    // The operator has lowered the quota.
    quotas = quotasWith({ ...LIMITS, storage: 100 });
    await store(-5);
    await expect(store(1)).rejects.toMatchObject({ code: 'ACCOUNT_FULL' });
    expect(await stored()).toBe(LIMITS.storage - 5);
  });

  test('do not apply to the operator, nor with RATE_LIMIT=off; storage is still counted', async () => {
    const operator = { ...alice, isUnlimited: true };
    for (let index = 0; index < 5; index++) await comment(operator);
    await store(LIMITS.storage * 2, operator);
    quotas = quotasWith(null);
    for (let index = 0; index < 5; index++) await comment();
    await store(LIMITS.storage);
    await quotas.requireSome(alice, ['comments', 'storage']);
    expect([await counts(), await stored()]).toEqual([[], LIMITS.storage * 3]);
  });

  test('counts of former days are removed', async () => {
    await comment();
    time += 86_400_000;
    await comment();
    time += 2 * 86_400_000;
    expect(await quotas.purgeExpired()).toBe(1);
    expect(await counts()).toHaveLength(1);
  });
});

test('guides and imports belong to the operator, regardless of quotas', async () => {
  await using folder = await temporaryFolder();
  await using storage = await createStorage(folder.path);
  const none = Object.fromEntries(
    ['UPLOADS', 'UPLOAD_MB', 'COMMENTS', 'TAGS', 'ARTICLES', 'STORAGE_MB'].map((name) => [
      `QUOTA_${name}`,
      '0',
    ]),
  );
  const settings = { ...storage.settings, LOG_LEVEL: 'silent', ...none };
  const app = await createApp(readConfig(settings));
  try {
    await publishGuides(app);
    expect((await app.services.users.statistics()).pageNum).toBe(3);
    const { imports, accounts, articles } = app.services;
    const { id, username } = await accounts.add({
      username: '王维',
      password: '松风吹解带山月照弹琴',
      bio: '',
    });
    const author = { id, username, signinId: '', origin: '' };
    const record = (await imports.reserve(id, ['/a.md'])).get('/a.md');
    const fields = {
      title: '题',
      content: '文',
      tags: ['新'],
      status: 'normal',
      secret: false,
      type: '',
    } as const;
    if (!record) throw new Error('no record');
    const entry = { record, fileHash: 'a'.repeat(64), fields: { ...fields, tags: [...fields.tags] } };
    expect(await imports.save(author, entry, { force: false })).toMatchObject({ saved: 'created' });
    await expect(articles.create(entry.fields, author)).rejects.toMatchObject({ code: 'QUOTA_REACHED' });
  } finally {
    await app.close();
  }
});

test('the migration counts content stored before quotas existed', async () => {
  await using folder = await temporaryFolder();
  await using storage = await createStorage(folder.path);
  const app = await createApp(readConfig({ ...storage.settings, LOG_LEVEL: 'silent' }));
  try {
    await publishGuides(app);
    const all = () => app.db.read.selectFrom('users').select(['username', 'stored_bytes']).execute();
    const kept = await all();
    expect(kept[0]?.stored_bytes).toBeGreaterThan(1000);
    await app.db.write((trx) => sql.raw('update users set stored_bytes = 0').execute(trx));
    await countStored(app.db);
    expect(await all()).toEqual(kept);
  } finally {
    await app.close();
  }
});
