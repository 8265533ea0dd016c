import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWordpress } from '../../../src/lib/importers/wordpress/wordpress-site.ts';
import { all, filesOf } from './foreign-golden.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/import/wordpress');
const UPLOADS = join(FIXTURE, 'uploads');
const OPTIONS = { pages: false, uploads: undefined, origins: [] };
const open = (options = {}) => openWordpress(join(FIXTURE, 'site.xml'), { ...OPTIONS, ...options });

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'moye-wordpress-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Writes an export with one post of that content; `head` precedes the `rss` element. */
function write(name: string, content: string, head = '<?xml version="1.0" encoding="UTF-8" ?>'): string {
  const path = join(place, name);
  const item = `<item><title>题</title><link>https://o.example/a/</link><dc:creator>a</dc:creator><content:encoded><![CDATA[${content}]]></content:encoded><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><wp:status>publish</wp:status></item>`;
  const xml = `${head}\n<rss version="2.0"><channel><title>t</title><link>https://o.example</link>${item}</channel></rss>`;
  writeFileSync(path, xml);
  return path;
}

const one = async (content: string) => {
  const site = await openWordpress(write('one.xml', content), OPTIONS);
  const [article] = await all(site.articles());
  return article;
};

describe('a WordPress export', () => {
  test('yields the articles, authors, tags and comments of the golden files', async () => {
    for (const [name, text] of await filesOf(await open()))
      await expect(text).toMatchFileSnapshot(join(FIXTURE, 'expected', name));
  });

  test('yields the same each time', async () => {
    const site = await open();
    expect(await all(site.articles())).toEqual(await all(site.articles()));
    expect(await all(site.comments())).toEqual(await all(site.comments()));
  });

  test('yields pages on request', async () => {
    const site = await open({ pages: true });
    const about = (await all(site.articles())).find(({ title }) => title === '关于');
    expect(about).toMatchObject({
      isSecret: false,
      page: { order: 0 },
      formerPaths: ['/about/', '/?page_id=20'],
    });
    expect(site.losses().map(({ what }) => what)).not.toContain('页面');
  });

  test('may come in several files', async () => {
    const whole = readFileSync(join(FIXTURE, 'site.xml'), 'utf8');
    const [head = '', ...items] = whole.replace(/<\/channel>\s*<\/rss>/, '').split(/(?=<item>)/);
    const folder = join(place, 'parts');
    mkdirSync(folder);
    for (const [at, part] of [items.slice(0, 5), items.slice(5)].entries())
      writeFileSync(join(folder, `part-${at}.xml`), `${head}${part.join('')}</channel></rss>`);
    const site = await openWordpress(folder, OPTIONS);
    expect(await all(site.articles())).toEqual(await all((await open()).articles()));
    await expect(openWordpress(UPLOADS, OPTIONS)).rejects.toThrow('文件夹里没有 WordPress 导出的 .xml 文件');
  });
});

/** A comment of a WordPress export; `user` is the id of the commenter's account. */
const comment = (id: number, parent: number, user: number, [name, email]: [string, string]): string =>
  `<wp:comment><wp:comment_id>${id}</wp:comment_id><wp:comment_author>${name}</wp:comment_author><wp:comment_author_email>${email}</wp:comment_author_email><wp:comment_date_gmt>2020-01-01 00:00:0${id}</wp:comment_date_gmt><wp:comment_content>字</wp:comment_content><wp:comment_approved>1</wp:comment_approved><wp:comment_parent>${parent}</wp:comment_parent><wp:comment_user_id>${user}</wp:comment_user_id></wp:comment>`;

test('comments of registered readers are theirs, and replies to them keep their parent', async () => {
  const author = (id: number, login: string): string =>
    `<wp:author><wp:author_id>${id}</wp:author_id><wp:author_login>${login}</wp:author_login></wp:author>`;
  const reader: [string, string] = ['读者', 'r@b.example'];
  const comments = [
    comment(1, 0, 7, reader),
    comment(2, 1, 1, ['a', 'a@b.example']),
    comment(3, 2, 7, reader),
    comment(4, 1, 8, ['无邮箱', '']),
    comment(5, 3, 0, ['访客', 'v@b.example']),
    // An author of another file of the export.
    comment(6, 5, 2, ['b', 'b@b.example']),
  ].join('');
  const folder = join(place, 'readers');
  mkdirSync(folder);
  const file = (name: string, inside: string): void =>
    writeFileSync(
      join(folder, name),
      `<rss><channel><link>https://o.example</link>${inside}</channel></rss>`,
    );
  const post = `<item><title>题</title><wp:post_id>1</wp:post_id><wp:post_type>post</wp:post_type><dc:creator>a</dc:creator>${comments}</item>`;
  file('1.xml', author(1, 'a') + post);
  file('2.xml', author(2, 'b'));
  const site = await openWordpress(folder, OPTIONS);
  const users = await all(site.users());
  expect(users.map(({ key, username, isGuest = false }) => [key, username, isGuest])).toEqual([
    ['a', 'a', false],
    ['b', 'b', false],
    ['guest:r@b.example', '读者', true],
    ['guest:无邮箱', '无邮箱', true],
    ['guest:v@b.example', '访客', true],
  ]);
  const threads = (await all(site.comments())).map(({ key, author: by, replyTo }) => [key, by, replyTo]);
  expect(threads).toEqual([
    ['1', 'guest:r@b.example', undefined],
    ['2', 'a', '1'],
    ['3', 'guest:r@b.example', '2'],
    ['4', 'guest:无邮箱', '1'],
    ['5', 'guest:v@b.example', '3'],
    ['6', 'b', '5'],
  ]);
});

