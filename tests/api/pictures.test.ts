import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  findFormerPictureUses,
  forgetPictureUses,
} from '../../src/lib/server/articles/core/usage-queries.ts';
import { noise } from '../unit/files/pictures.ts';
import { done, openServer, outcome, refused, type Fields, type Person, type TestServer } from './server.ts';
import { INSTANT } from './shapes.ts';

let server: TestServer;
let author: Person;
let stranger: Person;
beforeAll(async () => {
  server = await openServer();
  author = await server.join('王维');
  stranger = await server.join('路人');
});
afterAll(() => server?.close());

let shade = 0;
/** Uploads a unique picture; returns its URL. */
async function upload(person = author): Promise<string> {
  const background = { r: ++shade, g: 0, b: 0 };
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.set('file', new File([new Uint8Array(bytes)], 'a.png', { type: 'image/png' }));
  const headers = { Authorization: `Beare ${person.token}` };
  return done(await server.send('/api/file/uploadImage', { method: 'POST', body: form, headers })).url;
}

const nameOf = (url: string) => url.slice('/api/file/'.length);
const shows = (url: string) => `看图\n\n![山](${url})\n\n再说`;
const list = async (fields: Fields = {}, person = author) =>
  done(await server.post('/api/file/pictures', { pageSize: 100, ...fields }, person.token));
const find = async (url: string, fields: Fields = {}, person = author) =>
  (await list(fields, person)).result.find((each: { url: string }) => each.url === url);
const usesOf = async (url: string) => (await find(url)).uses;
const remove = (urls: string[], fields: Fields = {}, person = author) =>
  server.post('/api/file/pictures/delete', { names: urls.map(nameOf), ...fields }, person.token);
const replace = (url: string, by: string, person = author) =>
  server.post('/api/file/pictures/replace', { name: nameOf(url), by: nameOf(by) }, person.token);
const source = async (id: string) => done(await server.post('/api/page/editdetail', { id }, author.token));
const edit = async (id: string, fields: Fields) =>
  done(await server.post('/api/page/edit', { id, title: '山居', tags: ['诗'], ...fields }, author.token));
const revise = async (id: string, fields: Fields) =>
  done(await server.post('/api/page/revision', { id, title: '山居', tags: ['诗'], ...fields }, author.token));
const page = async (id: string) => (await server.send(`/detail/${id}`)).text;
const isServed = async (url: string) => (await fetch(server.url + url)).status;

describe('a user’s own pictures', () => {
  test('are listed with dimensions, size and uses: text, draft, revision, series, trash, history', async () => {
    const [url, later] = [await upload(), await upload()];
    expect(await find(url)).toMatchObject({ width: 40, height: 30, bytes: expect.any(Number), kind: 'png' });
    expect(await find(url)).toMatchObject({ name: nameOf(url), create_time: INSTANT, uses: [], more: false });
    const article = await server.write(author, { title: '山居', content: shows(url) });
    const draft = await server.write(author, { title: '草稿', content: '字', cover: url, status: 'draft' });
    const gone = await server.write(author, { title: '删去', content: shows(url) });
    done(await server.post('/api/page/delete', { id: gone }, author.token));
    await revise(article, { content: shows(later) });
    const fields = { title: '辋川集', cover: url };
    const series = done(await server.post('/api/series/create', fields, author.token))._id;
    expect(await usesOf(url)).toEqual(
      expect.arrayContaining([
        { place: 'article', id: article, title: '山居' },
        { place: 'draft', id: draft, title: '草稿' },
        { place: 'trash', id: gone, title: '删去' },
        { place: 'series', id: series, title: '辋川集' },
      ]),
    );
    expect(await usesOf(later)).toEqual([{ place: 'revision', id: article, title: '山居' }]);
    await edit(article, { content: '没有图了' });
    expect(await usesOf(url)).toContainEqual({ place: 'version', id: article, title: '山居' });
    expect(await usesOf(url)).not.toContainEqual({ place: 'article', id: article, title: '山居' });
  });

  test('are filtered by use and paged, without those of others', async () => {
    const [used, unused, theirs] = [await upload(), await upload(), await upload(stranger)];
    await server.write(author, { content: shows(used) });
    expect(await find(used, { state: 'used' })).toBeDefined();
    expect(await find(unused, { state: 'used' })).toBeUndefined();
    expect(await find(unused, { state: 'unused' })).toBeDefined();
    expect(await find(theirs)).toBeUndefined();
    const { result, total } = await list({ pageSize: 1 });
    expect(result).toHaveLength(1);
    expect(total).toBe((await list()).result.length);
    expect(outcome(await server.post('/api/file/pictures'))).toEqual(refused('请重新登录', 402));
  });

  test('are not kept in use by the texts of others, without revealing it', async () => {
    const url = await upload();
    await server.write(stranger, { title: '别人的秘密', content: shows(url), secret: true });
    expect(await usesOf(url)).toEqual([]);
    expect(outcome(await remove([url], {}, stranger))).toMatchObject({ data: { deleted: 0 } });
    expect(await isServed(url)).toBe(200);
    expect(done(await remove([url]))).toEqual({ deleted: 1 });
  });
});

