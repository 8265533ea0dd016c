import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Viewer } from '../../src/lib/server/auth/auth-service.ts';
import { TEST_MS } from '../limits.ts';
import { twoColours } from '../unit/files/pictures.ts';
import { openImportStage, type ImportStage } from './import-stage.ts';

const asAddress = (bytes: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const pictureOf = async (width: number) => asAddress(await twoColours(width, 8).png().toBuffer());
const FILE = String.raw`/api/file/[0-9a-f]{32}-\d+x\d+\.\w+`;

let stage: ImportStage;
let author: Viewer;
beforeEach(async () => {
  stage = await openImportStage(undefined, undefined, { RATE_LIMIT: 'on', QUOTA_UPLOADS: '250' });
  author = stage.author;
});
afterEach(() => stage?.close());

const take = (content: string, options = {}) => stage.app.services.embedded.take(author, content, options);
const countFiles = () => stage.count('select count(*) as count from files');

/** Replaces addresses of stored pictures by 甲, 乙 and so on, in the order of their first use. */
function named(text: string): string {
  const names = new Map<string, string>();
  return text.replace(new RegExp(FILE, 'g'), (address) => {
    const name = names.get(address) ?? '甲乙丙丁'.charAt(names.size);
    names.set(address, name);
    return name;
  });
}

describe('a text with embedded pictures', () => {
  test('gets their addresses wherever they are shown, each stored once', async () => {
    const [one, other] = [await pictureOf(20), await pictureOf(30)];
    const text = [
      `前 ![图](${one} "题") 与 [![链](<${other}>)](/home)，汉字😀`,
      '',
      '![引用图][p]',
      '',
      `<img alt="x" src="${one}" width="3">`,
      '',
      `\`![](${one})\` [链接](${one})`,
      '',
      `[p]: ${other}`,
    ].join('\n');
    const taken = await take(text);
    expect(named(taken.content)).toBe(
      [
        '前 ![图](甲 "题") 与 [![链](<乙>)](/home)，汉字😀',
        '',
        '![引用图][p]',
        '',
        '<img alt="x" src="甲" width="3">',
        '',
        `\`![](${one})\` [链接](${one})`,
        '',
        '[p]: 乙',
      ].join('\n'),
    );
    expect(taken.notes).toEqual([]);
    expect(await countFiles()).toBe(2);
    expect(await take(text)).toEqual(taken);
    expect(await take(`新的开头\n\n${text}`)).toMatchObject({ content: `新的开头\n\n${taken.content}` });
    expect(await countFiles()).toBe(2);
  });

  test('keeps those that cannot be stored, and says why', async () => {
    const good = await pictureOf(20);
    const bad = [
      'data:text/html;base64,PGI+',
      'data:image/png;base64,AAAAA',
      good.slice(0, 60),
      'data:image/png;base64,',
      'data:image/svg+xml,%3',
    ];
    const text = bad.map((address, at) => `![${at}](${address})`).join('\n\n');
    const { content, notes } = await take(`${text}\n\n![好](${good})`);
    expect(named(content)).toBe(`${text}\n\n![好](甲)`);
    expect(notes).toEqual([
      '1 张内嵌的图片没有存成文件，保留原样：不是图片，而是 text/html',
      '2 张内嵌的图片没有存成文件，保留原样：图片的内容不完整',
      expect.stringMatching(/^1 张内嵌的图片没有存成文件，保留原样：无法识别的图片/),
      '1 张内嵌的图片没有存成文件，保留原样：图片是空的',
    ]);
  });

  test('of 20 MB becomes a note, because the text would be too long', async () => {
    const huge = `data:image/png;base64,${'A'.repeat(28_000_000)}`;
    const { content, notes } = await take(
      `开头\n\n![大图](${huge})\n\n![再用][r] ![](data:text/html,x)\n\n<img src="${huge}">\n\n[r]: ${huge}`,
    );
    expect(content).toBe(
      '开头\n\n（图片缺失“大图”：内嵌的图片）\n\n（图片缺失“再用”：内嵌的图片） （图片缺失：内嵌的图片）\n\n（图片缺失：内嵌的图片）\n\n[r]: #',
    );
    expect(notes).toEqual([
      '1 张内嵌的图片没有存成文件，文中留下说明：图片超过 16 MiB',
      '1 张内嵌的图片没有存成文件，文中留下说明：不是图片，而是 text/html',
    ]);
  });

  test('stores a hundred new ones at a time, of a thousand', { timeout: 4 * TEST_MS }, async () => {
    const pictures = await Promise.all(
      Array.from({ length: 1_000 }, async (_, at) => {
        const background = { r: at % 256, g: at >> 8, b: 7 };
        const png = sharp({ create: { width: 1, height: 1, channels: 3, background } }).png();
        return `![](${asAddress(await png.toBuffer())})`;
      }),
    );
    const text = pictures.join('\n');
    const first = await take(text);
    expect(first.content.match(new RegExp(FILE, 'g'))).toHaveLength(100);
    expect(first.notes).toEqual([
      '900 张内嵌的图片没有存成文件，保留原样：一次保存最多存 100 张，再保存一次会接着存',
    ]);
    expect(first.isUnfinished).toBe(true);
    expect(await countFiles()).toBe(100);
    const second = await take(text);
    expect(second.content.match(new RegExp(FILE, 'g'))).toHaveLength(200);
    expect(await countFiles()).toBe(200);
  });

  test('an SVG is drawn, without what it refers to', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><script>a</script><image href="https://example.com/a.png"/><rect width="40" height="30" fill="red"/></svg>`;
    const { content, notes } = await take(
      `![图](${asAddress(Buffer.from(svg), 'image/svg+xml')}) ![](data:image/svg+xml,${encodeURIComponent(svg)})`,
    );
    expect(content).toMatch(
      new RegExp(String.raw`^!\[图\]\(/api/file/[0-9a-f]{32}-80x60\.png\) !\[\]\(${FILE}\)$`),
    );
    expect(named(content)).toBe('![图](甲) ![](甲)');
    expect(notes).toEqual(['内嵌的图片：SVG 引用了外部图片，没有画出']);
  });

  test('a text that is too long without its pictures stays as it is', async () => {
    const text = `${'墨'.repeat(200_001)}![](${await pictureOf(20)})`;
    expect(await take(text)).toEqual({ content: text, notes: [], isUnfinished: false });
    expect(await countFiles()).toBe(0);
  });

  test('a text that nests too deeply keeps its pictures', async () => {
    const text = `${'> '.repeat(95_000)}![](${await pictureOf(20)})`;
    const { content, notes } = await take(text);
    expect(content).toBe(text);
    expect(notes).toEqual(['正文结构过于复杂，内嵌的图片没有存成文件']);
  });
});

test('beyond the quota new pictures stay in the text, and known ones get their addresses', async () => {
  const [known, fresh] = [await pictureOf(20), await pictureOf(30)];
  const stored = (await take(`![](${known})`)).content;
  await stage.app.services.quotas.charge(author, 'uploads', 249);
  const { content, notes, isUnfinished } = await take(`![](${fresh})\n\n![](${known})`);
  expect(content).toBe(`![](${fresh})\n\n${stored}`);
  expect(notes).toEqual([
    '1 张内嵌的图片没有存成文件，保留原样：今天上传的图片已达上限（250 张），请明天再试',
  ]);
  expect(isUnfinished).toBe(true);
  expect(await countFiles()).toBe(1);
});

test('drawing an SVG counts as processing time of the account', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>';
  await take(`![](${asAddress(Buffer.from(svg), 'image/svg+xml')})`);
  const used = "select count(*) as count from quota_uses where kind = 'pictureMs' and used > 0";
  expect(await stage.count(used)).toBe(1);
  await stage.app.services.quotas.charge(author, 'pictureMs', 10_000_000);
  const { notes } = await take(`![](${asAddress(Buffer.from(`${svg} `), 'image/svg+xml')})`);
  expect(notes).toEqual([expect.stringContaining('今天处理图片的时间已达上限')]);
});

test('a caller who may not upload pictures stores none', async () => {
  const text = `![](${await pictureOf(20)})`;
  const { content, notes } = await take(text, { mayUpload: false });
  expect(content).toBe(text);
  expect(notes).toEqual(['1 张内嵌的图片没有存成文件，保留原样：访问令牌没有权限 pictures:write']);
  expect(await countFiles()).toBe(0);
});

describe('a synced file with embedded pictures', () => {
  const put = (text: string, more = {}) =>
    stage.app.services.sync.put(author, {
      path: '诗/a.md',
      bytes: Buffer.from(text),
      isVault: false,
      keepsMissing: false,
      plain: null,
      isDryRun: false,
      mayUpload: true,
      saved_by: '',
      ...more,
    });
  const listed = async () => (await stage.app.services.sync.list(author))[0];
  const contentOf = async (id: string) => (await stage.app.services.articles.readSource(id, author)).content;
  const FRONT = '---\ntags: [诗]\n---\n';

  test('is the same the next time, also after its text changed', async () => {
    const text = `${FRONT}空山\n\n![图](${await pictureOf(20)}) [链](b.md)\n\n\`data:image/png;base64,AAAA\`\n`;
    const saved = await put(text);
    expect(saved).toMatchObject({ outcome: 'created', notes: [] });
    const id = 'id' in saved ? saved.id : '';
    expect(named(await contentOf(id))).toBe('空山\n\n![图](甲) [链](b.md)\n\n`data:image/png;base64,AAAA`');
    for (let times = 0; times < 2; times++) {
      expect(await put(text)).toMatchObject({ outcome: 'same' });
      expect(await listed()).toMatchObject({ state: 'same', is_stale: false });
    }
    const { bytes, etag } = await stage.app.services.sync.read(author, '诗/a.md');
    expect(Buffer.from(bytes).toString()).toBe(text);
    expect(await put(`${text}\n不见人\n`, { ifMatch: etag })).toMatchObject({
      outcome: 'updated',
      notes: [],
    });
    expect(named(await contentOf(id))).toContain('![图](甲)');
    expect(await listed()).toMatchObject({ state: 'same', is_stale: false });
    expect(await countFiles()).toBe(1);
  });

  test('that was edited on the site comes back with the address, and can be put again', async () => {
    const text = `${FRONT}![图](${await pictureOf(20)})\n`;
    const saved = await put(text);
    const id = 'id' in saved ? saved.id : '';
    const { title, tags, content } = await stage.app.services.articles.readSource(id, author);
    const fields = { id, title, tags, content: `${content}\n\n站上`, secret: false, type: '' };
    await stage.app.services.articles.edit({ ...fields, status: 'normal' }, author);
    await expect(put(text)).rejects.toMatchObject({ code: 'FILE_CHANGED' });
    const { bytes, etag } = await stage.app.services.sync.read(author, '诗/a.md');
    const present = Buffer.from(bytes).toString();
    expect(present).toMatch(new RegExp(String.raw`!\[图\]\(${FILE}\)`));
    expect(await put(present, { ifMatch: etag })).toMatchObject({ outcome: 'updated' });
    expect(await put(present)).toMatchObject({ outcome: 'same' });
    expect(await countFiles()).toBe(1);
  });

  test('longer than an article is accepted, without its pictures', async () => {
    const png = await sharp({
      create: {
        width: 500,
        height: 400,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    const text = `${FRONT}![](${asAddress(png)})\n`;
    expect(text.length).toBeGreaterThan(200_000);
    const saved = await put(text);
    expect(saved).toMatchObject({ outcome: 'created', notes: [] });
    expect(named(await contentOf('id' in saved ? saved.id : ''))).toBe('![](甲)');
  });

  test('stores nothing in a dry run', async () => {
    const saved = await put(`${FRONT}![](${await pictureOf(20)})\n`, { isDryRun: true });
    expect(saved).toMatchObject({ outcome: 'created', notes: [] });
    expect([await countFiles(), await listed()]).toEqual([0, undefined]);
  });

  test('is to be sent again once the quota allows more pictures, and then is the same', async () => {
    const text = `${FRONT}![](${await pictureOf(20)})\n`;
    await stage.app.services.quotas.charge(author, 'uploads', 250);
    expect(await put(text)).toMatchObject({
      outcome: 'created',
      notes: [expect.stringContaining('今天上传的图片已达上限')],
    });
    expect(await listed()).toMatchObject({ state: 'same', is_stale: true });
    await stage.app.db.write((trx) => trx.deleteFrom('quota_uses').execute());
    expect(await put(text)).toMatchObject({ outcome: 'updated', notes: [] });
    expect(await listed()).toMatchObject({ state: 'same', is_stale: false });
    expect(await put(text)).toMatchObject({ outcome: 'same' });
  });

  test('with a picture that is none is not sent again for ever', async () => {
    const text = `${FRONT}![](data:text/html,x)\n`;
    expect(await put(text)).toMatchObject({
      outcome: 'created',
      notes: [expect.stringContaining('不是图片')],
    });
    expect(await listed()).toMatchObject({ state: 'same', is_stale: false });
    expect(await put(text)).toMatchObject({ outcome: 'same' });
  });
});
