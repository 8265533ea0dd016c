import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp, type App } from '../../src/lib/server/app.ts';
import { readConfig } from '../../src/lib/server/config/config.ts';
import { createStorage, type TestStorage } from '../engine.ts';
import { runMoye } from './import-command.ts';
import { siteOf } from './import-stage.ts';

// Each command is a process, and some tests run six.
vi.setConfig({ testTimeout: 180_000 });

const PASSWORD = '一个足够长的密码';
const UNKNOWN_ID = '0123456789abcdef01234567';

let place: string;
let storage: TestStorage;
let articleId: string;
let commentId: string;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'moye-staff-command-'));
  storage = await createStorage(join(place, 'data'));
  await inApp(async ({ services: { auth, articles, comments } }) => {
    const add = async (username: string) => {
      const account = { username, password: PASSWORD, gender: 'x', bio: '' } as const;
      return { id: await auth.addUser(account), username, signinId: '', origin: '' };
    };
    const [wei, di] = [await add('王维'), await add('裴迪')];
    const fields = { title: '鹿柴', content: '空山', tags: ['诗'], type: '', secret: false } as const;
    articleId = (await articles.create({ ...fields, tags: ['诗'], status: 'normal' }, wei)).id;
    const comment = { page_id: articleId, content: '好诗', reply_user: '', reply_content: '' };
    commentId = (await comments.create({ ...comment, request_id: '' }, di))._id;
  });
});
afterAll(async () => {
  await storage?.remove();
  rmSync(place, { recursive: true, force: true });
});

/** Opens an app to inspect the results of a command. */
async function inApp<T>(look: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp(readConfig(siteOf(storage)));
  try {
    return await look(app);
  } finally {
    await app.close();
  }
}
const moye = (...words: string[]) => runMoye(storage, words);
/** Returns the error of a refused command: one line, and no output. */
const refusalOf = async (...words: string[]) => {
  const { code, output, errors } = await moye(...words);
  expect([code === 0, output, errors.trim().split('\n').length]).toEqual([false, '', 1]);
  return errors;
};
const FROM = { address: '192.0.2.1' };
const signIn = (username: string) =>
  inApp(({ services: { auth } }) =>
    auth.signin({ username, password: PASSWORD }, FROM).then(
      () => '',
      (error: Error) => error.message,
    ),
  );
const actions = () =>
  inApp(async ({ services: { auditLists } }) =>
    (await auditLists.list({ keywords: '', page: 1, pageSize: 100 })).result.map(({ action }) => action),
  );

describe('moye user', () => {
  test('role changes a role, prints the previous one, and is audited', async () => {
    expect((await moye('user', 'role', '王维', 'operator')).output).toBe('王维 从作者改为站长\n');
    expect((await moye('user', 'role', '王维', 'operator')).output).toBe('王维 已经是站长\n');
    expect(await refusalOf('user', 'role', '王维', 'author')).toContain('至少要有一位站长');
    expect(await refusalOf('user', 'role', '王维', 'king')).toContain('没有 king 这种身份');
    expect(await refusalOf('user', 'role', '查无此人', 'editor')).toContain('用户不存在');
    expect(await actions()).toEqual(['user.role']);
    expect((await moye('user', 'list')).output).toMatch(/王维\s+站长/);
  });

  test('ban expires, has a reason, hides content on request, and unban shows it again', async () => {
    const unreasoned = await moye('user', 'ban', '裴迪');
    expect([unreasoned.code === 0, unreasoned.output]).toEqual([false, '']);
    expect(unreasoned.errors).toContain('--reason');
    expect(await refusalOf('user', 'ban', '裴迪', '--reason', '  ')).toContain('请写明理由');
    expect(await refusalOf('user', 'ban', '裴迪', '--reason', '广告', '--days', '0')).toContain('天数');
    expect(await refusalOf('user', 'ban', '王维', '--reason', '广告')).toMatch(/站长|权限/);
    const banned = await moye('user', 'ban', '裴迪', '--reason', '广告', '--days', '3', '--hide');
    expect(banned.output).toBe('已封禁 裴迪 3 天，并退出其所有登录\n');
    expect(await signIn('裴迪')).toContain('广告');
    const shown = () => inApp(({ services }) => services.comments.find(commentId, null));
    expect(await shown()).toBeNull();
    expect((await moye('user', 'unban', '裴迪')).output).toBe('已解除对 裴迪 的封禁\n');
    expect(await signIn('裴迪')).toBe('');
    expect(await shown()).not.toBeNull();
  });

  test('rescue prints a link that sets a password once', async () => {
    expect(await refusalOf('user', 'rescue', '查无此人')).toContain('用户不存在');
    const { output } = await moye('user', 'rescue', '裴迪');
    const token = /\/reset#(\S+)/.exec(output)?.[1] ?? '';
    expect(token).not.toBe('');
    const reset = () =>
      inApp(({ services: { recovery } }) =>
        recovery.reset({ token, new_password: '另一个足够长的密码' }, FROM).then(
          () => '',
          (error: Error) => error.message,
        ),
      );
    expect(await reset()).toBe('');
    expect(await reset()).toBe('链接已经用过或者过期了');
    expect(await signIn('裴迪')).toBe('用户名或密码错误');
  });
});

