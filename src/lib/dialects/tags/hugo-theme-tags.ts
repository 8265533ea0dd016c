import { isKindName, kindOf } from '../../markdown/syntax/callout-kinds.ts';
import { figure, highlight } from './hugo-tags.ts';
import { callout, codeBlock, details, link, medium, paragraph } from './markdown.ts';
import { player } from './players.ts';
import {
  aliases,
  valueOf,
  valueOrWord,
  type Tag,
  type Translator,
  type Translators,
  type Written,
} from './tag.ts';

const kept: Translator = ({ inner }) => (inner === undefined ? null : { block: inner.trim() });
const folded: Translator = (tag) =>
  tag.inner === undefined
    ? null
    : details(valueOrWord(tag, 0, 'title', 'summary', 'name', 'label', 'header') || '展开', tag.inner);
const formula: Translator = ({ raw }) => (raw === undefined ? null : { block: `$$\n${raw.trim()}\n$$` });

/** Kinds that have their own shortcode in themes. */
const KIND_NAMES = 'note info tip hint success important warning caution danger error question example'.split(
  ' ',
);

/** Shortcodes of widespread themes: LoveIt, FixIt, Docsy, Book, Relearn, Hextra, Blowfish, PaperMod. */
export const hugoThemeTags: Translators = {
  ...Object.fromEntries(KIND_NAMES.map((name) => [name, boxOf(name)])),
  ...aliases('admonition notice callout hint alert message', admonition),
  quote: (tag) =>
    tag.inner === undefined ? null : callout('note', valueOf(tag, 'author', 'source'), tag.inner),
  ...aliases('expand collapse spoiler tab step', folded),
  ...aliases('tabs tabs-group tabpane center align columns column steps cards gallery', kept),
  ...aliases('mdl markdown md lead typeit', kept),
  ...aliases('rawhtml html', ({ raw }: Tag) => (raw === undefined ? null : { block: raw.trim() })),
  raw: ({ raw }) => raw ?? null,
  code: highlight,
  mermaid: ({ raw }) => (raw === undefined ? null : codeBlock(raw, 'mermaid')),
  ...aliases('math katex', formula),
  ...aliases('image img imgcap picture', figure),
  video: (tag) => mediumOf('video', tag),
  audio: (tag) => mediumOf('audio', tag),
  bilibili: (tag) => player('bilibili', valueOrWord(tag, 0, 'id', 'bvid', 'aid', 'bv'), partOf(tag)),
  tencent: (tag) => player('tencent', valueOrWord(tag, 0, 'id', 'vid')),
  youku: (tag) => player('youku', valueOrWord(tag, 0, 'id')),
  ...aliases('button btn link', linkOf),
  kbd: ({ words }) => (words.length === 0 ? null : `<kbd>${words.join('+').replace(/[<&]/g, '')}</kbd>`),
};

/** `type ["title"] [open]`, or both by name; a single word that is not a type is the title. */
function admonition(tag: Tag): Written | null {
  const { inner, name } = tag;
  const text = inner ?? valueOf(tag, 'text', 'content');
  if (text === '') return null;
  const type = valueOrWord(tag, 0, 'type', 'style', 'color', 'context');
  const isKind = isKindName(type ?? '');
  const kind = isKind ? kindOf(type) : name === 'alert' || name === 'notice' ? 'warning' : 'note';
  const title = valueOrWord(tag, 1, 'title');
  return callout(kind, /^(?:true|false)$/.test(title) ? '' : title, text);
}

function boxOf(name: string): Translator {
  return (tag) =>
    tag.inner === undefined ? null : callout(kindOf(name), valueOrWord(tag, 0, 'title'), tag.inner);
}

const partOf = (tag: Tag): string => {
  const part = valueOrWord(tag, 1, 'p', 'page');
  return /^\d{1,4}$/.test(part) ? `&p=${part}` : '';
};

function mediumOf(kind: 'video' | 'audio', tag: Tag): Written | null {
  const url = valueOrWord(tag, 0, 'src', 'url', 'mp4', 'webm', 'file');
  return url === '' ? null : medium(kind, url);
}

function linkOf(tag: Tag): Written | null {
  const url = valueOrWord(tag, 0, 'href', 'url', 'link', 'relref');
  if (url === '') return null;
  const text = (tag.inner ?? valueOf(tag, 'content', 'text', 'title', 'label')).trim();
  const written = link(text || url, url, tag.inner === undefined ? '' : valueOf(tag, 'title'));
  return tag.name === 'link' ? written : paragraph(written);
}
