import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { SITE_FILES } from '../../../src/lib/contract/rules/paths.ts';
import { readSiteSettings } from '../../../src/lib/server/config/site-settings-file.ts';
import { openPictures } from '../../../src/lib/server/og/picture.ts';
import { makeSite } from '../../../src/lib/server/site/made-site.ts';
import { palette } from '../../../src/lib/shared/palette.ts';

const { configured } = readSiteSettings('/nowhere', {});
let drawIcon: Awaited<ReturnType<typeof openPictures>>;
beforeAll(async () => {
  drawIcon = await openPictures();
});
const open = (name?: string, content: string | Buffer = '') =>
  makeSite(
    { configured, accent: null, look: null, logo: name ? { name, bytes: Buffer.from(content) } : null },
    { drawIcon },
  );
const openNamed = (title: string, seal = '', description = '') =>
  makeSite(
    { configured: { ...configured, title, seal, description }, accent: null, look: null, logo: null },
    { drawIcon },
  );

const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><path fill="#f00" d="M0 0h60v20H0z"/></svg>';

/** The pixel in the middle as red, green, blue and alpha. */
async function middle(bytes: Buffer): Promise<number[]> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 4;
  return [...data.subarray(at, at + 4)];
}

describe('icons', () => {
  test.each([
    ['/apple-touch-icon.png', 180],
    ['/icon-192.png', 192],
    ['/icon-512.png', 512],
    ['/icon-maskable.png', 512],
  ])('%s of the project’s mark is a picture of %i pixels with something in it', async (path, size) => {
    const file = await (await open()).file(path);
    const { width, height, format } = await sharp(file?.bytes).metadata();
    expect([width, height, format]).toEqual([size, size, 'png']);
    const { channels } = await sharp(file?.bytes).stats();
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(20);
  });

  test('/favicon.ico holds three pictures, each where its directory says', async () => {
    const { bytes } = (await (await open()).file('/favicon.ico')) ?? { bytes: Buffer.alloc(0) };
    expect([0, 2, 4].map((at) => bytes.readUInt16LE(at))).toEqual([0, 1, 3]);
    for (const [index, size] of [16, 32, 48].entries()) {
      const [length, offset] = [14, 18].map((at) => bytes.readUInt32LE(16 * index + at));
      const picture = bytes.subarray(offset, (offset ?? 0) + (length ?? 0));
      expect(await sharp(picture).metadata()).toMatchObject({ width: size, height: size, format: 'png' });
    }
  });

  test('icons and header show the logo, in its proportions', async () => {
    const site = await open('logo.svg', RED);
    expect(site.facts.logo).toMatchObject({ width: 84, height: 28 });
    const logo = await site.file('/site-logo.png');
    expect(await sharp(logo?.bytes).metadata()).toMatchObject({ width: 252, height: 84 });
    for (const path of ['/site-logo.png', '/icon-192.png', '/apple-touch-icon.png'])
      expect(await middle((await site.file(path))?.bytes ?? Buffer.alloc(0)), path).toEqual([255, 0, 0, 255]);
  });

  test('a PNG is accepted too, and a very wide one stays within the header', async () => {
    const png = await sharp({ create: { width: 1000, height: 50, channels: 3, background: '#00f' } })
      .png()
      .toBuffer();
    const site = await open('logo.PNG', png);
    expect(site.facts.logo).toMatchObject({ width: 160, height: 8 });
    expect(await middle((await site.file('/icon-512.png'))?.bytes ?? Buffer.alloc(0))).toEqual([
      0, 0, 255, 255,
    ]);
  });

  test.each([
    ['logo.svg', 'no picture', 'must be an SVG picture'],
    ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', 'visible content'],
    ['logo.png', 'GIF89a', 'must be a PNG picture'],
    ['logo.png', '', 'must be a PNG picture'],
  ])('%s with %j is refused', async (name, content, message) => {
    await expect(open(name, content)).rejects.toThrow(message);
  });

  test('an SVG cannot reference or read other files', async () => {
    const outside = RED.replace(
      '</svg>',
      '<image href="/etc/hostname.png" width="60" height="20"/><image href="http://127.0.0.1:9/x.png" width="60" height="20"/></svg>',
    );
    const site = await open('logo.svg', outside);
    expect(await middle((await site.file('/icon-192.png'))?.bytes ?? Buffer.alloc(0))).toEqual([
      255, 0, 0, 255,
    ]);
  });
});

