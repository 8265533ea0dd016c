import { createReadStream, realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '../../../markdown-file/problem.ts';
import { pictureBelow, pictureInZip } from '../site/picture-bytes.ts';
import { openZip, type Zip } from '../zip.ts';

/** Ghost's export: its JSON, alone or in a zip with the pictures. */
export interface ExportFile {
  /** The JSON anew from its start. */
  json(): AsyncIterable<Uint8Array>;
  /** @param path below `content/images`. @returns null where there is none, or none that can be read */
  picture(path: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

/** Bytes of JSON in a zip; a file outside may be as large as it is. */
const MOST_JSON = 16 * 2 ** 30;
/** Where pictures may lie below the folder that is given. */
const PLACES = ['', 'images', 'content/images'];
const IMAGES = /(?:^|\/)content\/images\//;

/**
 * @param images folder of pictures, `content/images` or one above it
 * @throws Problem or the system's error for what is neither
 */
export async function openExport(path: string, images: string | undefined): Promise<ExportFile> {
  const root = images === undefined ? undefined : realpathSync(images);
  const zip = (await isZip(path)) ? await openZip(path) : undefined;
  const name = zip && jsonIn(zip);
  if (zip && name === undefined) {
    await zip.close();
    throw new Problem('压缩包里没有 Ghost 导出的 JSON');
  }
  const packed = new Map(
    zip?.paths.filter((each) => IMAGES.test(each)).map((each) => [afterImages(each), each]),
  );
  return {
    json: () =>
      zip && name ? zip.stream(name, MOST_JSON) : createReadStream(path, { highWaterMark: 256 * 1024 }),
    async picture(wanted) {
      const inZip = packed.get(wanted);
      if (zip && inZip !== undefined) return pictureInZip(zip, inZip);
      const paths = PLACES.map((place) => join(place, wanted));
      return root === undefined ? null : pictureBelow(root, paths);
    },
    close: async () => zip?.close(),
  };
}

const afterImages = (path: string): string => path.replace(/^.*?content\/images\//, '');

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, 2).toString('latin1') === 'PK';
  } finally {
    await file.close();
  }
}

/** The one JSON of a zip that is Ghost's: it is called after it; settings beside it are not. */
function jsonIn({ paths }: Zip): string | undefined {
  const found = paths.filter((path) => /\.json$/i.test(path) && !/(?:^|\/)(?:__MACOSX|redirects)/.test(path));
  const [name] = found.toSorted(
    (a, b) => Number(/ghost/i.test(b)) - Number(/ghost/i.test(a)) || a.length - b.length,
  );
  return name;
}