describe('moye user rescue --second-factor', () => {
  const rescue = async (name: string) => (await moye('user', 'rescue', name, '--second-factor')).output;

  test('names the passkeys that the link removes, and only those of the account', async () => {
    const key = { public_key: '', sign_count: 0, transports: '[]', create_time: 1, last_used: 1 };
    const owner = await inApp(async ({ db, services: { auth } }) => {
      const add = (username: string) =>
        auth.addUser({ username, password: PASSWORD, gender: 'x', bio: '' } as const);
      const [id, other] = [await add('储光羲'), await add('綦毋潜')];
      await db.write((trx) =>
        trx
          .insertInto('passkeys')
          .values([
            { ...key, id: 'phone', user_id: id, name: '旧手机' },
            { ...key, id: 'safe', user_id: id, name: '保险柜里的 YubiKey' },
            { ...key, id: 'other', user_id: other, name: '别人的平板' },
          ])
          .execute(),
      );
      return id;
    });
    const output = await rescue('储光羲');
    expect(output).toContain('把这个链接交给 储光羲 本人');
    const [, named = ''] = /两步验证和这些通行密钥一并去掉：(.*)\n/.exec(output) ?? [];
    expect(named.split('、').toSorted()).toEqual(['保险柜里的 YubiKey', '旧手机'].toSorted());
    const passkeys = () =>
      inApp(async ({ services }) => (await services.passkeys.list(owner)).map(({ name }) => name));
    expect(await passkeys()).toHaveLength(2);
    const token = /\/reset#(\S+)/.exec(output)?.[1] ?? '';
    await inApp(({ services: { recovery } }) =>
      recovery.reset({ token, new_password: '另一个足够长的密码' }, FROM),
    );
    expect(await passkeys()).toEqual([]);
  });

  test('says that an account has no passkeys; without the option it names none', async () => {
    expect(await rescue('綦毋潜')).toContain('一并去掉：别人的平板\n');
    expect((await moye('user', 'rescue', '綦毋潜')).output).not.toContain('别人的平板');
    expect(await rescue('储光羲')).toContain('用了它，两步验证一并去掉，没有通行密钥\n');
  });
});

describe('moye token', () => {
  test('lists tokens with owner, scopes and last use, and revokes one, which is audited', async () => {
    expect((await moye('token', 'list')).output).toBe('没有访问令牌\n');
    const token = await inApp(async ({ services: { accessTokens, auth } }) => {
      const account = { username: '孟浩然', password: PASSWORD, gender: 'x', bio: '' } as const;
      const owner = { id: await auth.addUser(account), username: '孟浩然', signinId: '', origin: '' };
      const wanted = { name: '同步', scopes: ['articles:read'] as const, days: 7, password: PASSWORD };
      const made = await accessTokens.create(owner, wanted, FROM);
      await accessTokens.bearerOf(`Bearer ${made.token}`, '203.0.113.9');
      return made.token;
    });
    const { output } = await moye('token', 'list');
    expect(output).toMatch(
      /[0-9a-f]{24} +孟浩然 +同步 +articles:read +\d{4}-\d\d-\d\d +\d{4}-\d\d-\d\d +203\.0\.113\.9/,
    );
    expect((await moye('token', 'list', '--user', '王维')).output).toBe('没有访问令牌\n');
    expect(await refusalOf('token', 'list', '--user', '查无此人')).toContain('用户不存在');
    const id = /[0-9a-f]{24}/.exec(output)?.[0] ?? '';
    expect((await moye('token', 'revoke', id)).output).toBe('已撤销 孟浩然 的访问令牌「同步」\n');
    expect(await refusalOf('token', 'revoke', id)).toContain('没有这个访问令牌');
    const use = inApp(({ services: { accessTokens } }) => accessTokens.bearerOf(`Bearer ${token}`, ''));
    await expect(use).rejects.toMatchObject({ code: 'ACCESS_TOKEN_INVALID' });
    expect((await actions())[0]).toBe('user.revoke_token');
  });
});

