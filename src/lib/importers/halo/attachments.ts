import { decodeAddress } from '../../markdown/decode-address.ts';
import type { BackupZip } from './backup-zip.ts';
import type { Extensions } from './extensions.ts';
import { attachmentShape } from './shapes.ts';

const LOCAL_PATH = 'storage.halo.run/local-relative-path';

export interface Attachments {
  read(address: string): Promise<Uint8Array | null>;
  others(): number;
}

/** Only covers files on the site's disk: backups contain none of cloud storage. */
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
      const place = decodeAddress(url.pathname);
      const known = paths.get(place);
      // Without a record: the folder `upload` is served directly.
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
  return url ? decodeAddress(url.pathname) : '';
};
