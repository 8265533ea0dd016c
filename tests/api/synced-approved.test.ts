import { afterAll, beforeAll, expect, test } from 'vitest';
import { decide } from './decide.ts';
import { done, openServer, PASSWORD, type Answer, type Person, type TestServer } from './server.ts';

let server: TestServer;
let author: Person;
let editor: Person;
let token: string;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('摩诘');
  editor = await server.join('老李');
  await server.app.services.roles.set(editor.username, 'editor', null);
  await server.app.services.options.change({ holdArticles: 'all' }, null);
  const wanted = { name: '同步', scopes: ['articles:read', 'articles:write'], days: 7, password: PASSWORD };
  token = done(await server.post('/api/user/tokens/create', wanted, author.token)).token;
});
afterAll(() => server?.close());

const send = (path: string, init: RequestInit = {}): Promise<Answer> =>
  server.send(`/api/articles/by-path${path}`, { ...init, headers: { Authorization: `Bearer ${token}` } });
const put = (name: string, text: string) =>
  send(`/${encodeURIComponent(name)}.md`, { method: 'PUT', body: `# ${name}\n\n${text}\n` });
const stateOf = async (name: string) =>
  done(await send('')).files.find((file: { path: string }) => file.path === `${name}.md`)?.state;
const contentOf = async (id: string) =>
  done(await server.post('/api/page/editdetail', { id }, author.token)).content;

/** Puts a file that staff approves, and another text at its path, which waits for staff. */
async function putTwice(name: string): Promise<string> {
  const { id } = done(await put(name, '第一稿'));
  done(await decide(server, 'article', { ids: [id], action: 'restore' }, editor.token));
  done(await put(name, '另写的第二稿，和第一稿完全不同'));
  expect(await contentOf(id)).not.toContain('第二稿');
  return id;
}

async function approve(id: string): Promise<void> {
  const fields = { ids: [id], action: 'approve' };
  expect(done(await decide(server, 'article', fields, editor.token)).done).toEqual([id]);
}

test('a file whose change staff approves is the article, so the next change is no conflict', async () => {
  const id = await putTwice('同');
  await approve(id);
  expect(await contentOf(id)).toContain('第二稿');
  expect(await stateOf('同')).toBe('same');
  done(await put('同', '第三稿，又是完全不同的内容'));
});

test('a file counts as edited if staff approves what its author typed on the site after it', async () => {
  const id = await putTwice('异');
  const fields = {
    id,
    title: '异',
    tags: ['诗'],
    content: '在网站上又改成了完全不同的内容',
    status: 'normal',
    secret: 'false',
  };
  done(await server.post('/api/page/edit', fields, author.token));
  await approve(id);
  expect(await contentOf(id)).toContain('在网站上');
  expect(await stateOf('异')).toBe('edited');
  expect((await put('异', '第三稿')).error).toBe('FILE_CHANGED');
});