describe('moye content', () => {
  const articleFor = () => inApp(({ services }) => services.articles.find(articleId, null));

  test('hides, restores and deletes articles and comments, and reports each result', async () => {
    const hidden = await moye('content', 'hide', 'article', articleId, UNKNOWN_ID, '--reason', '看一看');
    expect(hidden.output).toBe(`已隐藏文章 ${articleId}\n${UNKNOWN_ID} 没有变化：已经如此，或不存在\n`);
    expect(await articleFor()).toBeNull();
    const restored = await moye('content', 'restore', 'article', articleId.toUpperCase());
    expect(restored.output).toBe(`已恢复文章 ${articleId}\n`);
    expect(await articleFor()).not.toBeNull();
    const deleted = await moye('content', 'delete', 'comment', commentId, '--reason', '广告');
    expect(deleted.output).toBe(`已删除评论 ${commentId}\n`);
    expect(await inApp(({ services }) => services.comments.find(commentId, null))).toBeNull();
    expect((await actions()).slice(0, 3)).toEqual(['comment.delete', 'article.restore', 'article.hide']);
  });

  test('refuses unknown kinds and invalid ids, and changes nothing', async () => {
    expect(await refusalOf('content', 'hide', 'user', articleId)).toContain('没有 user 这种内容');
    expect(await refusalOf('content', 'hide', 'article', '../1')).toContain('不是编号');
    expect(await refusalOf('content', 'hide', 'article', articleId, 'x')).toContain('不是编号');
    expect(await articleFor()).not.toBeNull();
  });
});

describe('moye profile', () => {
  test('shows an account’s profile, removes parts by id, and is audited', async () => {
    const made = await inApp(async ({ services: { auth, series, tags } }) => {
      const account = { username: '下流话', password: PASSWORD, gender: 'x', bio: '不堪的简介' } as const;
      const id = await auth.addUser(account);
      const viewer = { id, username: '下流话', signinId: '', origin: '' };
      const fields = { title: '不堪的专栏', description: '不堪的介绍', cover: '' };
      const { _id: seriesId } = await series.create(fields, viewer);
      const { _id: tagId } = await tags.create({ name: '某标签', description: '不堪的描述' }, viewer);
      return { seriesId, tagId };
    });
    const { output } = await moye('profile', 'show', '下流话');
    for (const text of [
      '不堪的简介',
      `专栏 ${made.seriesId}：不堪的专栏，介绍：不堪的介绍`,
      `标签 ${made.tagId}`,
    ])
      expect(output).toContain(text);
    const remove = (...words: string[]) => moye('profile', 'remove', ...words, '--reason', '违规');
    expect((await remove('user', '下流话', 'bio')).output).toBe('已移除\n');
    expect((await remove('series', made.seriesId, 'title')).output).toBe('已移除，现在是「未命名专栏」\n');
    expect((await remove('tag', made.tagId, 'description')).output).toBe('已移除\n');
    const [, name = ''] = /「(用户-\w{8})」/.exec((await remove('user', '下流话', 'username')).output) ?? [];
    const left = (await moye('profile', 'show', name)).output;
    expect(left.match(/不堪的../g)).toEqual(['不堪的介绍']);
    expect(await signIn('下流话')).toBe('');
    expect((await actions()).slice(0, 4)).toEqual([
      'user.remove',
      'tag.describe',
      'series.remove',
      'user.remove',
    ]);
    expect(await refusalOf('profile', 'remove', 'user', name, 'password', '--reason', '违规')).toContain(
      '没有这项资料',
    );
    expect(await refusalOf('profile', 'show', '查无此人')).toContain('用户不存在');
  });
});

describe('moye invite', () => {
  test('creates a code with its URL, lists it with its users, and revokes it', async () => {
    expect((await moye('invite', 'list')).output).toContain('还没有邀请码');
    const added = await moye('invite', 'add', '--uses', '2', '--days', '3', '--note', '给老友');
    const [, code = ''] = /^邀请码 (\w+)\n/.exec(added.output) ?? [];
    expect(added.output).toContain(`/signup?invite=${code}\n`);
    const account = { username: '老友', password: PASSWORD, gender: 'x', bio: '', invite: code } as const;
    const from = { ...FROM, client: '' };
    await inApp(({ services }) => services.signups.signUp(account, from));
    const listed = (await moye('invite', 'list')).output;
    expect(listed).toMatch(new RegExp(`${code}\\s+1/2\\s.*老友\\s+给老友`));
    expect((await moye('invite', 'end', code.toLowerCase())).output).toBe('邀请码已停用\n');
    expect((await moye('invite', 'list')).output).toContain('不能再用');
  });

  test('refuses numbers out of range and unknown codes', async () => {
    expect(await refusalOf('invite', 'add', '--uses', '0')).toContain('1–1000');
    expect(await refusalOf('invite', 'add', '--days', '1.5')).toContain('1–365');
    expect(await refusalOf('invite', 'end', 'AAAABBBBCCCC')).toContain('没有这个邀请码');
  });
});
