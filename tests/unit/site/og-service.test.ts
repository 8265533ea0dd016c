import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStoredPictures } from '../../../src/lib/server/og/stored-pictures.ts';
import { createOgService } from '../../../src/lib/server/og/og-service.ts';
import type { PictureText } from '../../../src/lib/server/og/picture.ts';
import { fakes } from '../../fakes.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'moye-og-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const drawn = (text: PictureText) => new TextEncoder().encode(`picture of ${text.title}`);
/** Serves the pictures of the site only; tests/api/og.test.ts covers the ones that need the database. */
function open({ description = '慢慢写', seal = '', logo = '', place = join(folder, 'og') } = {}) {
  const draw = vi.fn<(text: PictureText) => Promise<Uint8Array>>(async (text) => drawn(text));
  const warnings: unknown[] = [];
  const og = createOgService({
    site: {
      facts: { title: '墨页', description, seal, logo: logo ? { src: logo, width: 84, height: 28 } : null },
      file: async () => ({ bytes: Buffer.from(logo) }),
    },
    drawer: { draw },
    pictures: createStoredPictures(place),
    ...fakes({ db: {}, log: { warn: (fields: unknown) => void warnings.push(fields) } }),
  });
  return { og, draw, warnings };
}

test('concurrent requests draw one picture, and it is not drawn again', async () => {
  const { og, draw } = open();
  const pictures = await Promise.all(Array.from({ length: 50 }, () => og.ofSite('203.0.113.7')));
  expect(new Set(pictures.map(({ version }) => version)).size).toBe(1);
  await og.ofSite('203.0.113.8');
  expect(draw).toHaveBeenCalledTimes(1);
  const another = open();
  const kept = await another.og.ofSite('203.0.113.7');
  expect(Buffer.from(kept.bytes).toString()).toBe('picture of 墨页');
  expect(another.draw).not.toHaveBeenCalled();
});

test('another text gives another picture with another version', async () => {
  const [one, other] = [open(), open({ description: '快快写' })];
  const versions = [await one.og.ofSite(''), await other.og.ofSite('')].map(({ version }) => version);
  expect(versions[0]).not.toBe(versions[1]);
  expect(other.draw).toHaveBeenCalledTimes(1);
});

test('the seal is the site’s: another one gives another picture', async () => {
  const seals = [
    open(),
    open({ seal: '山' }),
    open({ seal: 'none' }),
    open({ logo: 'one' }),
    open({ logo: 'two' }),
  ];
  const versions = await Promise.all(seals.map(async ({ og }) => (await og.ofSite('')).version));
  expect(new Set(versions).size).toBe(seals.length);
  expect(seals.map(({ draw }) => draw.mock.calls[0]?.[0].seal)).toEqual([
    { text: '墨' },
    { text: '山' },
    null,
    { src: 'one', width: 84, height: 28, png: Buffer.from('one').toString('base64') },
    { src: 'two', width: 84, height: 28, png: Buffer.from('two').toString('base64') },
  ]);
});

test('a failed picture is drawn again, and without a cache folder it is still served', async () => {
  const { og, draw, warnings } = open({ place: '/dev/null/og' });
  draw.mockRejectedValueOnce(new Error('no thread'));
  await expect(og.ofSite('')).rejects.toThrow('no thread');
  expect((await og.ofSite('')).bytes.length).toBeGreaterThan(0);
  expect(draw).toHaveBeenCalledTimes(2);
  expect(warnings).not.toEqual([]);
});

test('beyond the limit the least recently requested are removed', async () => {
  const kept = createStoredPictures(folder, { most: 10 });
  for (let index = 0; index < 10; index++) {
    await kept.write(`picture-${index}`, new Uint8Array(8));
    // File systems store times at a limited resolution.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await kept.read('picture-0')).not.toBeNull();
  await kept.write('picture-10', new Uint8Array(8));
  expect(readdirSync(folder)).toHaveLength(10);
  expect(await kept.read('picture-1')).toBeNull();
  expect(await kept.read('picture-0')).not.toBeNull();
});
