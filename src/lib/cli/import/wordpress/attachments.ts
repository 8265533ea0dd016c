import type { Item } from './item.ts';

/** A file of the media library. */
export interface Attachment {
  url: string;
  /** Path below the uploads folder; '' where the export does not say. */
  file: string;
  title: string;
  alt: string;
  caption: string;
}

/** A picture's name ends so where WordPress made it smaller. */
const SIZE = /-\d{1,5}x\d{1,5}(?=\.\w{2,5}$)/;
const PICTURE = /\.(?:png|jpe?g|webp|gif|svg|avif|bmp|heic)$/i;

/** The media library, as far as it is needed: by id, by the post that has it, by address. */
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
    /** Ids of the pictures that were uploaded for a post, which a gallery without ids shows. */
    picturesOf: (postId: string): readonly string[] => byParent.get(postId) ?? [],
    /** The attachment that an address shows, in whatever size. */
    at(address: string): Attachment | undefined {
      const place = placeOf(address);
      const whole = place.replace(SIZE, '');
      // From 5.3 on, what is larger than 2,560 pixels is shown in a copy of that size.
      return byPlace.get(place) ?? byPlace.get(whole) ?? byPlace.get(whole.replace(/(?=\.\w+$)/, '-scaled'));
    },
  };
}

export type Attachments = ReturnType<typeof createAttachments>;

/** An address without its protocol and query: sites have moved to https. */
function placeOf(address: string): string {
  const url = URL.parse(address, 'https://none.invalid');
  return url ? decoded(`${url.host}${url.pathname}`) : address;
}

/** Where below the uploads folder the file of an address may lie, the whole picture before smaller ones. */
export function uploadPaths(address: string, attachment: Attachment | undefined): string[] {
  const { pathname = '' } = URL.parse(address, 'https://none.invalid') ?? {};
  const [, behind = ''] =
    /\/(?:wp-content\/(?:uploads|blogs\.dir\/\d+\/files)|files)\/(.+)$/.exec(pathname) ?? [];
  const named = decoded(behind);
  const whole = named.replace(SIZE, '');
  const scaled = whole.replace(/(?=\.\w+$)/, '-scaled');
  return [...new Set([attachment?.file ?? '', whole, scaled, named])].filter((path) => path !== '');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
