import type { BackupZip } from './backup-zip.ts';
import type { Extensions } from './extensions.ts';
import { attachmentShape } from './shapes.ts';

const LOCAL_PATH = 'storage.halo.run/local-relative-path';

export interface Attachments {
  /** The file that an absolute address of the site shows; null where the backup does not hold it. */
  read(address: string): Promise<Uint8Array | null>;
  /** How many files are no pictures. */
  others(): number;
}

/** Files of the site's own disk: those of a cloud's storage are in no backup. */
export function openAttachments(
  extensions: Extensions,
  zip: BackupZip,
  isOwn: (url: URL) => boolean,
): Attachments {
  const paths = new Map<string, string>();
  for (const { metadata, status } of extensions.list('attachments', attachmentShape)) {
    const path = metadata.annotations[LOCAL_PATH];
    const place = placeOf(status?.permalink ?? '');
    if (path && place !== '') paths.set(place, path);
  }
  return {
    async read(address) {
      const url = URL.parse(address);
      if (!url || !isOwn(url)) return null;
      const place = decoded(url.pathname);
      const known = paths.get(place);
      // Where no record tells: the folder `upload` is served as it is.
      const behind = /\/(upload\/.+)$/.exec(place)?.[1];
      for (const path of [known, behind]) {
        const found = path === undefined ? null : await zip.attachment(path);
        if (found) return found;
      }
      return null;
    },
    others() {
      let count = 0;
      for (const { spec } of extensions.list('attachments', attachmentShape))
        if (spec.mediaType !== '' && !spec.mediaType.startsWith('image/')) count += 1;
      return count;
    },
  };
}

const placeOf = (permalink: string): string => {
  const url = permalink === '' ? null : URL.parse(permalink, 'https://halo.invalid');
  return url ? decoded(url.pathname) : '';
};

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