describe('pictures of the uploads folder', () => {
  const address = (name: string) => `https://old.example/wp-content/uploads/2020/05/${name}`;

  test('are found by URL, thumbnails as the full picture', async () => {
    const site = await open({ uploads: UPLOADS });
    const whole = readFileSync(join(UPLOADS, '2020/05/hua.png'));
    for (const name of ['hua.png', 'hua-300x200.png', 'hua-1024x683.png?x=1'])
      expect(Buffer.from((await site.picture(address(name))) ?? [])).toEqual(whole);
    expect(await site.picture(address('none.png'))).toBeNull();
    expect(await (await open()).picture(address('hua.png'))).toBeNull();
  });

  test('are never outside the folder, by path or link', async () => {
    const folder = join(place, 'uploads');
    mkdirSync(folder);
    writeFileSync(join(place, 'secret.png'), 'secret');
    symlinkSync(join(place, 'secret.png'), join(folder, 'link.png'));
    const site = await open({ uploads: folder });
    for (const path of ['link.png', '../secret.png', '%2e%2e/secret.png', '..%2fsecret.png'])
      expect(await site.picture(`https://old.example/wp-content/uploads/${path}`)).toBeNull();
  });
});

describe('text of posts', () => {
  test.each([
    ['甲\n乙\n\n丙', '甲\n乙\n\n丙'],
    ['<div>甲\n\n乙</div>丙', '甲\n\n乙\n\n丙'],
    ['[b]不是短代码[/x] [1] [注]', '\\[b]不是短代码\\[/x] \\[1] \\[注]'],
    ['[outer a="1"][inner]字[/inner][/outer]', '`[outer a="1"]``[inner]`字`[/inner]``[/outer]`'],
    ['[x]一[x]二[/x]三[/x]', '`[x]`一`[x]`二`[/x]`三`[/x]`'],
    ['<code>[gallery ids="1"]</code>', '`[gallery ids="1"]`'],
    ['[youtube id="dQw4w9WgXcQ"]', '<iframe src="https://www.youtube.com/watch?v=dQw4w9WgXcQ"></iframe>'],
    ['[youtube=https://youtu.be/dQw4w9WgXcQ]', '<iframe src="https://youtu.be/dQw4w9WgXcQ"></iframe>'],
    ['[code]\na &lt; b\n\nc[/code]', '```\na < b\n\nc\n```'],
    ['前\n<!--more-->\n后', '前\n\n<--阅读全文-->\n\n后'],
    ['[toc]\n\n字', '字'],
    ['<p>甲</p>\n<!-- wp:calendar /-->', '甲'],
  ])('%s', async (html, markdown) => {
    const content = (await one(html))?.content ?? '';
    expect(content.replaceAll('``', '` `')).toBe(markdown.replaceAll('``', '` `'));
  });

  test('nested deeper than the stack stays unchanged, with a warning', async () => {
    const article = await one(`<!-- wp:html -->${'<div>'.repeat(60_000)}`);
    expect(article?.warnings).toEqual(['正文的 HTML 嵌套过深，已按原样保留']);
  });

  test('with thousands of unclosed shortcodes is read in linear time', async () => {
    const article = await one('[row a="1"]字\n'.repeat(4_000));
    expect(article?.warnings).toEqual(['不认识的短代码保留为代码：row']);
  });

  test('with characters illegal in XML loses only these', async () => {
    expect((await one('甲\u0008乙\u0000丙'))?.content).toBe('甲乙丙');
  });
});

