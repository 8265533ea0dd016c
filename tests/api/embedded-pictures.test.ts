import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MIB } from '../../src/lib/contract/rules/units.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { connectAssistant } from './assistant.ts';
import { createToken, openEditorStage, POST, type EditorStage } from './editor.ts';
import { authorOf, run } from './publish-stage.ts';
import { done, openServer, type Person, type Untyped } from './server.ts';

const FILE = /\/api\/file\/[0-9a-f]{32}-\d+x\d+\.png/g;
const NOT_A_PICTURE = '![坏](data:text/html;base64,PGI+)';
const ABOUT_IT = ['1 张内嵌的图片没有存成文件，保留原样：不是图片，而是 text/html'];

let stage: EditorStage;
let person: Person;
let widths = 10;
beforeAll(async () => {
  stage = await openEditorStage();
  person = stage.author;
  await stage.server.app.services.options.change({ mcp: true }, null);
});
afterAll(() => stage?.server.close());

/** A picture that no other test has. */
async function newPicture(): Promise<string> {
  const png = await twoColours(++widths, 8).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
}
const article = { title: '题', tags: ['诗'], status: 'normal', secret: 'false' };
const create = (fields: Record<string, string | string[]>, token = person.token) =>
  stage.server.post('/api/page/new', { ...article, ...fields }, token);
const source = async (id: string): Promise<Untyped> => stage.source(id);
const countFiles = async () => Number((await stage.server.rows('select count(*) as n from files'))[0]?.['n']);
/** The text with 文件 in place of addresses of stored pictures. */
const named = (text: string) => text.replace(FILE, '文件');

