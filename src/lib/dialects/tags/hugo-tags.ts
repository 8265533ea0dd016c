import { gist, postAddress } from './hexo-tags.ts';
import { codeBlock, codeTitle, details, frame, link, linked, paragraph, picture } from './markdown.ts';
import { player } from './players.ts';
import { aliases, valueOf, valueOrWord, type Site, type Tag, type Translators, type Written } from './tag.ts';

/** Shortcodes of Hugo itself (https://gohugo.io/shortcodes/). */
export const hugoTags: Translators = {
  ...aliases('ref relref', reference),
  figure,
  highlight,
  details: (tag) =>
    tag.inner === undefined ? null : details(valueOrWord(tag, 0, 'summary', 'title') || '详情', tag.inner),
  youtube: (tag) => player('youtube', valueOrWord(tag, 0, 'id'), startOf(tag)),
  vimeo: (tag) => player('vimeo', valueOrWord(tag, 0, 'id')),
  gist: ({ words: [first, second, third] }) =>
    /^\w{20,}$/.test(first ?? '') ? gist(first, second) : gist(second && `${first}/${second}`, third),
  instagram: (tag) => cardOf('https://www.instagram.com/p/', valueOrWord(tag, 0, 'id'), /^[\w-]+$/),
  ...aliases('x tweet twitter', post),
  param: () => null,
};

const startOf = (tag: Tag): string => {
  const start = valueOf(tag, 'start');
  return /^\d{1,6}$/.test(start) ? `?start=${start}` : '';
};

const cardOf = (origin: string, id: string, pattern: RegExp): Written | null =>
  pattern.test(id) ? frame(origin + id) : null;

function post(tag: Tag): Written | null {
  const { words } = tag;
  const id = valueOf(tag, 'id') || (words.at(-1) ?? '');
  const user = valueOf(tag, 'user') || (words.length > 1 ? words[0] : 'i');
  return cardOf(`https://x.com/${user}/status/`, id, /^\d+$/);
}

function reference(tag: Tag, site: Site): Written | null {
  const name = valueOrWord(tag, 0, 'path');
  if (name === '') return null;
  const [path, anchor = ''] = name.split('#', 2);
  return path === '' ? `#${anchor}` : postAddress(name, tag.line, site);
}

export function figure(tag: Tag): Written | null {
  const url = valueOrWord(tag, 0, 'src', 'link-src', 'image', 'url');
  if (url === '') return null;
  const title = valueOf(tag, 'title');
  const caption = [title, valueOf(tag, 'caption')].filter((text) => text !== '').join('：');
  const author = valueOf(tag, 'attr');
  const source = valueOf(tag, 'attrlink');
  const words = [caption, author].filter((text) => text !== '').join('，');
  const shown = picture(
    valueOf(tag, 'alt') || (tag.named.size === 0 ? (tag.words[1] ?? '') : caption),
    url,
    words,
  );
  const target = valueOf(tag, 'link');
  const block = target === '' ? shown : linked(shown, target);
  return paragraph(source === '' ? block : `${block}\n\n${link(author || source, source)}`);
}

/** `language [options]`: the lines to mark are `hl_lines=8 15-17`, quoted with the other options or alone. */
export function highlight(tag: Tag): Written | null {
  if (tag.raw === undefined) return null;
  const options = tag.source.replaceAll('"', '');
  const [, list = ''] = /hl_lines=\[?([\d\s,-]+)/i.exec(options) ?? [];
  const lines = list.split(/[\s,]+/).filter((each) => each !== '');
  const marks = lines.length === 0 ? '' : `{${lines.join(',')}}`;
  const language = valueOf(tag, 'lang', 'language', 'type') || (tag.words[0] ?? '');
  return codeBlock(tag.raw, language, `${codeTitle(valueOf(tag, 'title', 'filename', 'file'))} ${marks}`);
}