/** Writes an export with that many pictures, each with 5 KB of text. */
function writePictures(path: string, count: number): void {
  const filler = '山光悦鸟性，潭影空人心。'.repeat(150);
  const item = (no: number) =>
    `<item><title>图 ${no}</title><wp:post_id>${no}</wp:post_id><wp:post_type>attachment</wp:post_type><content:encoded><![CDATA[${filler}]]></content:encoded><wp:attachment_url>https://o.example/wp-content/uploads/picture-${no}.png</wp:attachment_url></item>`;
  const items = Array.from({ length: count }, (_, no) => item(no)).join('\n');
  writeFileSync(path, `<rss><channel><link>https://o.example</link>${items}</channel></rss>`);
}

test('of a large file only referenced items stay in memory', async () => {
  const path = join(place, 'large.xml');
  writePictures(path, 6_000);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const site = await openWordpress(path, OPTIONS);
  collect();
  // The file has 33 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(12 * 1024 * 1024);
  expect(site.losses()).toEqual([expect.objectContaining({ count: 6_000 })]);
});

describe('an invalid export is refused in one line', () => {
  const refused = async (path: string): Promise<string> =>
    openWordpress(path, OPTIONS).then(
      () => '',
      (error: Error) => `${error.name}：${error.message}`,
    );

  test('cut at any place', async () => {
    const whole = readFileSync(join(FIXTURE, 'site.xml'));
    for (const share of [0, 0.001, 0.1, 0.5, 0.9, 0.9999]) {
      const path = join(place, 'cut.xml');
      writeFileSync(path, whole.subarray(0, Math.floor(whole.length * share)));
      expect(await refused(path)).toMatch(/^Problem：文件不完整或不是 WordPress 导出的 XML（第 \d+ 行）$/);
    }
  });

  test('with entities of its own, or a DOCTYPE at all', async () => {
    const lol = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
    const path = write('lol.xml', '', `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "哈">${lol}]>`);
    expect(await refused(path)).toBe('Problem：文件带有 DOCTYPE，可能含有实体，没有读取（第 1 行）');
    const file = write('file.xml', '', '<?xml version="1.0"?><!DOCTYPE rss SYSTEM "file:///etc/passwd">');
    expect(await refused(file)).toContain('DOCTYPE');
  });

  test('of something else', async () => {
    const feed = join(place, 'atom.xml');
    writeFileSync(feed, '<feed><entry/></feed>');
    expect(await refused(feed)).toBe('Problem：不是 WordPress 导出的 XML（WXR）（第 1 行）');
    const empty = join(place, 'empty.xml');
    writeFileSync(empty, '<rss><channel><title>x</title></channel></rss>');
    expect(await refused(empty)).toContain('不是 WXR 导出文件');
    const odd = write('odd.xml', '', '<?xml version="1.0" encoding="x-none"?>');
    expect(await refused(odd)).toBe('Problem：文件使用了无法识别的编码');
    writeFileSync(feed, '不是 XML');
    expect(await refused(feed)).toMatch(/^Problem：文件不完整或不是/);
  });
});

describe('parts that WordPress plugins hide', () => {
  const BLOCK =
    '<!-- wp:zibllblock/hide-content {"type":"reply"} -->\n<p>秘密</p>\n<!-- /wp:zibllblock/hide-content -->';
  test.each([
    '<p>[reply]秘密[/reply]</p>',
    '<!-- wp:shortcode -->\n[rcp_restrict paid="true"]秘密[/rcp_restrict]\n<!-- /wp:shortcode -->',
    BLOCK,
    '<!--hide start--><p>秘密</p><!--hide end-->',
    '<table>[hide]<tr><td>秘密</td></tr>[/hide]</table>',
  ])('make the article secret, or are left out: %s', async (part) => {
    const kept = await one(`<p>公开</p>\n${part}\n<p>结尾</p>`);
    expect(kept).toMatchObject({ isSecret: true, content: expect.stringContaining('秘密') });
    expect(kept?.warnings[0]).toMatch(/^含有隐藏内容（.+），已导入为私密$/);
    const omitsHidden = { ...OPTIONS, omitsHidden: true };
    const path = write('omitted.xml', `<p>公开</p>\n${part}\n<p>结尾</p>`);
    const [shown] = await all((await openWordpress(path, omitsHidden)).articles());
    expect(shown).toMatchObject({ isSecret: false, content: expect.stringMatching(/^公开\s+结尾$/) });
  });

  test('are none in code, and blocks of the editor hide nothing', async () => {
    const code = await one('[code][hide]示例[/hide][/code]\n<!-- wp:loginout /-->');
    expect(code).toMatchObject({ isSecret: false, content: expect.stringContaining('[hide]示例[/hide]') });
  });
});
