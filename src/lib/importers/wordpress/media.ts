import { escapeHtml } from '../../markdown/escape-html.ts';
import { videoAt } from '../../markdown/embeds/players.ts';
import type { Attachments } from './attachments.ts';
import type { Shortcode } from './shortcodes.ts';

export interface MediaSources {
  postId: string;
  attachments: Attachments;
  lose(name: string): void;
}

type Reader = (code: Shortcode, sources: MediaSources) => string;

/** Pages here have a table of contents without a plugin. */
const nothing: Reader = () => '';

const READERS: Record<string, Reader> = {
  caption: readCaption,
  wp_caption: readCaption,
  gallery: readGallery,
  playlist: readPlaylist,
  embed: ({ content = '', attributes }) => embedOf(content.trim() || (attributes['src'] ?? '')),
  video: (code) => mediumOf('video', code, 'src mp4 m4v webm ogv flv'),
  audio: (code) => mediumOf('audio', code, 'src mp3 m4a ogg wav flac'),
  youtube: videoBelow('https://www.youtube.com/watch?v='),
  vimeo: videoBelow('https://vimeo.com/'),
  bilibili: videoBelow('https://www.bilibili.com/video/', 'bvid'),
  toc: nothing,
  'ez-toc': nothing,
  lwptoc: nothing,
};

export const isKnownShortcode = (name: string): boolean => Object.hasOwn(READERS, name);

/** Converts a shortcode to HTML; an unknown one stays as code around its content. */
export function readShortcode(code: Shortcode, sources: MediaSources): string {
  const reader = isKnownShortcode(code.name) ? READERS[code.name] : undefined;
  if (reader) return reader(code, sources);
  sources.lose(code.name);
  const kept = (tag: string) => `<code>${escapeHtml(tag)}</code>`;
  return kept(code.tag) + (code.content === undefined ? '' : code.content + kept(`[/${code.name}]`));
}

function readCaption({ attributes, content = '' }: Shortcode): string {
  const [, picture = content, behind = ''] =
    /^\s*((?:<a [^>]*>\s*)?<img [^>]*>(?:\s*<\/a>)?)([\s\S]*)$/i.exec(content) ?? [];
  return figureOf(picture, attributes['caption'] ?? behind.trim());
}

const figureOf = (inside: string, caption: string): string =>
  `\n\n<figure>${inside}${caption === '' ? '' : `<figcaption>${caption}</figcaption>`}</figure>\n\n`;

function readGallery({ attributes, tag }: Shortcode, { attachments, postId, lose }: MediaSources): string {
  const { ids, include, exclude, id } = attributes;
  const named = (ids ?? include)?.split(/[\s,]+/).filter((each) => each !== '');
  const left = new Set(exclude?.split(/[\s,]+/));
  const pictures = (named ?? attachments.picturesOf(id ?? postId))
    .filter((each) => !left.has(each))
    .flatMap((each) => attachments.find(each) ?? []);
  if (pictures.length === 0) {
    lose('gallery');
    return `<code>${escapeHtml(tag)}</code>`;
  }
  const each = pictures.map(({ url, alt, caption }) =>
    figureOf(`<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}">`, escapeHtml(caption)),
  );
  return `\n\n${each.join('')}\n\n`;
}

function readPlaylist(
  { attributes: { ids = '', type = 'audio' } }: Shortcode,
  { attachments }: MediaSources,
): string {
  const kind = type === 'video' ? 'video' : 'audio';
  const found = ids.split(/[\s,]+/).flatMap((id) => attachments.find(id) ?? []);
  return found.map(({ url, title }) => elementOf(kind, url, title)).join('');
}

const elementOf = (kind: 'video' | 'audio', src: string, title = ''): string =>
  `\n\n<${kind} src="${escapeHtml(src)}" title="${escapeHtml(title)}"></${kind}>\n\n`;

function mediumOf(kind: 'video' | 'audio', { attributes, content }: Shortcode, names: string): string {
  const named = names.split(' ').map((name) => attributes[name]);
  const src =
    [...named, attributes['0'], content?.trim()].find((each) => each !== undefined && each !== '') ?? '';
  return videoAt(src) ? embedOf(src) : elementOf(kind, src, attributes['title']);
}

function videoBelow(start: string, name = 'id'): Reader {
  return ({ content = '', attributes: { [name]: named, id, 0: first } }) => {
    const said = (content.trim() || (named ?? id ?? first ?? '')).replace(/^=/, '');
    return embedOf(/^https?:/i.test(said) ? said : start + said);
  };
}

const embedOf = (address: string): string =>
  `\n\n<figure class="wp-block-embed">${escapeHtml(address.replaceAll('&amp;', '&'))}</figure>\n\n`;
