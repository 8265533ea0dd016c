import { codeBlock, codeTitle, frame, link, paragraph, picture, quote } from './markdown.ts';
import { player } from './players.ts';
import { aliases, type Site, type Tag, type Translators, type Written } from './tag.ts';
import { readWords } from './words.ts';

/**
 * Tags of Hexo itself (https://hexo.io/docs/tag-plugins): words separated by spaces, with addresses
 * recognized by their form.
 */
export const hexoTags: Translators = {
  asset_img: ({ words }) => pictureOf(words, (word) => /\.\w+$/.test(word)),
  img: ({ words }) => pictureOf(words, (word) => /\/|\.\w+$/.test(word)),
  asset_path: ({ words }) => words[0] ?? null,
  asset_link: ({ words }) => (words[0] === undefined ? null : link(titleIn(words) || words[0], words[0])),
  post_link: postLink,
  post_path: ({ words, line }, site) => postAddress(words[0], line, site),
  ...aliases('blockquote quote', quotation),
  pullquote: ({ inner }) => (inner === undefined ? null : quote(inner)),
  ...aliases('codeblock code', code),
  include_code: includedCode,
  gist: ({ words: [id, file] }) => gist(id, file),
  iframe: ({ words: [url] }) => (url === undefined ? null : frame(url)),
  jsfiddle: ({ words: [id] }) =>
    id === undefined ? null : frame(`https://jsfiddle.net/${id}/embedded/`, `JSFiddle ${id}`),
  youtube: ({ words: [id, kind] }) => player(kind === 'playlist' ? 'youtube-list' : 'youtube', id),
  vimeo: ({ words: [id] }) => player('vimeo', id),
  link: linkOf,
};

/** `[classes] address [width] [height] ["title" "alternative text"]`. */
function pictureOf(words: readonly string[], isAddress: (word: string) => boolean): Written | null {
  const at = words.findIndex(isAddress);
  const url = words[at];
  if (url === undefined) return null;
  const rest = words.slice(at + 1).filter((word) => !/^\d+(?:%|px)?$/.test(word));
  const [quoted = ''] = rest;
  if (rest.length === 1 && /^["'].*["']$/.test(quoted)) {
    const [title = '', alternative] = readWords(quoted).words;
    return picture(alternative ?? title, url, alternative === undefined ? '' : title);
  }
  return picture(rest.join(' '), url);
}

const titleIn = (words: readonly string[]): string =>
  words
    .slice(1)
    .filter((word, index, all) => index < all.length - 1 || !/^(?:true|false)$/.test(word))
    .join(' ');

function postLink({ words, line }: Tag, site: Site): Written | null {
  const [name] = words;
  if (name === undefined) return null;
  const [bare = '', anchor] = name.split('#', 2);
  const found = site.post(bare);
  const text = titleIn(words) || found?.title || bare;
  if (found) return link(text, found.address + (anchor === undefined ? '' : `#${anchor}`));
  site.lose(line, `找不到链接的文章，只留下文字：${name}`);
  return text;
}

/** Returns the address of an article; `#` if it is missing, which is reported. */
export function postAddress(name: string | undefined, line: number, site: Site): string | null {
  if (name === undefined) return null;
  const [bare = '', anchor] = name.split('#', 2);
  const found = site.post(bare);
  if (!found) site.lose(line, `找不到链接的文章，链接不再指向别处：${name}`);
  return (found?.address ?? '') + (anchor === undefined ? (found ? '' : '#') : `#${anchor}`);
}

/** `[author[, work]] [address [its title]]`. */
function quotation({ inner, source, words }: Tag): Written | null {
  if (inner === undefined) return null;
  const at = words.findIndex((word) => /^https?:\/\//i.test(word));
  const before = (at < 0 ? source : words.slice(0, at).join(' ')).replace(/^(["'])(.*)\1$/s, '$2');
  const [author = '', ...works] = before.split(',').map((part) => part.trim());
  const url = words[at];
  const work = works.join('，');
  const title = words.slice(at + 1).join(' ') || work;
  const origin = url === undefined ? work : link(title || url, url);
  return quote(inner, [author, origin].filter((part) => part !== '').join('，'));
}

const optionIn = (words: readonly string[], name: string): string =>
  words.find((word) => word.startsWith(`${name}:`))?.slice(name.length + 1) ?? '';

/** `[title] [lang:…] [address] [its title] [mark:1,3-5] [options]`. */
function code({ raw, words }: Tag): Written | null {
  if (raw === undefined) return null;
  const isOption = (word: string) =>
    /^(?:lang|line_number|line_threshold|highlight|first_line|mark|wrap|language_attr|diff):/.test(word);
  const plain = words.filter((word) => !isOption(word));
  const at = plain.findIndex((word) => /^(?:https?:)?\/\//i.test(word));
  const url = plain[at];
  const title = (at < 0 ? plain : plain.slice(0, at)).join(' ');
  const marks = /^[\d,-]+$/.test(optionIn(words, 'mark')) ? `{${optionIn(words, 'mark')}}` : '';
  const written = codeBlock(raw, optionIn(words, 'lang'), `${codeTitle(title)} ${marks}`);
  if (url === undefined) return written;
  return { block: `${written.block}\n\n${link(plain.slice(at + 1).join(' ') || url, url)}` };
}

/** `[title] [lang:…] [from:…] [to:…] path`. */
function includedCode({ words, line }: Tag, site: Site): Written | null {
  const plain = words.filter((word) => !/^(?:lang|from|to):/.test(word));
  const path = plain.at(-1);
  if (path === undefined) return null;
  const text = site.code(path);
  if (text === null) {
    site.lose(line, `找不到引用的代码文件：${path}`);
    return `（代码文件缺失：${path}）`;
  }
  const [from, to] = [Number(optionIn(words, 'from')) || 1, Number(optionIn(words, 'to')) || Infinity];
  const lines = text.split('\n').slice(from - 1, to);
  const language = optionIn(words, 'lang') || (/\.(\w+)$/.exec(path)?.[1] ?? '');
  return codeBlock(lines.join('\n'), language, codeTitle(plain.slice(0, -1).join(' ') || path));
}

/** `id [file]`, with or without the owner. */
export function gist(id = '', file = ''): Written | null {
  if (!/^[\w/-]+$/.test(id)) return null;
  const anchor = file === '' ? '' : `#file-${file.toLowerCase().replace(/[^a-z\d]+/g, '-')}`;
  const name = file === '' ? `Gist ${id}` : `Gist ${id}：${file}`;
  return paragraph(link(name, `https://gist.github.com/${id}${anchor}`));
}

/** Hexo: `text address [external] [title]`; Jekyll: a file, which becomes its address. */
function linkOf({ words, line, source }: Tag, site: Site): Written | null {
  if (words.length === 1) return postAddress(words[0], line, site);
  // Themes use `title, address, …`.
  const [name = '', address = ''] = source.includes(',') ? source.split(',').map((part) => part.trim()) : [];
  if (/^(?:https?:)?\/\//i.test(address)) return link(name, address);
  const at = words.findIndex((word) => /^(?:https?:\/\/|\/|#|mailto:)/i.test(word));
  const url = words[at];
  if (url === undefined || at === 0) return null;
  return link(
    words.slice(0, at).join(' '),
    url,
    words
      .slice(at + 1)
      .filter((word) => !/^(?:true|false)$/.test(word))
      .join(' '),
  );
}
