const TYPES = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  heic: 'image/heic',
} as const;
export type PictureFormat = keyof typeof TYPES;

export const PICTURES = {
  avatar: {
    formats: ['png', 'jpeg', 'webp'],
    unreadable: '无法识别的图片，请使用 PNG、JPEG 或 WebP 格式',
  },
  image: {
    formats: ['png', 'jpeg', 'webp', 'gif', 'avif', 'heic'],
    unreadable: '无法识别的图片，请使用 PNG、JPEG、WebP、GIF 或 AVIF 格式',
  },
} as const satisfies Record<string, { formats: readonly PictureFormat[]; unreadable: string }>;
export type PictureKind = keyof typeof PICTURES;

/** Returns the types that a file field accepts. Without HEIC, because iPhones then convert it to JPEG. */
export const typesOf = (kind: PictureKind): string[] =>
  PICTURES[kind].formats.filter((format) => format !== 'heic').map((format) => TYPES[format]);

/** Bytes of a file that `formatOf` inspects. */
export const FORMAT_BYTES = 64;
const AVIF_BRANDS = ['avif', 'avis'];
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];
const HEIC =
  '这张 HEIC 图片用不了，请先转成 JPEG：iPhone 在“设置 › 相机 › 格式”里选“兼容性最佳”，或在电脑上打开后另存为 JPEG';

/** Returns the format by a file's first `FORMAT_BYTES`, ignoring its name; null if it is not supported. */
export function formatOf(start: Uint8Array): PictureFormat | null {
  const text = String.fromCharCode(...start.subarray(0, FORMAT_BYTES));
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.slice(4, 8) !== 'ftyp') return null;
  const brands = brandsOf(text);
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'avif';
  return brands.some((brand) => HEIC_BRANDS.includes(brand)) ? 'heic' : null;
}

/** Returns the error for an unreadable picture, by its first `FORMAT_BYTES`. */
export function unreadableText(kind: PictureKind, start: Uint8Array): string {
  return formatOf(start) === 'heic' ? HEIC : PICTURES[kind].unreadable;
}

/** Returns the same error by the name and type that a browser reports for a file. */
export const unreadableFile = (kind: PictureKind, { name, type }: { name: string; type: string }): string =>
  isHeicFile({ name, type }) ? HEIC : PICTURES[kind].unreadable;

/** Whether a file is HEIC by its name or type; browsers on Windows report no type. */
export const isHeicFile = ({ name, type }: { name: string; type: string }): boolean =>
  /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

/** Returns the major and compatible brands of a file type box (ISO/IEC 14496-12 §4.3). */
function brandsOf(text: string): string[] {
  const end = Math.min(text.charCodeAt(2) * 256 + text.charCodeAt(3), text.length);
  const brands = [text.slice(8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text.slice(at, at + 4));
  return brands;
}

export const PICTURE_URL = '/api/file/';

/** Matches the address of an uploaded picture in a text; server/files/uploads.ts generates the names. */
const UPLOADED = /\/api\/file\/([0-9a-f]{32}(?:-\d{1,8}x\d{1,8})?\.(?:png|jpg|webp))/g;

export function picturesIn({
  content,
  cover = '',
}: {
  content: string;
  cover?: string | undefined;
}): string[] {
  const names = [content, cover].flatMap((text) => [...text.matchAll(UPLOADED)].map(([, name = '']) => name));
  return [...new Set(names)];
}

const FENCED = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t>]*\1|(?![\s\S]))/gm;
const SHOWN = /(?:!\[[^\]\n]{0,300}\]\(<?|<img\s[^>\n]{0,300}?src=["']?)(\/api\/file\/[\w.-]+)/g;
/** Minimum size in pixels; smaller pictures are inline icons. */
const MIN_OPENING_SIZE = { width: 300, height: 200 };

/** Returns the address of the first uploaded picture in a list excerpt, or ''. */
export function openingPicture(excerpt: string): string {
  for (const [, address = ''] of excerpt.replace(FENCED, '').matchAll(SHOWN)) {
    const [name] = picturesIn({ content: address });
    if (name === undefined) continue;
    const { width, height } = sizeIn(name) ?? MIN_OPENING_SIZE;
    if (width >= MIN_OPENING_SIZE.width && height >= MIN_OPENING_SIZE.height) return PICTURE_URL + name;
  }
  return '';
}

/** Returns a picture's size from the name of its file; null if the name has none. */
export function sizeIn(name: string): { width: number; height: number } | null {
  const [, width, height] = /-(\d{1,8})x(\d{1,8})\./.exec(name) ?? [];
  return width === undefined ? null : { width: Number(width), height: Number(height) };
}

export function addressOf(written: string): string {
  const bare = /^<(.*)>$/.exec(written)?.[1] ?? written;
  const address = bare.replaceAll('&amp;', '&').replace(/\\([!-/:-@[-`{-~])/g, '$1');
  return address.startsWith('//') ? `https:${address}` : address;
}

/**
 * Whether the site's rule imports pictures from that address: `hosts` has its host, a parent domain, or `*`.
 */
export function isImportedHost(address: string, hosts: readonly string[]): boolean {
  const name = URL.parse(address)?.hostname ?? '';
  return hosts.some((host) => host === '*' || name === host || name.endsWith(`.${host}`));
}