describe('deleting pictures', () => {
  test('frees their bytes and removes the file; deleting again does nothing', async () => {
    const urls = [await upload(), await upload()];
    const stored = async () =>
      Number((await server.rows("select stored_bytes as n from users where username = '王维'"))[0]?.['n']);
    const before = await stored();
    expect(done(await remove(urls))).toEqual({ deleted: 2 });
    expect(await stored()).toBeLessThan(before);
    expect(await isServed(urls[0] ?? '')).toBe(404);
    expect(done(await remove(urls))).toEqual({ deleted: 0 });
  });

  test('frees the bytes of their smaller copies too', async () => {
    const painter = await server.join('画师');
    const bytes = await noise(700, 350).jpeg({ quality: 95 }).toBuffer();
    const form = new FormData();
    form.set('file', new File([new Uint8Array(bytes)], 'a.jpg', { type: 'image/jpeg' }));
    const headers = { Authorization: `Beare ${painter.token}` };
    const { url } = done(await server.send('/api/file/uploadImage', { method: 'POST', body: form, headers }));
    const copies = async () =>
      (await server.rows('select file, picture from picture_variants')).filter(
        (row) => row['picture'] === nameOf(url),
      );
    await expect.poll(async () => (await copies()).length).toBe(4);
    const stored = async () =>
      Number((await server.rows("select stored_bytes as n from users where username = '画师'"))[0]?.['n']);
    expect(await stored()).toBeGreaterThan((await find(url, {}, painter)).bytes);
    expect(done(await remove([url], {}, painter))).toEqual({ deleted: 1 });
    expect([await stored(), await copies()]).toEqual([0, []]);
  });

  test.for(['article', 'draft', 'revision', 'cover', 'series', 'trash'] as const)(
    'is refused while %s shows one, and then none is deleted',
    async (place) => {
      const [url, other] = [await upload(), await upload()];
      if (place === 'series')
        done(await server.post('/api/series/create', { title: '专栏', cover: url }, author.token));
      else {
        const text = place === 'revision' || place === 'cover' ? '字' : shows(url);
        const status = place === 'draft' ? 'draft' : 'normal';
        const cover = place === 'cover' ? url : '';
        const id = await server.write(author, { content: text, status, cover });
        if (place === 'revision') await revise(id, { content: shows(url) });
        if (place === 'trash') done(await server.post('/api/page/delete', { id }, author.token));
      }
      expect(outcome(await remove([url, other]))).toEqual(
        refused('有 1 张图片还在用，没有删除任何图片。先从用到的地方拿掉，再来删除'),
      );
      expect(await isServed(other)).toBe(200);
    },
  );

  test('asks when only earlier versions use one; a purged article keeps none', async () => {
    const url = await upload();
    const id = await server.write(author, { content: shows(url) });
    await edit(id, { content: '没有图了' });
    expect(await find(url, { state: 'history' })).toBeDefined();
    expect(await remove([url])).toMatchObject({ code: 'ERROR', error: 'PICTURE_IN_HISTORY' });
    expect(done(await remove([url], { from_history: true }))).toEqual({ deleted: 1 });
    const other = await upload();
    const gone = await server.write(author, { content: shows(other) });
    done(await server.post('/api/page/delete', { id: gone }, author.token));
    done(await server.post('/api/page/purge', { id: gone }, author.token));
    expect(done(await remove([other]))).toEqual({ deleted: 1 });
  });
});

describe('replacing a picture', () => {
  test('changes published texts, cached pages, drafts and revisions, which keep their state', async () => {
    const [url, by] = [await upload(), await upload()];
    const id = await server.write(author, { content: shows(url), cover: url, title: '换图' });
    const draft = await server.write(author, { content: shows(url), status: 'draft' });
    await revise(id, { content: `${shows(url)}，改了` });
    expect(await page(id)).toContain(url);
    expect(done(await replace(url, by))).toEqual({ changed: 2, problems: [] });
    const html = await page(id);
    expect(html).toContain(by);
    expect(html).not.toContain(url);
    const { content, cover, revision, update_time } = await source(id);
    expect([content, cover]).toEqual([shows(by), by]);
    expect(revision).toMatchObject({ content: `${shows(by)}，改了`, base_time: update_time });
    expect((await source(draft)).content).toBe(shows(by));
    // Both articles were saved again, so the old picture is in their history.
    expect(await usesOf(url)).toEqual([
      { place: 'version', id: draft, title: '山居' },
      { place: 'version', id, title: '换图' },
    ]);
  });

  test('is limited to own pictures and to a number of articles', async () => {
    const [url, by, theirs] = [await upload(), await upload(), await upload(stranger)];
    const missing = refused('这张图片不存在或已被删除');
    expect(outcome(await replace(url, theirs))).toEqual(missing);
    expect(outcome(await replace(url, by, stranger))).toEqual(missing);
    for (let count = 0; count < 21; count++)
      await server.write(author, { content: shows(url), status: 'draft' });
    expect(outcome(await replace(url, by))).toEqual(
      refused('用到这张图片的文章超过 20 篇，请到文章里逐篇替换'),
    );
  });
});

test('texts written before uses were recorded are scanned once', async () => {
  const url = await upload();
  const id = await server.write(author, { title: '从前', content: shows(url) });
  await revise(id, { content: shows(url) });
  const before = await usesOf(url);
  await server.app.db.write(async (trx) => {
    for (const table of ['article_pictures', 'revision_pictures', 'version_pictures'] as const)
      await trx.deleteFrom(table).execute();
    await forgetPictureUses(trx);
  });
  expect(await usesOf(url)).toEqual([]);
  await findFormerPictureUses(server.app.db);
  expect(await usesOf(url)).toEqual(before);
  expect(before.map(({ place }: { place: string }) => place)).toEqual(['article', 'revision', 'version']);
});
