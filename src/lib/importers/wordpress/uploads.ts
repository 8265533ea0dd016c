import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pictureBelow } from '../site/picture-bytes.ts';
import { uploadPaths, type Attachments } from './attachments.ts';

const PLACES = ['', 'uploads', 'wp-content/uploads'];

/**
 * Opens pictures of a local copy of `wp-content/uploads`; no path or link is followed out of it.
 * @param folder if undefined, no picture is found
 * @throws the system's error if the folder cannot be read
 */
export function openUploads(folder: string | undefined, attachments: Attachments) {
  const root = folder === undefined ? undefined : realpathSync(folder);
  return {
    /** Returns the picture at an address, preferring the original to a scaled copy; null if it is missing. */
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
