import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { INSTANT } from './shapes.ts';

const SENTENCE = '王维在辋川的一个秋天';
const NO_PICTURE = refused('封面图片不存在，请重新上传');

let server: TestServer;
let author: Person;
let stranger: Person;
let cover: string;
let avatar: string;
beforeAll(async () => {
  server = await openServer({ SITE_URL: 'https://blog.example' });
  author = await server.join('王维');
  stranger = await server.join('路人');
  const picture = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('file', new File([new Uint8Array(picture)], 'a.png', { type: 'image/png' }));
  const headers = { Authorization: `Beare ${author.token}` };
  const sent = await server.send('/api/file/uploadImage', { method: 'POST', body: form, headers });
  cover = done(sent).url;
  const imgData = `data:image/png;base64,${picture.toString('base64')}`;
  avatar = done(await server.post('/api/file/uploadAvatar', { imgData }, author.token));
});
afterAll(() => server?.close());

const source = async (id: string) => done(await server.post('/api/page/editdetail', { id }, author.token));
const edit = (id: string, fields: Fields = {}) =>
  server.post(
    '/api/page/edit',
    { id, title: '山居', content: '空山新雨后', tags: ['诗'], ...fields },
    author.token,
  );
const revise = (id: string, fields: Fields = {}) =>
  server.post(
    '/api/page/revision',
    { id, title: '改', content: '改', tags: ['诗'], ...fields },
    author.token,
  );
const create = (fields: Fields) =>
  server.post('/api/page/new', { title: '题', content: '文', tags: ['诗'], ...fields }, author.token);
const listed = async (id: string) => {
  const { result } = done(await server.post('/api/page/pagelist', { pageSize: 100 }));
  return result.find((item: { _id: string }) => item._id === id);
};
const article = async (id: string) => (await server.send(`/detail/${id}`)).text;
/** Returns the article's card on the front page. */
const card = async (id: string) => {
  const cards = (await server.send('/home')).text.split('<article').slice(1);
  return cards.find((text) => text.includes(`/detail/${id}`)) ?? '';
};
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1];

describe('description and cover of an article', () => {
  test('are empty when the client does not send them', async () => {
    const id = await server.write(author);
    expect(await source(id)).toMatchObject({ description: '', cover: '' });
    expect(await listed(id)).toMatchObject({ description: '', cover: '' });
  });

  test('stay when the client omits them, and are removed when sent empty', async () => {
    const id = await server.write(author, { description: ` ${SENTENCE} `, cover });
    done(await edit(id, { title: '改题' }));
    expect(await source(id)).toMatchObject({ title: '改题', description: SENTENCE, cover });
    done(await server.json('/api/page/edit', { ...(await source(id)), id, description: null }, author.token));
    expect(await source(id)).toMatchObject({ description: SENTENCE, cover });
    done(await edit(id, { description: '', cover: '' }));
    expect(await source(id)).toMatchObject({ description: '', cover: '' });
  });

  test('belong to the unpublished revision only', async () => {
    const id = await server.write(author, { description: '原来的' });
    const saved = done(await revise(id, { description: SENTENCE, cover }));
    const { revision, ...rest } = await source(id);
    expect(rest).toMatchObject({ description: '原来的', cover: '' });
    expect(revision).toMatchObject({ description: SENTENCE, cover, revision_time: INSTANT });
    expect(await listed(id)).toMatchObject({ description: '原来的', cover: '' });
    expect(await article(id)).not.toContain(SENTENCE);
    done(await revise(id, { revision_time: saved.revision_time }));
    expect((await source(id)).revision).toMatchObject({ description: SENTENCE, cover });
  });

  test('without a revision are those of the article', async () => {
    const id = await server.write(author, { description: SENTENCE, cover });
    done(await revise(id));
    expect((await source(id)).revision).toMatchObject({ description: SENTENCE, cover });
  });

  test('are hidden from others while the article is a draft or secret', async () => {
    for (const hidden of [{ status: 'draft' }, { secret: 'true' }]) {
      const id = await server.write(author, { ...hidden, description: SENTENCE, cover });
      expect(await listed(id)).toBeUndefined();
      const asked = await server.post(
        '/api/page/limitpagelist',
        { content: '王维', pageSize: 100 },
        stranger.token,
      );
      expect(done(asked).result.map((item: { _id: string }) => item._id)).not.toContain(id);
      expect(await card(id)).toBe('');
      const page = await server.send(`/detail/${id}`);
      expect(page.text).not.toContain(cover);
      expect(page.text).not.toContain(SENTENCE);
    }
  });
});

