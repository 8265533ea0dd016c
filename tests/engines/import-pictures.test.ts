import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'bmp-ts';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ImportStage, openImportStage } from './import-stage.ts';

let stage: ImportStage;
beforeEach(async () => {
  stage = await openImportStage();
});
afterEach(() => stage.close());

const colour = (background: string, width = 8, height = 6) =>
  sharp({ create: { width, height, channels: 3, background } });
const get = async (title: string) => (await stage.articles()).get(title);
const texts = (warnings: { text: string }[]) => warnings.map(({ text }) => text);

test('picture types come from their bytes, whatever their names', async () => {
  const animation = await sharp(
    [await colour('#111').png().toBuffer(), await colour('#eee').png().toBuffer()],
    {
      join: { animated: true },
    },
  )
    .gif()
    .toBuffer();
  const { data, info } = await colour('#135').raw().toBuffer({ resolveWithObject: true });
  const abgr = Buffer.alloc(info.width * info.height * 4);
  for (let at = 0; at < info.width * info.height; at++)
    abgr.set([255, data[at * 3 + 2] ?? 0, data[at * 3 + 1] ?? 0, data[at * 3] ?? 0], at * 4);
  stage.put({
    'a.md':
      '![一](1.awebp) ![二](2.webp!large) ![三](3) ![四](动.gif) ![五](5.avif) ![六](6.bmp) ![七](图.svg)',
    '1.awebp': await colour('#246').webp().toBuffer(),
    '2.webp': await colour('#357').webp().toBuffer(),
    '3': await colour('#468').png().toBuffer(),
    '动.gif': animation,
    '5.avif': await colour('#579', 64, 64).avif().toBuffer(),
    '6.bmp': encode({ data: abgr, width: info.width, height: info.height, bitPP: 24 }).data,
    '图.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><rect width="30" height="20" fill="red"/></svg>',
  });
  const dry = await stage.run({ isDryRun: true });
  const { warnings } = await stage.run();
  expect([texts(dry.warnings), texts(warnings)]).toEqual([[], []]);
  const names = [...((await get('a'))?.content ?? '').matchAll(/\]\(\/api\/file\/([\w.-]+)\)/g)].map(
    ([, name]) => name ?? '',
  );
  expect(names.map((name) => name.replace(/^[0-9a-f]+/, ''))).toEqual([
    '-8x6.webp',
    '-8x6.webp',
    '-8x6.png',
    '-8x6.webp',
    '-64x64.webp',
    '-8x6.png',
    '-60x40.png',
  ]);
  const stored = async (index: number) => {
    const { body } = await stage.app.services.files.read(names[index] ?? '');
    return Buffer.from(await new Response(body).arrayBuffer());
  };
  expect((await sharp(await stored(3), { animated: true }).metadata()).pages).toBe(2);
  expect([
    ...(
      await sharp(await stored(5))
        .removeAlpha()
        .raw()
        .toBuffer()
    ).subarray(0, 3),
  ]).toEqual([0x11, 0x33, 0x55]);
  expect([
    ...(
      await sharp(await stored(6))
        .removeAlpha()
        .raw()
        .toBuffer()
    ).subarray(0, 3),
  ]).toEqual([255, 0, 0]);
});

test('an SVG reads no local files, and what is left out is reported', async () => {
  const svg = (inside: string) =>
    `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20" height="20">${inside}</svg>`;
  stage.put({
    'secret.png': await colour('#ff0000', 20, 20).png().toBuffer(),
    'a.md': '![](a.svg) ![](b.svg) ![](c.svg)',
    'a.svg': svg(
      `<image xlink:href="${join(stage.folder, 'secret.png')}" width="20" height="20"/><image href="secret.png" width="20" height="20"/>`,
    ),
    'b.svg': svg('<text y="9">字</text><foreignObject><p>网页</p></foreignObject>'),
    'c.svg': svg('<rect'),
  });
  const { warnings } = await stage.run();
  expect(texts(warnings)).toEqual([
    'SVG 引用了外部图片，没有画出：a.svg',
    'SVG 里的网页片段没有画出：b.svg',
    'SVG 已转成位图，文字用本机的字体画出，请核对：b.svg',
    '图片没有导入：c.svg（SVG 图片无法画出）',
  ]);
  const [, name = ''] = /\/api\/file\/([\w.-]+)/.exec((await get('a'))?.content ?? '') ?? [];
  const { body } = await stage.app.services.files.read(name);
  const pixels = await sharp(Buffer.from(await new Response(body).arrayBuffer()))
    .ensureAlpha()
    .raw()
    .toBuffer();
  expect(pixels.every((value) => value === 0)).toBe(true);
});

test('importing a part of a site finds pictures of the whole site, and nothing beyond it', async () => {
  stage.put({
    'blog/_config.yml': '',
    'blog/source/images/a.png': await colour('#111').png().toBuffer(),
    'blog/source/_posts/甲.md':
      '![](/images/a.png) ![](../images/a.png) ![](..\\images\\a.png) ![](/images/link.png) ![](../../../secret.png)',
    'secret.png': await colour('#222').png().toBuffer(),
  });
  symlinkSync(join(stage.folder, 'secret.png'), join(stage.folder, 'blog/source/images/link.png'));
  const { warnings } = await stage.run({ folder: join(stage.folder, 'blog/source/_posts') });
  expect(texts(warnings)).toEqual([
    '链接指向文件夹之外，文中留下说明：/images/link.png',
    '链接指向文件夹之外，文中留下说明：../../../secret.png',
  ]);
  expect(await stage.count('select count(*) from files')).toBe(1);
  expect((await get('甲'))?.content.match(/\/api\/file\//g)).toHaveLength(3);
});

test('missing pictures leave a note and no relative URL', async () => {
  stage.put({
    'a.md':
      '![花](无.png "题") ![引用][r] <img alt="x" src="无2.png"> [![链](无3.png)](b.md)\n\n[r]: 无4.png',
    'b.md': '乙',
  });
  const { warnings } = await stage.run();
  const b = (await get('b'))?._id;
  expect((await get('a'))?.content).toBe(
    `（图片缺失“花”：\`无.png\`） （图片缺失“引用”：\`无4.png\`） （图片缺失：<code>无2.png</code>） [（图片缺失“链”：\`无3.png\`）](/detail/${b})\n\n[r]: 无4.png`,
  );
  expect(texts(warnings).filter((text) => text.startsWith('找不到图片，文中留下说明：'))).toHaveLength(4);
});
