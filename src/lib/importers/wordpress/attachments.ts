import { join } from 'node:path';
import { decodeAddress } from '../../markdown/decode-address.ts';
import type { Item } from './item.ts';

export interface Attachment {
  url: string;
  /** Path below the uploads folder; '' if the export does not contain it. */
  file: string;
  title: string;
  alt: string;
  caption: string;
}

const SIZE = /-\d{1,5}x\d{1,5}(?=\.\w{2,5}$)/;
const PICTURE = /\.(?:png|jpe?g|webp|gif|svg|avif|bmp|heic)$/i;

export function createAttachments() {
  const byId = new Map<string, Attachment>();
  const byParent = new Map<string, string[]>();
  const byPlace = new Map<string, Attachment>();
  return {
    add({ id, parent, attachmentUrl: url, title, excerpt, meta }: Item): void {
      if (url === '') return;
      const file = meta.get('_wp_attached_file') ?? '';
      const alt = meta.get('_wp_attachment_image_alt') ?? '';
      const attachment = { url, file, title, alt, caption: excerpt };
      byId.set(id, attachment);
      byPlace.set(placeOf(url), attachment);
      if (PICTURE.test(url)) byParent.set(parent, [...(byParent.get(parent) ?? []), id]);
    },
    find: (id: string): Attachment | undefined => byId.get(id),
    picturesOf: (postId: string): readonly string[] => byParent.get(postId) ?? [],
    /** Returns the attachment at an address, of any size. */
    at(address: string): Attachment | undefined {
      const place = placeOf(address);
      const whole = place.replace(SIZE, '');
      // Since 5.3, WordPress shows a scaled copy of pictures larger than 2,560 pixels.
      return byPlace.get(place) ?? byPlace.get(whole) ?? byPlace.get(whole.replace(/(?=\.\w+$)/, '-scaled'));
    },
  };
}

export type Attachments = ReturnType<typeof createAttachments>;

/** Strips protocol and query: sites have moved to https. */
function placeOf(address: string): string {
  const url = URL.parse(address, 'https://none.invalid');
  return url ? decodeAddress(`${url.host}${url.pathname}`) : address;
}

const PLACES = ['', 'uploads', 'wp-content/uploads'];

/** Returns the places of a picture in the uploads folder, the original before scaled copies. */
export function uploadPaths(address: string, attachments: Attachments): string[] {
  const { pathname = '' } = URL.parse(address, 'https://none.invalid') ?? {};
  const [, behind = ''] =
    /\/(?:wp-content\/(?:uploads|blogs\.dir\/\d+\/files)|files)\/(.+)$/.exec(pathname) ?? [];
  const named = decodeAddress(behind);
  const whole = named.replace(SIZE, '');
  const scaled = whole.replace(/(?=\.\w+$)/, '-scaled');
  const paths = new Set(
    [attachments.at(address)?.file ?? '', whole, scaled, named].filter((path) => path !== ''),
  );
  return [...paths].flatMap((path) => PLACES.map((place) => join(place, path)));
}
