import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatMinute } from '../../src/lib/shared/time.ts';
import { DAY_MS } from '../../src/lib/contract/rules/units.ts';
import { connectAssistant, type Assistant } from './assistant.ts';
import { createToken } from './editor.ts';
import { done, openServer, type Answer, type Person, type TestServer, type Untyped } from './server.ts';

let server: TestServer;
let author: Person;
let token: string;
let assistant: Assistant;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  token = await createToken(server, author);
  await server.app.services.options.change({ mcp: true }, null);
  assistant = await connectAssistant(server.url, token);
});
afterAll(async () => {
  await assistant?.client.close();
  await server?.close();
});

const inDays = (days: number) =>
  new Date(Math.trunc((Date.now() + days * DAY_MS) / 1000) * 1000).toISOString();
const sourceOf = async (id: string) => done(await server.post('/api/page/editdetail', { id }, author.token));
const planned = async (id: string): Promise<string | null> =>
  done(await server.post('/api/page/schedule/detail', { id }, author.token)).schedule?.publish_time ?? null;
const isPublic = async (id: string) => (await server.post('/api/page/detail', { id })).code === 'OK';
const pathOf = (path: string) => `/api/articles/by-path/${path.split('/').map(encodeURIComponent).join('/')}`;
const headers = () => ({ Authorization: `Bearer ${token}` });
const put = (path: string, body: string, more = {}): Promise<Answer> =>
  server.send(pathOf(path), { method: 'PUT', headers: { ...headers(), ...more }, body });
const list = async () => done(await server.send('/api/articles/by-path', { headers: headers() })).files;

describe('a file with a date in the future', () => {
  const later = inDays(3);
  const file = (date: string | null, text = '正文') =>
    `---\ntitle: 以后\ntags: [诗]\n${date === null ? '' : `date: ${date}\n`}---\n${text}\n`;
  const zoned = (time: string) => formatMinute(time, 'Asia/Shanghai');

  test('is published then, and stays the same file', async () => {
    const soon = inDays(1 / 144);
    const { id, notes } = done(await put('以后/甲.md', file(soon)));
    expect(notes).toEqual([`日期在将来，已定时在 ${zoned(soon)} 发布`]);
    expect([await isPublic(id), await planned(id)]).toEqual([false, soon]);
    expect(done(await put('以后/甲.md', file(soon))).outcome).toBe('same');
    server.pass(601);
    expect(await server.app.services.schedules.publishDue()).toBe(1);
    expect(await isPublic(id)).toBe(true);
    expect((await list()).find((each: { path: string }) => each.path === '以后/甲.md')).toMatchObject({
      state: 'same',
    });
    done(await put('以后/甲.md', file(soon, '改')));
    expect(await sourceOf(id)).toMatchObject({ content: '改', status: 'normal', create_time: soon });
    server.pass(-601);
  });

  test('moves with the date, and becomes public with a past one', async () => {
    const other = inDays(5);
    const { id } = done(await put('以后/乙.md', file(later)));
    done(await put('以后/乙.md', file(other)));
    expect([await isPublic(id), await planned(id)]).toEqual([false, other]);
    const { notes } = done(await put('以后/乙.md', file(null)));
    expect(notes).toEqual([`文章已定时在 ${zoned(other)} 发布，没有提前公开`]);
    expect([await isPublic(id), await planned(id)]).toEqual([false, other]);
    done(await put('以后/乙.md', file('2020-01-07T12:00:00Z')));
    expect(await sourceOf(id)).toMatchObject({ status: 'normal', create_time: '2020-01-07T12:00:00.000Z' });
    expect(await planned(id)).toBeNull();
  });

  test.each([
    ['without a date', null],
    ['with the date that the article has', '2020-01-07T12:00:00Z'],
  ])('%s does not publish an article that is scheduled on the site', async (name, date) => {
    const draft = file(date).replace('---\n', '---\ndraft: true\n');
    const { id } = done(await put(`以后/${name}.md`, draft));
    done(await server.post('/api/page/schedule', { id, publish_time: later }, author.token));
    done(await put(`以后/${name}.md`, file(date)));
    expect([await isPublic(id), await planned(id)]).toEqual([false, later]);
  });

  test('of a scheduled article comes back with it after an edit on the site', async () => {
    const { id } = done(await put('以后/丙.md', file(later)));
    const { title, tags } = await sourceOf(id);
    const edited = { id, title, tags, content: '站上改的', status: 'draft' };
    done(await server.post('/api/page/edit', edited, author.token));
    const present = (await server.send(pathOf('以后/丙.md'), { headers: headers() })).text;
    expect(present).not.toContain('draft:');
    done(await put('以后/丙.md', `${present}改`, { 'If-Match': '*' }));
    expect([await isPublic(id), await planned(id)]).toEqual([false, later]);
  });

  test('more than a year ahead is a draft; of a published article it is refused', async () => {
    const far = done(await put('以后/丁.md', file(inDays(400))));
    expect(far.notes).toEqual(['日期在一年以后，存为草稿，没有定时发布']);
    expect([await isPublic(far.id), await planned(far.id)]).toEqual([false, null]);
    const shown = done(await put('以后/戊.md', file(null)));
    const refused = await put('以后/戊.md', file(later, '改'));
    expect([refused.error, refused.data]).toEqual(['FIELD_INVALID', '文章已经发布，日期不能改到将来']);
    expect(await sourceOf(shown.id)).toMatchObject({ status: 'normal', content: '正文' });
  });
});

describe('a scheduled article, for an assistant,', () => {
  const publish_time = inDays(3);

  test('keeps its schedule when it is changed, and is published early only on request', async () => {
    const id = await server.write(author, { status: 'draft' });
    done(await server.post('/api/page/schedule', { id, publish_time }, author.token));
    await assistant.succeed('update_draft', { id, content: '改' });
    expect(await sourceOf(id)).toMatchObject({ status: 'draft', content: '改' });
    expect(await planned(id)).toBe(publish_time);
    expect(await assistant.succeed('read_article', { id })).toMatchObject({ scheduled_time: publish_time });
    const { articles } = await assistant.succeed('list_own_articles', { status: 'draft' });
    expect(articles.find((each: Untyped) => each.id === id)).toMatchObject({ scheduled_time: publish_time });
    expect(await assistant.refusal('publish_article', { id })).toBe(
      `文章定在 ${publish_time} 发布；要提前发布，请先问作者`,
    );
    expect(await isPublic(id)).toBe(false);
    await assistant.succeed('publish_article', { id, early: true });
    expect(await isPublic(id)).toBe(true);
    expect(await planned(id)).toBeNull();
  });

  test('may be a draft with a date', async () => {
    const id = await server.write(author, { status: 'draft', publish_time });
    expect(await assistant.refusal('publish_article', { id })).toContain(publish_time);
    expect(await isPublic(id)).toBe(false);
  });
});
