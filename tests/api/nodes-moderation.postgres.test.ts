import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openProxy } from '../postgres/proxy.ts';
import { decide } from './decide.ts';
import { isCurrent, openNodes, type Nodes } from './nodes.ts';
import { done, outcome, PASSWORD, refused, type Person, type TestServer, type Untyped } from './server.ts';

const TEXT = '荆溪白石出，天寒红叶稀。山路元无雨，空翠湿人衣。';
const CHANGED = '本店新到一批明前好茶，欢迎选购';

let nodes: Nodes;
let author: Person;
let operator: Person;

beforeAll(async () => {
  nodes = await openNodes();
  author = await nodes.a.join('摩诘');
  operator = await nodes.a.join('老王');
  await nodes.a.app.services.roles.set(operator.username, 'operator', null);
});
afterAll(() => nodes?.close());
beforeEach(async () => {
  await setOptions(nodes.a, { holdArticles: 'none', holdComments: 'none', keepOrigins: 0 });
});

const setOptions = async (node: TestServer, fields: Record<string, string | number>) =>
  done(await node.post('/api/staff/options/change', fields, operator.token));
const moderate = async (node: TestServer, id: string, action: string, note = '') =>
  done(await decide(node, 'article', { ids: [id], action, note }, operator.token));
const edit = async (node: TestServer, id: string, content: string) => {
  const fields = { id, title: '山中', content, tags: ['诗'], status: 'normal', secret: 'false' };
  return done(await node.post('/api/page/edit', fields, author.token));
};
const heldOn = async (node: TestServer, id: string) =>
  done(await node.post('/api/staff/held', { pageSize: 100 }, operator.token)).result.filter(
    ({ _id }: Untyped) => _id === id,
  );
const pageOn = async (node: TestServer, id: string) => (await node.get(`/detail/${id}`)).text;

/** Publishes an article through A that staff approved through B. */
async function approved(): Promise<string> {
  await setOptions(nodes.a, { holdArticles: 'all' });
  const id = await nodes.a.write(author, { title: '山中', content: TEXT });
  await moderate(nodes.b, id, 'restore');
  return id;
}