describe('icons of a site without a logo', () => {
  const PATHS = [
    '/favicon.ico',
    '/apple-touch-icon.png',
    '/icon-192.png',
    '/icon-512.png',
    '/icon-maskable.png',
  ];
  const bytesOf = async (site: Awaited<ReturnType<typeof makeSite>>, path: string) =>
    (await site.file(path))?.bytes ?? Buffer.alloc(0);
  /** Shares of the colours among the pixels of a picture. */
  async function sharesOf(bytes: Buffer): Promise<Record<'vermilion' | 'soft' | 'reverse', number>> {
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const count = (colour: string) => {
      const wanted = Number.parseInt(colour.slice(1), 16);
      let found = 0;
      for (let at = 0; at < data.length; at += 3) if (data.readUIntBE(at, 3) === wanted) found++;
      return found / (info.width * info.height);
    };
    const { vermilion, soft, reverse } = palette.light;
    return { vermilion: count(vermilion), soft: count(soft), reverse: count(reverse) };
  }

  test.each([
    ['纸上谈', '山'],
    ['墨页', '山'],
    ['纸上谈', ''],
    ['Notes', 'é'],
    ['🎉 二〇二四', ''],
  ])('named %j with the seal %j show the character in vermilion', async (title, seal) => {
    const site = await openNamed(title, seal);
    const { vermilion, soft, reverse } = await sharesOf(await bytesOf(site, '/icon-512.png'));
    expect(vermilion).toBeGreaterThan(0.5);
    expect(reverse).toBeGreaterThan(0.03);
    expect(soft).toBe(0);
    const plain = await open();
    for (const path of PATHS)
      expect((await bytesOf(site, path)).equals(await bytesOf(plain, path)), path).toBe(false);
  });

  test.each([
    ['纸上谈', 'none', true],
    ['墨页', 'none', true],
    ['🎉', '', true],
    ['★', 'none', true],
    ['\ue000', '', false],
  ])('named %j with the seal %j are grey', async (title, seal, hasSign) => {
    const { vermilion, soft, reverse } = await sharesOf(
      await bytesOf(await openNamed(title, seal), '/icon-512.png'),
    );
    expect(vermilion).toBe(0);
    expect(soft).toBeGreaterThan(0.5);
    expect(reverse > 0.01).toBe(hasSign);
  });

  test('have another address after each change that they or the manifest show, and only then', async () => {
    const sites = await Promise.all([
      openNamed('纸上谈'),
      openNamed('纸上谈', '纸'),
      openNamed('纸上谈', '谈'),
      openNamed('纸上谈', 'none'),
      openNamed('纸上', ''),
      openNamed('纸上谈', '', '慢慢写'),
      open('logo.svg', RED),
      open('logo.svg', RED.replace('#f00', '#00f')),
      open(),
    ]);
    const [first, same, ...others] = sites.map(({ facts }) => facts.icons);
    expect(first).toMatch(/^\?v=[\w-]{10}$/);
    expect(same).toBe(first);
    expect(new Set([first, ...others]).size).toBe(others.length + 1);
    const manifest = String((await sites[2]?.file('/manifest.webmanifest'))?.bytes);
    for (const name of ['icon-192', 'icon-512', 'icon-maskable'])
      expect(manifest).toContain(`/${name}.png${sites[2]?.facts.icons}`);
  });

  test('are drawn again after a drawing failed', async () => {
    let isBroken = true;
    const site = await makeSite(
      { configured: { ...configured, seal: '山' }, accent: null, look: null, logo: null },
      { drawIcon: (mark) => (isBroken ? Promise.reject(new Error('no thread')) : drawIcon(mark)) },
    );
    await expect(site.file('/icon-192.png')).rejects.toThrow('no thread');
    isBroken = false;
    expect((await site.file('/icon-192.png'))?.bytes.length).toBeGreaterThan(0);
  });
});

test('without settings there are no logo and no style sheets; every other file exists', async () => {
  const site = await open();
  const files = await Promise.all(SITE_FILES.map(async (path) => [path, await site.file(path)] as const));
  expect(files.flatMap(([path, file]) => (file ? [] : [path]))).toEqual([
    '/site-logo.png',
    '/look.css',
    '/accent.css',
    '/style.css',
  ]);
  expect(await site.file('/etc/passwd')).toBeNull();
});

test('the manifest has the site’s name and existing icons', async () => {
  const site = await open();
  const file = await site.file('/manifest.webmanifest');
  const manifest = JSON.parse(file?.bytes.toString() ?? '') as { name: string; icons: { src: string }[] };
  expect(manifest.name).toBe('墨页');
  for (const { src } of manifest.icons) expect(await site.file(src)).not.toBeNull();
});