describe('a picture inside of a text becomes a file', () => {
  test('in a new article, sent as a form or as JSON', async () => {
    const content = `甲 ![图](${await newPicture()}) 乙`;
    const before = await countFiles();
    const { id, notes } = done(await create({ content }));
    expect([named((await source(id)).content), notes]).toEqual(['甲 ![图](文件) 乙', undefined]);
    const [address = ''] = (await source(id)).content.match(FILE);
    const { status, headers } = await stage.server.get(address);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await stage.server.get(`/detail/${id}`)).text).toContain(address);
    const again = done(
      await stage.server.json('/api/page/new', { ...article, secret: false, content }, person.token),
    );
    expect((await source(again.id)).content).toBe((await source(id)).content);
    expect(await countFiles()).toBe(before + 1);
  });

  test('in a draft that is sent twice with one request_id', async () => {
    const fields = { content: `![](${await newPicture()})`, status: 'draft', request_id: 'embedded' };
    const before = await countFiles();
    const first = done(await create(fields));
    expect(done(await create(fields))).toMatchObject({ id: first.id, repeated: true });
    expect(named((await source(first.id)).content)).toBe('![](文件)');
    expect(await countFiles()).toBe(before + 1);
  });

  test('in each save of an editor that keeps the picture in its own text', async () => {
    const picture = await newPicture();
    const { id, update_time } = done(
      await create({ content: `一 ![](${picture})`, status: 'draft', request_id: 'saves' }),
    );
    const before = await countFiles();
    let seen = update_time as string;
    for (const content of ['二', '三', '四']) {
      const fields = { ...article, id, content: `${content} ![](${picture})`, status: 'draft' };
      const saved = done(
        await stage.server.post('/api/page/edit', { ...fields, update_time: seen }, person.token),
      );
      expect(named((await source(id)).content)).toBe(`${content} ![](文件)`);
      seen = saved.update_time;
    }
    expect(await countFiles()).toBe(before);
  });

  test('in the unpublished change of an article', async () => {
    const id = await stage.server.write(person, { title: '已发布', content: '文' });
    const fields = {
      id,
      title: '已发布',
      tags: ['诗'],
      content: `改 ![](${await newPicture()}) ${NOT_A_PICTURE}`,
    };
    const saved = done(await stage.server.post('/api/page/revision', fields, person.token));
    expect(saved).toEqual({ revision_time: expect.any(String), notes: ABOUT_IT });
    expect(named((await source(id)).revision.content)).toBe(`改 ![](文件) ${NOT_A_PICTURE}`);
  });

  test('of a text that is longer than an article with it', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const large = sharp({ create: { width: 1_000, height: 700, channels: 3, background: '#fff', noise } });
    const content = `![](data:image/png;base64,${(await large.png().toBuffer()).toString('base64')})`;
    expect(content.length).toBeGreaterThan(1_000_000);
    const { id } = done(await create({ content }));
    expect(named((await source(id)).content)).toBe('![](文件)');
  });

  test('by MetaWeblog, in new and in changed posts', async () => {
    const picture = await newPicture();
    const before = await countFiles();
    const id = await stage.create({
      description: `甲 ![](${picture})`,
      mt_text_more: `更多 ![](${picture})`,
    });
    expect(named((await source(id)).content)).toBe('甲 ![](文件)\n\n<!--more-->\n\n更多 ![](文件)');
    const post = { ...POST, description: `乙 ![](${picture}) ${NOT_A_PICTURE}` };
    expect(await stage.editor.act('metaWeblog.editPost', id, post, true)).toBe(true);
    const { description } = await stage.editor.act('metaWeblog.getPost', id);
    expect(named(description)).toBe(`乙 ![](文件) ${NOT_A_PICTURE}`);
    expect(await countFiles()).toBe(before + 1);
  });

  test('by a tool of MCP, whose answer says what was not stored', async () => {
    const assistant = await connectAssistant(
      stage.server.url,
      await createToken(stage.server, person, ['articles:read', 'articles:write', 'pictures:write']),
    );
    const content = `![](${await newPicture()}) ${NOT_A_PICTURE}`;
    const { id, notes } = await assistant.succeed('create_draft', { title: '稿', content });
    expect([named((await source(id)).content), notes]).toEqual([`![](文件) ${NOT_A_PICTURE}`, ABOUT_IT]);
    const changed = await assistant.succeed('update_draft', { id, content: `改 ${NOT_A_PICTURE}` });
    expect(changed.notes).toEqual(ABOUT_IT);
    await assistant.client.close();
  });

  test('by moye publish, which finds nothing changed the next time', async () => {
    const { person: owner, token } = await authorOf(stage.server, '内嵌');
    const folder = await mkdtemp(join(tmpdir(), 'moye-embedded-'));
    try {
      const text = `---\ntags: [诗]\n---\n空山 ![图](${await newPicture()}) ${NOT_A_PICTURE}\n`;
      await writeFile(join(folder, 'a.md'), text);
      const first = await run(stage.server, folder, token);
      expect(first).toMatchObject({ code: 0, output: expect.stringContaining(ABOUT_IT[0] ?? '') });
      const before = await countFiles();
      for (let times = 0; times < 2; times++)
        expect((await run(stage.server, folder, token)).output).toContain('没有变化');
      expect(await readFile(join(folder, 'a.md'), 'utf8')).toBe(text);
      await writeFile(join(folder, 'a.md'), `${text}\n不见人\n`);
      expect((await run(stage.server, folder, token)).code).toBe(0);
      expect((await run(stage.server, folder, token)).output).toContain('没有变化');
      const list = await stage.server.post('/api/page/limitpagelist', { status: 'normal' }, owner.token);
      const { content } = done(await stage.server.post('/api/page/detail', { id: done(list).result[0]._id }));
      expect(named(content)).toBe(`空山 ![图](文件) ${NOT_A_PICTURE}\n\n不见人`);
      expect(await countFiles()).toBe(before);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('a picture that cannot be stored never costs the author the text', () => {
  test.each([
    ['of another type', 'data:text/html;base64,PGI+', '保留原样：不是图片，而是 text/html'],
    [
      'cut in the middle',
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCA',
      '保留原样：无法识别的图片',
    ],
  ])('%s', async (_name, address, said) => {
    const { id, notes } = done(await create({ content: `文 ![](${address})` }));
    expect(notes).toEqual([expect.stringContaining(said)]);
    expect((await source(id)).content).toBe(`文 ![](${address})`);
  });

  test('of 20 MB', async () => {
    const content = `文 ![大图](data:image/png;base64,${'A'.repeat(28_000_000)})`;
    const { id, notes } = done(await create({ content }));
    expect(notes).toEqual(['1 张内嵌的图片没有存成文件，文中留下说明：图片超过 16 MiB']);
    expect((await source(id)).content).toBe('文 （图片缺失“大图”：内嵌的图片）');
  });

  test('by an access token that may not upload pictures', async () => {
    const token = await createToken(stage.server, person, ['articles:read', 'articles:write']);
    const content = `文 ![](${await newPicture()})`;
    const before = await countFiles();
    const { id, notes } = done(await create({ content }, token));
    expect(notes).toEqual(['1 张内嵌的图片没有存成文件，保留原样：访问令牌没有权限 pictures:write']);
    expect((await source(id)).content).toBe(content);
    const path = '/api/articles/by-path/a.md';
    const headers = { Authorization: `Bearer ${token}` };
    const file = `---\ntags: [诗]\n---\n${content}\n`;
    const put = done(await stage.server.send(path, { method: 'PUT', headers, body: file }));
    expect(put.notes).toEqual(notes);
    expect(await countFiles()).toBe(before);
  });

  test('beyond the quota of the author', async () => {
    const server = await openServer({ RATE_LIMIT: 'on', QUOTA_UPLOADS: '1' });
    try {
      const author = await server.join('裴迪');
      const [one, other] = [await newPicture(), await newPicture()];
      const content = `![](${one}) ![](${other})`;
      const { id, notes } = done(await server.post('/api/page/new', { ...article, content }, author.token));
      expect(notes).toEqual([
        '1 张内嵌的图片没有存成文件，保留原样：今天上传的图片已达上限（1 张），请明天再试',
      ]);
      const stored = done(await server.post('/api/page/editdetail', { id }, author.token)).content;
      expect(named(stored)).toBe(`![](文件) ![](${other})`);
    } finally {
      await server.close();
    }
  });
});

test('a body of more than 32 MiB is refused before it is read', async () => {
  const content = `![](data:image/png;base64,${'A'.repeat(32 * MIB)})`;
  const refused = await create({ content });
  expect([refused.status, refused.error]).toEqual([413, 'BODY_TOO_LARGE']);
});

test('pictures of visitors are not stored', async () => {
  const content = `![](${await newPicture()})`;
  const before = await countFiles();
  expect((await create({ content }, 'x')).error).toBe('SIGNIN_REQUIRED');
  expect(await countFiles()).toBe(before);
});
