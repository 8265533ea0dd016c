import { gist, postAddress } from './hexo-tags.ts';
import { codeBlock, codeTitle, linked, paragraph, picture } from './markdown.ts';
import { player } from './players.ts';
import { valueOf, type Tag, type Translators, type Written } from './tag.ts';

/** Tags of Jekyll (https://jekyllrb.com/docs/liquid/tags/), and of Liquid itself. */
export const liquidTags: Translators = {
  raw: ({ raw }) => raw ?? null,
  verbatim: ({ raw }) => raw ?? null,
  comment: ({ raw }) => (raw === undefined ? null : ''),
  highlight,
  post_url: ({ words: [name], line }, site) => postAddress(name, line, site),
  include: included,
  include_relative: () => null,
  bilibili: ({ words: [id] }) => player('bilibili', id),
};

/** `language [linenos] [hl_lines="1 2"] [mark_lines="1 2"]`. */
function highlight(tag: Tag): Written | null {
  const { raw, words } = tag;
  if (raw === undefined) return null;
  const lines = valueOf(tag, 'mark_lines', 'hl_lines');
  const marks = /^[\d\s-]+$/.test(lines) ? `{${lines.trim().split(/\s+/).join(',')}}` : '';
  return codeBlock(raw, words[0] ?? '', `${codeTitle(valueOf(tag, 'title'))} ${marks}`);
}

const IS_PICTURE =
  /(?:^|\/)(?:figure|image|img|picture|responsive-image|post-image)s?(?:[-_]\w+)?(?:\.\w+)?$/i;

/** Includes belong to themes; those for pictures and videos usually have the same names. */
function included(tag: Tag): Written | null {
  const name = tag.words[0] ?? '';
  if (IS_PICTURE.test(name)) return figure(tag);
  if (/(?:^|\/)gist(?:\.\w+)?$/i.test(name)) return gist(valueOf(tag, 'id', 'gist'), valueOf(tag, 'file'));
  const site = /(youtube|vimeo|bilibili|video)/i.exec(name)?.[1]?.toLowerCase();
  if (site === undefined) return null;
  const id = valueOf(tag, 'id', 'video_id', 'url', 'src');
  const provider = site === 'video' ? valueOf(tag, 'provider').toLowerCase() || 'youtube' : site;
  return provider === 'youtube' || provider === 'vimeo' || provider === 'bilibili'
    ? player(provider, id)
    : null;
}

function figure(tag: Tag): Written | null {
  const url = valueOf(tag, 'image_path', 'src', 'url', 'path', 'file', 'image', 'img', 'name');
  if (url === '') return null;
  const caption = valueOf(tag, 'caption', 'title', 'description');
  const shown = picture(valueOf(tag, 'alt') || caption, url, caption);
  const target = valueOf(tag, 'link', 'href', 'popup');
  return paragraph(target === '' || target === 'true' ? shown : linked(shown, target));
}
