import { isKindName, kindOf } from '../../markdown/syntax/callout-kinds.ts';
import { callout, codeBlock, details, link, medium, paragraph, picture, quote } from './markdown.ts';
import { player } from './players.ts';
import { aliases, type Tag, type Translator, type Translators, type Written } from './tag.ts';
import { readParts } from './words.ts';

const kept: Translator = ({ inner }) => (inner === undefined ? null : { block: inner.trim() });
const centred: Translator = ({ inner, source }) =>
  inner === undefined && source === '' ? null : quote(inner ?? source);
const folded: Translator = ({ inner, source }) =>
  inner === undefined ? null : details(readParts(source)[0] || '展开', inner);
const drawn =
  (language: string): Translator =>
  ({ raw }) =>
    raw === undefined ? null : codeBlock(raw, language);

/** Tags of the themes NexT, Butterfly, Volantis and Stellar, and of widespread plugins. */
export const hexoThemeTags: Translators = {
  ...aliases('note subnote noteblock', note),
  tabs: (tag) => sections(tag, /<!--\s*tab\b(.*?)-->/g, /<!--\s*endtab\s*-->/g),
  timeline: (tag) => sections(tag, /<!--\s*(?:timeline|node)\b(.*?)-->/g, /<!--\s*endtimeline\s*-->/g),
  ...aliases('centerquote cq', centred),
  folding,
  ...aliases('fold hideToggle hideBlock spoiler', folded),
  hideInline: ({ source }) => (source === '' ? null : (readParts(source)[0] ?? '')),
  ...aliases('gallery grouppicture gp', kept),
  mermaid: drawn('mermaid'),
  plantuml: drawn('plantuml'),
  ...aliases('math katex', formula),
  video: ({ words: [url] }) => mediumIn('video', url),
  dplayer: ({ words, named }) =>
    mediumIn('video', named.get('url') ?? words.find((word) => word.startsWith('url='))?.slice(4)),
  audio: ({ words: [url] }) => mediumIn('audio', url),
  aplayer: ({ words }) =>
    mediumIn(
      'audio',
      words.find((word) => /^https?:.*\.\w+/.test(word)),
    ),
  bilibili: ({ words: [id] }) => player('bilibili', id),
  youku: ({ words: [id] }) => player('youku', id),
  tencent: ({ words: [id] }) => player('tencent', id),
  pdf: ({ words: [url] }) => (url === undefined ? null : paragraph(link(url.split('/').at(-1) ?? url, url))),
  ...aliases('button btn', button),
  image: ({ source }) => {
    const [url = '', ...options] = readParts(source);
    const alt = options.find((option) => option.startsWith('alt='))?.slice(4) ?? '';
    return url === '' ? null : picture(alt, url);
  },
  inlineImg: ({ words: [url] }) => (url === undefined ? null : picture('', url)),
  ...aliases('fullimage fi', pictureIn),
  label,
  kbd: ({ source }) => `<kbd>${source.replace(/[<&]/g, '')}</kbd>`,
  u: ({ source }) => `<u>${source}</u>`,
  del: ({ source }) => `~~${source}~~`,
  emp: ({ source }) => `**${source}**`,
  p: ({ source }) => (source === '' ? null : paragraph(readParts(source).slice(1).join('，'))),
  span: ({ source }) => readParts(source).slice(1).join('，') || null,
  ...aliases('checkbox radio', checked),
};

const STYLES = new Set('flat simple modern disabled no-icon icon-padding'.split(' '));

/** `[class or colour] [icon] [style] [title]`; in Volantis, a comma precedes the text. */
function note({ name, inner, words, source }: Tag): Written | null {
  if (inner === undefined) {
    const [kind = '', ...text] = readParts(source);
    return text.length === 0 ? null : callout(kindOf(kind.split(' ')[0]), '', text.join('，'));
  }
  const [first = '', ...rest] = words;
  const isKind = isKindName(first ?? '');
  const title = (isKind || name === 'noteblock' ? rest : words)
    .flatMap((word) => word.split(' '))
    .filter((word) => !STYLES.has(word) && !isIconOrColour(word))
    .join(' ');
  return callout(kindOf(first), title, inner);
}

const isIconOrColour = (word: string): boolean =>
  /^(?:fa[bsrl]?|fa-[\w-]+|blue|pink|red|purple|orange|green|default|primary|cyan|yellow|grey|gray|child:\w+)$/.test(
    word,
  );

function sections({ inner, words, source }: Tag, open: RegExp, close: RegExp): Written | null {
  if (inner === undefined) return null;
  const parts = inner.replace(close, '').split(open);
  const [lead = '', ...rest] = parts;
  if (rest.length === 0) return { block: inner.trim() };
  const name = words[0]?.replace(/,$/, '') ?? readParts(source)[0] ?? '';
  const blocks = rest.flatMap((part, index) => {
    if (index % 2 === 1) return [];
    const title = part.replace(/@\S*\s*$/, '').trim();
    return [details(title || `${name} ${index / 2 + 1}`, rest[index + 1] ?? '').block];
  });
  return { block: [lead.trim(), ...blocks].filter((block) => block !== '').join('\n\n') };
}

/** `[colour,] title` or `[child:…] [open:true] title`. */
function folding({ inner, source }: Tag): Written | null {
  if (inner === undefined) return null;
  const parts = readParts(source);
  const text = (parts.length > 1 ? parts.slice(1).join('，') : source).replace(
    /\b(?:child|open|color):\S+\s*/g,
    '',
  );
  return details(text.trim() || '展开', inner);
}

function formula({ raw, source }: Tag): Written | null {
  if (raw !== undefined && raw.trim() !== '') return { block: `$$\n${raw.trim()}\n$$` };
  return source === '' ? null : `$${source}$`;
}

/** `address, text[, icon]`; in Volantis, the text is first. */
function button({ source }: Tag): Written | null {
  const [first = '', second = ''] = readParts(source);
  const isAddress = (text: string) => /^(?:https?:|\/|#|\.)/.test(text);
  if (isAddress(first)) return link(second || first, first);
  return isAddress(second) ? link(first, second) : null;
}

function pictureIn({ source }: Tag): Written | null {
  const [url = '', alt = ''] = readParts(source);
  return url === '' ? null : picture(alt.replace(/^@/, ''), url);
}

/** NexT: `class@text`, `@text`; Butterfly: `text colour`. */
function label({ source }: Tag): Written | null {
  if (source === '') return null;
  const at = source.indexOf('@');
  return `<mark>${(at < 0 ? source.replace(/\s+\w+$/, '') : source.slice(at + 1)).trim()}</mark>`;
}

const mediumIn = (kind: 'video' | 'audio', url: string | undefined): Written | null =>
  url === undefined ? null : medium(kind, url);

function checked({ source }: Tag): Written | null {
  const parts = readParts(source);
  const [state = '', ...rest] = parts.length > 1 ? parts : ['', source];
  const text = rest.join('，');
  return text === '' ? null : { block: `- [${/\bchecked\b/.test(state) ? 'x' : ' '}] ${text}` };
}