// Nothing here waits: each request follows the response to the write on the other node.
describe('a request to the other node sees', () => {
  test('an imported list of words, and each removal', async () => {
    const id = await nodes.a.write(author);
    const say = (content: string) =>
      nodes.b.post('/api/comment/create', { page_id: id, content }, author.token);
    for (const word of ['代购', '开锁', '发票', '贷款', '刻章']) {
      expect(done(await say(`可以${word}`))).not.toHaveProperty('state');
      const file = { text: `${word}\t拒绝发布\n。。。\n`, action: 'hold', category: '' };
      done(await nodes.a.post('/api/staff/words/import', file, operator.token));
      expect(outcome(await say(`可以 ${word}`))).toEqual(refused(`「${word}」不能出现在这里，请修改后再发`));
      const listed = done(await nodes.b.post('/api/staff/words', { q: word }, operator.token));
      const ids = listed.result.map(({ _id }: Untyped) => _id);
      done(await nodes.b.post('/api/staff/words/remove', { ids }, operator.token));
      const tried = await nodes.a.post('/api/staff/words/trial', { text: word }, operator.token);
      expect(done(tried).found).toEqual([]);
    }
  });

  test('options: how changes are reviewed, and whether addresses are recorded', async () => {
    const id = await approved();
    await setOptions(nodes.a, { holdChanges: 'always', keepOrigins: 30 });
    expect(await edit(nodes.b, id, `${TEXT}。`)).toMatchObject({ pending: true });
    await setOptions(nodes.b, { holdChanges: 'never' });
    expect(await edit(nodes.a, id, CHANGED)).not.toHaveProperty('pending');
    await setOptions(nodes.a, { holdChanges: 'size' });
    const found = await nodes.b.post('/api/staff/origins', { keywords: id }, operator.token);
    expect(done(found).total).toBeGreaterThan(0);
  });

  test('a refusal, the changed article submitted again, and its approval', async () => {
    await setOptions(nodes.a, { holdArticles: 'all' });
    const id = await nodes.a.write(author, { title: '山中', content: TEXT });
    expect(await heldOn(nodes.b, id)).toMatchObject([{ reasons: ['all'] }]);
    await moderate(nodes.b, id, 'hide', '请注明出处');
    const review = async (node: TestServer) =>
      done(await node.post('/api/page/review', { id }, author.token));
    expect(await review(nodes.a)).toMatchObject({ note: '未通过：请注明出处', can_resubmit: true });
    await edit(nodes.a, id, `${TEXT}（王右丞集）`);
    done(await nodes.a.post('/api/page/resubmit', { id }, author.token));
    expect(await heldOn(nodes.b, id)).toMatchObject([{ reasons: ['all', 'resubmitted'] }]);
    expect(await pageOn(nodes.a, id)).not.toContain('王右丞集');
    await moderate(nodes.b, id, 'restore');
    expect(await pageOn(nodes.a, id)).toContain('王右丞集');
    expect(await review(nodes.a)).toMatchObject({ state: 'shown', note: '' });
  });

  test('a pending change only once it is approved, and one of two decisions counts', async () => {
    const id = await approved();
    for (const node of [nodes.a, nodes.b]) expect(await pageOn(node, id)).toContain('空翠湿人衣');
    expect(await edit(nodes.a, id, CHANGED)).toMatchObject({ pending: true });
    for (const node of [nodes.a, nodes.b]) expect(await pageOn(node, id)).not.toContain(CHANGED);
    const read = done(await nodes.b.post('/api/staff/read', { kind: 'article', id }, operator.token));
    expect(read).toMatchObject({ content: TEXT, change: { content: CHANGED } });
    const fields = { ids: [id], action: 'approve', versions: [read.version] };
    const answers = await Promise.all(
      [nodes.a, nodes.b].map((node) => decide(node, 'article', fields, operator.token)),
    );
    expect(answers.map(({ code, error = '' }) => code + error).sort()).toEqual([
      'ERRORVERSION_CHANGED',
      'OK',
    ]);
    for (const node of [nodes.a, nodes.b]) {
      expect(await pageOn(node, id)).toContain(CHANGED);
      expect(await heldOn(node, id)).toEqual([]);
    }
    const decisions = await nodes.storage.rows(
      `select state from moderation_decisions where item_id = '${id}'`,
    );
    expect(decisions).toHaveLength(2);
  });

  test('a role given and taken away', async () => {
    const helper = await nodes.b.join('候选');
    const role = async (node: TestServer, name: string, fields = {}) =>
      done(
        await node.post('/api/staff/users/role', { username: '候选', role: name, ...fields }, operator.token),
      );
    const mayOn = async (node: TestServer, path: string) =>
      (await node.post(path, { pageSize: 1 }, helper.token)).error !== 'NOT_ALLOWED';
    expect(await mayOn(nodes.b, '/api/staff/held')).toBe(false);
    await role(nodes.a, 'editor');
    expect(await mayOn(nodes.b, '/api/staff/held')).toBe(true);
    expect(await mayOn(nodes.b, '/api/staff/options')).toBe(false);
    await role(nodes.b, 'operator', { password: PASSWORD });
    expect(await mayOn(nodes.a, '/api/staff/options')).toBe(true);
    await role(nodes.a, 'author', { password: PASSWORD });
    for (const path of ['/api/staff/held', '/api/staff/options'])
      expect(await mayOn(nodes.b, path)).toBe(false);
  });

  test('an access token made, its account banned, and the token revoked', async () => {
    const owner = await nodes.b.join('持令牌的人');
    const wanted = { name: '同步', scopes: ['profile:read'], days: 7, password: PASSWORD };
    const { token } = done(await nodes.a.post('/api/user/tokens/create', wanted, owner.token));
    const useOn = async (node: TestServer) => (await node.post('/api/statistics', {}, token)).status;
    expect([await useOn(nodes.b), await useOn(nodes.a)]).toEqual([200, 200]);
    const { bans } = nodes.a.app.services;
    await bans.ban({ username: owner.username, until: null, reason: '广告', hides: false }, null);
    expect(await useOn(nodes.b)).toBe(401);
    await bans.unban(owner.username, null);
    expect(await useOn(nodes.b)).toBe(200);
    const { accessTokens, users } = nodes.a.app.services;
    const id = (await users.find(owner.username))?._id ?? '';
    const [listed] = await accessTokens.list({ id });
    await accessTokens.revoke({ id }, listed?.id ?? '');
    expect(await useOn(nodes.b)).toBe(401);
  });
});

test('a node whose notices are late applies words listed on the other, and builds its search once', async () => {
  await using network = await openProxy();
  const { a, b, close } = await openNodes({ through: network.through });
  const list = (word: string) => a.app.services.words.add([word], { category: '', action: 'hold' }, null);
  const { filter } = b.app.services.words;
  const found = async (text: string) => (await filter()).find(text).length;
  await list('代购');
  network.delay(150);
  await expect.poll(() => isCurrent(b)).toBe(false);
  expect(await filter()).toBe(await filter());
  expect([await found('代购'), await found('开锁')]).toEqual([1, 0]);
  await list('开锁');
  expect([await found('代购'), await found('开锁')]).toEqual([1, 1]);
  expect(isCurrent(b)).toBe(false);
  await close();
});
