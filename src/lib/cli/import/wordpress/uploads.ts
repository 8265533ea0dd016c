import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pictureBelow } from '../site/picture-bytes.ts';
import { uploadPaths, type Attachments } from './attachments.ts';

/** Where the uploads folder is, should somebody name one above it. */
const PLACES = ['', 'uploads', 'wp-content/uploads'];

/**
 * Pictures of a local copy of `wp-content/uploads`; no path and no link leads out of it.
 * @param folder undefined where there is none: then no picture is found
 * @throws the system's error where the folder cannot be read
 */
export function openUploads(folder: string | undefined, attachments: Attachments) {
  const root = folder === undefined ? undefined : realpathSync(folder);
  return {
    /** Bytes of the picture at an address, the whole one where that is of a smaller copy; else null. */
    async read(address: string): Promise<Uint8Array | null> {
      if (root === undefined) return null;
      const paths = uploadPaths(address, attachments.at(address));
      return pictureBelow(
        root,
        paths.flatMap((each) => PLACES.map((place) => join(place, each))),
      );
    },
  };
}
