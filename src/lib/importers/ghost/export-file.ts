import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../../markdown-file/problem.ts';
import { openPictures, pictureInZip } from '../site/picture-bytes.ts';
import { readHead } from '../source-file.ts';
import { openZip, type Zip } from '../zip.ts';
import { GIB, KIB } from '../../contract/rules/units.ts';

export type ExportFile = Awaited<ReturnType<typeof openExport>>;

/** Maximum bytes of JSON in a zip; a plain file has no limit. */
const MAX_JSON_BYTES = 16 * GIB;
const PLACES = ['', 'images', 'content/images'];
const IMAGES = /(?:^|\/)content\/images\//;

/**
 * @param images folder of pictures, `content/images` or one above it
 * @throws Problem or the system's error for other files
 */
export async function openExport(path: string, images: string | undefined) {
  const readPicture = openPictures(images);
  const isZip = (await readHead(path, 2)).toString('latin1') === 'PK';
  const zip = isZip ? await openZip(path) : undefined;
  const name = zip && jsonIn(zip);
  if (zip && name === undefined) {
    await zip.close();
    throw new Problem('压缩包里没有 Ghost 导出的 JSON');
  }
  const packed = new Map(
    zip?.paths.filter((each) => IMAGES.test(each)).map((each) => [afterImages(each), each]),
  );
  return {
    /** Reads the JSON from the start on each call. */
    json: (): AsyncIterable<Uint8Array> =>
      zip && name ? zip.stream(name, MAX_JSON_BYTES) : createReadStream(path, { highWaterMark: 256 * KIB }),
    /** @param wanted below `content/images`. @returns null if it is missing or unreadable */
    async picture(wanted: string): Promise<Uint8Array | null> {
      const inZip = packed.get(wanted);
      if (zip && inZip !== undefined) return pictureInZip(zip, inZip);
      return readPicture(PLACES.map((place) => join(place, wanted)));
    },
    close: async () => zip?.close(),
  };
}

const afterImages = (path: string): string => path.replace(/^.*?content\/images\//, '');

/** Finds Ghost's JSON in a zip: its name contains "ghost", unlike those of settings. */
function jsonIn({ paths }: Zip): string | undefined {
  const found = paths.filter((path) => /\.json$/i.test(path) && !/(?:^|\/)(?:__MACOSX|redirects)/.test(path));
  const [name] = found.toSorted(
    (a, b) => Number(/ghost/i.test(b)) - Number(/ghost/i.test(a)) || a.length - b.length,
  );
  return name;
}