describe('a description', () => {
  test('has up to 200 grapheme clusters', async () => {
    done(await create({ description: '😀'.repeat(200) }));
    expect(outcome(await create({ description: '长'.repeat(201) }))).toEqual(
      refused('摘要不能超过 200 个字符'),
    );
  });

  test('replaces the opening in search engines and on cards', async () => {
    const id = await server.write(author, { content: '空山新雨后，天气晚来秋。' });
    expect(metaOf(await article(id), 'description')).toBe('空山新雨后，天气晚来秋。');
    done(await edit(id, { content: '空山新雨后，天气晚来秋。', description: SENTENCE }));
    const page = await article(id);
    expect(metaOf(page, 'description')).toBe(SENTENCE);
    expect(metaOf(page, 'og:description')).toBe(SENTENCE);
    expect(page).toContain(`"description":"${SENTENCE}"`);
    expect(await card(id)).toContain(SENTENCE);
    expect(await card(id)).not.toContain('天气晚来秋');
    done(await edit(id, { content: '空山新雨后，天气晚来秋。', description: '' }));
    expect(await card(id)).toContain('天气晚来秋');
  });

  test('is escaped wherever it is printed', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
    const id = await server.write(author, { description: evil });
    for (const printed of [await article(id), await card(id)]) {
      const html = printed.replaceAll(/="[^"]*"/g, '');
      expect(html).not.toContain('<script>alert');
      expect(html).not.toContain('<img src=x');
    }
    expect(await listed(id)).toMatchObject({ description: evil });
  });
});

describe('a cover', () => {
  test('must be an uploaded picture of this site', async () => {
    const form = refused('封面只能用上传到本站的图片');
    const elsewhere = ['https://example.com/a.png', '//example.com/a.png', 'javascript:alert(1)', '/home'];
    const within = ['/api/file/../../etc/passwd', '/api/file/avatar/user?username=a', `${cover}?x=1`];
    for (const address of [...elsewhere, ...within, `${cover}"onerror="alert(1)`])
      expect(outcome(await create({ cover: address }))).toEqual(form);
    const unknown = cover.replace(/[0-9a-f]{32}/, '0'.repeat(32));
    for (const address of [unknown, `/api/file/${avatar}`, '/api/file/..'])
      expect(outcome(await create({ cover: address }))).toEqual(NO_PICTURE);
    const id = await server.write(author);
    expect(outcome(await edit(id, { cover: unknown }))).toEqual(NO_PICTURE);
    expect(outcome(await revise(id, { cover: unknown }))).toEqual(NO_PICTURE);
    expect(await source(id)).not.toHaveProperty('revision');
    expect(await source(id)).toMatchObject({ title: '山居', cover: '' });
  });

  test('is shown above the article, on its card and in link previews, with its space reserved', async () => {
    const id = await server.write(author, { cover });
    const page = await article(id);
    expect(metaOf(page, 'og:image')).toBe(`https://blog.example${cover}`);
    const [own = ''] = new RegExp(`<img[^>]*src="${cover}"[^>]*>`).exec(page) ?? [];
    expect(own).toContain('alt=""');
    expect(own).toMatch(/aspect-/);
    expect(own).not.toContain('loading=');
    expect(page.indexOf(own)).toBeLessThan(page.indexOf('class="prose"'));
    const [small = ''] = new RegExp(`<img[^>]*src="${cover}"[^>]*>`).exec(await card(id)) ?? [];
    expect(small).toContain('alt=""');
    // The newest article is at the top of the page, so its picture does not load lazily.
    expect(small).not.toContain('loading=');
    expect(small).toMatch(/aspect-/);
    done(await edit(id, { cover: '' }));
    expect(metaOf(await article(id), 'og:image')).toBe(`https://blog.example/og/${id}.png`);
    expect(await card(id)).not.toContain('<img');
  });

  test('is not removed as an unused upload', async () => {
    const id = await server.write(author, { cover });
    server.pass(2 * 86_400);
    await server.app.services.files.removeOrphans();
    expect((await server.send(cover)).status).toBe(200);
    expect(await article(id)).toContain(cover);
  });
});
