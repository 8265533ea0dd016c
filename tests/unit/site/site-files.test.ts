import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { SITE_FILES } from '../../../src/lib/contract/rules/paths.ts';
import { readSiteSettings } from '../../../src/lib/server/config/site-settings-file.ts';
import { makeSite } from '../../../src/lib/server/site/made-site.ts';

const { configured } = readSiteSettings('/nowhere', {});
const open = (name?: string, content: string | Buffer = '') =>
  makeSite({ configured, accent: null, logo: name ? { name, bytes: Buffer.from(content) } : null });

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

test('without settings there is no logo and no accent; every other file exists', async () => {
  const site = await open();
  const files = await Promise.all(SITE_FILES.map(async (path) => [path, await site.file(path)] as const));
  expect(files.flatMap(([path, file]) => (file ? [] : [path]))).toEqual(['/site-logo.png', '/accent.css']);
  expect(await site.file('/etc/passwd')).toBeNull();
});

test('the manifest has the site’s name and existing icons', async () => {
  const site = await open();
  const file = await site.file('/manifest.webmanifest');
  const manifest = JSON.parse(file?.bytes.toString() ?? '') as { name: string; icons: { src: string }[] };
  expect(manifest.name).toBe('墨页');
  for (const { src } of manifest.icons) expect(await site.file(src)).not.toBeNull();
});
