/** Formats of pictures that are read, by the media types browsers give them. */
const TYPES = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const;
export type PictureFormat = keyof typeof TYPES;

/** The formats each kind of picture may have, and what is said of others (CONTRACT.md). */
export const PICTURES = {
  avatar: {
    formats: ['png', 'jpeg', 'webp'],
    unreadable: '无法识别的图片，请使用 PNG、JPEG 或 WebP 格式',
  },
  image: {
    formats: ['png', 'jpeg', 'webp', 'gif', 'avif'],
    unreadable: '无法识别的图片，请使用 PNG、JPEG、WebP、GIF 或 AVIF 格式',
  },
} as const satisfies Record<string, { formats: readonly PictureFormat[]; unreadable: string }>;
export type PictureKind = keyof typeof PICTURES;

/** The media types of a kind, for `accept` of a file field. */
export const typesOf = (kind: PictureKind): string[] => PICTURES[kind].formats.map((format) => TYPES[format]);

/** Bytes of a file that `formatOf` looks at. */
export const FORMAT_BYTES = 64;
const AVIF_BRANDS = ['avif', 'avis'];
/** Of HEIC, whose decoder no free build of sharp may carry. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];
const HEIC =
  'HEIC 图片还不能用，请先转成 JPEG：iPhone 在“设置 › 相机 › 格式”里选“兼容性最佳”，或在电脑上打开后另存为 JPEG';

/** The format that a file's first `FORMAT_BYTES` say, whatever its name; null for none of ours. */
export function formatOf(start: Uint8Array): PictureFormat | null {
  const text = String.fromCharCode(...start.subarray(0, FORMAT_BYTES));
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  return text.slice(4, 8) === 'ftyp' && brandsOf(text).some((brand) => AVIF_BRANDS.includes(brand))
    ? 'avif'
    : null;
}

/** What is said of a picture of that kind that cannot be read, by its first `FORMAT_BYTES`. */
export function unreadableText(kind: PictureKind, start: Uint8Array): string {
  const text = String.fromCharCode(...start.subarray(0, FORMAT_BYTES));
  const isHeic = text.slice(4, 8) === 'ftyp' && brandsOf(text).some((brand) => HEIC_BRANDS.includes(brand));
  return isHeic ? HEIC : PICTURES[kind].unreadable;
}

/** The same, by what a browser knows of a file. */
export const unreadableFile = (kind: PictureKind, { name, type }: { name: string; type: string }): string =>
  /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name) ? HEIC : PICTURES[kind].unreadable;

/** The major brand and the compatible ones of a file type box (ISO/IEC 14496-12 §4.3). */
function brandsOf(text: string): string[] {
  const end = Math.min(text.charCodeAt(2) * 256 + text.charCodeAt(3), text.length);
  const brands = [text.slice(8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text.slice(at, at + 4));
  return brands;
}

/** How the addresses of uploaded pictures begin (CONTRACT.md, "Calls"). */
export const PICTURE_URL = '/api/file/';

/** An uploaded picture's address in a text; its name is of our making (server/files/uploads.ts). */
const UPLOADED = /\/api\/file\/([0-9a-f]{32}(?:-\d{1,8}x\d{1,8})?\.(?:png|jpg|webp))/g;

/** The names of the uploaded pictures that an article names, each once. */
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

/** Code between fences. */
const FENCED = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t>]*\1|(?![\s\S]))/gm;
/** What shows a picture, in markdown and in HTML, up to its address. */
const SHOWN = /(?:!\[[^\]\n]{0,300}\]\(<?|<img\s[^>\n]{0,300}?src=["']?)(\/api\/file\/[\w.-]+)/g;
/** Pixels: what is smaller is a sign in a line, not a picture of the article. */
const LEAST = { width: 300, height: 200 };

/** Address of the first uploaded picture that the markdown of a list shows; '' where it shows none. */
export function openingPicture(excerpt: string): string {
  for (const [, address = ''] of excerpt.replace(FENCED, '').matchAll(SHOWN)) {
    const [name] = picturesIn({ content: address });
    if (name === undefined) continue;
    const { width, height } = sizeIn(name) ?? LEAST;
    if (width >= LEAST.width && height >= LEAST.height) return PICTURE_URL + name;
  }
  return '';
}

/** A picture's width and height, which the name of an uploaded one tells; null where it does not. */
export function sizeIn(name: string): { width: number; height: number } | null {
  const [, width, height] = /-(\d{1,8})x(\d{1,8})\./.exec(name) ?? [];
  return width === undefined ? null : { width: Number(width), height: Number(height) };
}

/** The address that is written so in markdown or HTML. */
export function addressOf(written: string): string {
  const bare = /^<(.*)>$/.exec(written)?.[1] ?? written;
  const address = bare.replaceAll('&amp;', '&').replace(/\\([!-/:-@[-`{-~])/g, '$1');
  return address.startsWith('//') ? `https:${address}` : address;
}

/** Whether the site's rule brings in a picture of that address: its host or one above it is named, or `*`. */
export function isBroughtIn(address: string, hosts: readonly string[]): boolean {
  const name = URL.parse(address)?.hostname ?? '';
  return hosts.some((host) => host === '*' || name === host || name.endsWith(`.${host}`));
}
