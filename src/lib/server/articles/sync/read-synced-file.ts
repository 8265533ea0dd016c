import { posix } from 'node:path';
import type { Authored } from '../../../contract/rules/authored-fields.ts';
import { BOUNDS, countCharacters } from '../../../contract/rules/bounds.ts';
import { PICTURE_URL } from '../../../contract/rules/pictures.ts';
import { hideComments } from '../../../dialects/obsidian/comments.ts';
import { encodePath } from '../../../dialects/obsidian/links.ts';
import { nameKeys, type Names } from '../../../dialects/obsidian/names.ts';
import { translateObsidian } from '../../../dialects/obsidian/obsidian.ts';
import { restoreData, takeData } from '../../../markdown-file/data-pictures.ts';
import { isJekyllName, readDate } from '../../../markdown-file/dates.ts';
import { decode, describeDecoding } from '../../../markdown-file/decode.ts';
import { applyEdits, unedited } from '../../../markdown-file/edits.ts';
import { titleIn } from '../../../markdown-file/file-name.ts';
import {
  asText,
  nameKey,
  pick,
  splitFrontMatter,
  type Metadata,
} from '../../../markdown-file/front-matter.ts';
import { hideParts } from '../../../markdown-file/hidden-parts.ts';
import { inspect } from '../../../markdown-file/inspect.ts';
import { Problem } from '../../../markdown-file/problem.ts';
import { readFields } from '../../../markdown-file/read-fields.ts';
import { readVisibility } from '../../../markdown-file/read-visibility.ts';
import { KIB } from '../../../contract/rules/units.ts';

/** Front matter is kept in addition to the text, whose size the quotas count. */
const MAX_FRONT_MATTER_CHARACTERS = 32 * KIB;
/** Characters that a file may have in addition to its article: the title, and comments of a vault. */
const MAX_LEFT_OUT_CHARACTERS = 4 * KIB;
/** Entries of `needs`, which each new file of the author is compared with. */
const MAX_NEEDS = 2_000;
const MAX_NOTES = 100;

const KNOWN = new Set(
  `title shortTitle tags tag categories category taxonomies 标签 分类 description summary excerpt
  excerpt_separator date created updated series source licence cover comments comments_closed pinned draft secret
  permalink slug url id layout`
    .trim()
    .split(/\s+/)
    .map(nameKey),
);

/** Names of the author's files, for links by name. */
export interface KnownNames {
  articles: Names;
  pictures: Names;
}

export interface ReadFile {
  fields: Omit<Authored, 'content' | 'cover' | 'series'>;
  status: 'normal' | 'draft';
  /** Whether front matter states nothing. */
  isPlain: boolean;
  series: string;
  /** Date of the file, which may be in the future. */
  created: number | undefined;
  /** Paths in the author's folder to which the text refers. */
  pictures: string[];
  /** Paths and names (`needOfName`) whose appearance changes the article. */
  needs: string[];
  /** The text with the addresses of the file, for `resolveAddresses`. */
  content: string;
  /** Addresses in `content` that are paths in the author's folder. */
  links: { start: number; end: number; to: string }[];
  /** `data:` addresses by the stand-ins that `content` has for them. */
  embedded: ReadonlyMap<string, string>;
  /** `path`: in the author's folder; null for an address elsewhere. */
  cover: { address: string; path: string | null };
  /** Chinese sentences: how the file was read, and what was not understood. */
  notes: string[];
}

/**
 * Reads the file at `path` of an author's folder, with Obsidian's syntax as the operator's import does. Runs
 * in a thread (sync-reader.ts).
 * @throws Problem with a Chinese sentence for a file that cannot become an article
 */
export function readSyncedFile(
  bytes: Uint8Array,
  path: string,
  { isVault, names, now }: { isVault: boolean; names: KnownNames; now: number },
): ReadFile {
  const decoded = decode(bytes);
  const { metadata, body: whole } = splitFrontMatter(decoded.text);
  if (decoded.text.length - whole.length > MAX_FRONT_MATTER_CHARACTERS)
    throw new Problem('文件开头的信息过长');
  const { text: body, pictures: embedded } = takeData(whole);
  if (countCharacters(body.trim()) > BOUNDS.content[1] + MAX_LEFT_OUT_CHARACTERS)
    throw new Problem(`正文不能超过 ${BOUNDS.content[1]} 个字符`);
  const stem = posix.basename(path).replace(/\.[^.]*$/, '');
  const visibility = readVisibility(metadata, now);
  const isDraft = visibility.isDraft;
  const {
    content: source,
    series: _,
    cover: __,
    ...fields
  } = readFields({ metadata, body }, { fallback: titleIn(stem), isJekyll: isJekyllName(stem) }, visibility);
  const folder = posix.basename(posix.dirname(path));
  const tags = fields.tags.length > 0 || isDraft ? fields.tags : [folder === '.' ? '未分类' : folder];
  const hidden = hideParts(body, { omits: false });
  const notes: string[] = hidden.warnings;
  const shown = hideComments(source, isVault, notes);
  const needed: string[] = [];
  const find = (known: Names, name: string): string | null => {
    const to = known.find(name, path);
    if (to === null) needed.push(...nameKeys(name).map(needOfName));
    return to === null ? null : encodePath(posix.relative(posix.dirname(path), to));
  };
  const { text: content } = translateObsidian(unedited(shown.content), {
    isVault,
    note: (name) => find(names.articles, name),
    file: (name) => find(names.pictures, name),
    lose: (_line, what) => void notes.push(what),
  });
  const { targets } = inspect(content);
  const referred = targets.flatMap((target) => {
    const to = pathFrom(path, target.url);
    const isNeeded = to !== null && (target.isPicture || (!target.isMedium && isMarkdown(to)));
    return isNeeded ? [{ ...target, to }] : [];
  });
  const cover = asText(pick(metadata, 'cover'));
  const coverPath = cover === '' ? null : pathFrom(path, cover);
  const pictures = [
    ...new Set([
      ...referred.filter(({ isPicture }) => isPicture).map(({ to }) => to),
      ...(coverPath === null ? [] : [coverPath]),
    ]),
  ];
  const needs = [...new Set([...pictures, ...referred.map(({ to }) => to), ...needed])];
  if (needs.length > MAX_NEEDS) throw new Problem(`正文链接的文件不能超过 ${MAX_NEEDS} 个`);
  const created = readDate(pick(metadata, 'date', 'created')) ?? undefined;
  return {
    fields: { ...fields, tags, secret: fields.secret || hidden.isSecret || shown.isSecret },
    status: isDraft ? 'draft' : 'normal',
    isPlain: Object.keys(metadata).length === 0,
    series: asText(pick(metadata, 'series')),
    created,
    pictures,
    needs,
    content,
    links: referred.map(({ start, end, to }) => ({ start, end, to })),
    embedded,
    cover: { address: cover, path: coverPath },
    notes: shorten([
      ...describeDecoding(decoded),
      ...[...visibility.warnings, ...notes].map((note) => note.replace('已导入为', '已设为')),
      ...unknownNames(metadata, visibility.fields).map((name) => `没有用到“${name}”`),
    ]),
  };
}

type Addressed = Pick<ReadFile, 'content' | 'links' | 'embedded' | 'cover'>;

/** The text and the cover of a file with the addresses that `addressOf` gives for paths. */
export function resolveAddresses(
  { content, links, embedded, cover: { address, path } }: Addressed,
  addressOf: (path: string) => string | null,
): { content: string; cover: string } {
  const edits = links.flatMap(({ start, end, to }) => {
    const by = addressOf(to);
    return by === null ? [] : [{ start, end, by }];
  });
  const cover = address.startsWith(PICTURE_URL) ? address : path === null ? null : addressOf(path);
  return { content: restoreData(applyEdits(unedited(content), edits).text, embedded), cover: cover ?? '' };
}

function shorten(notes: readonly string[]): string[] {
  const unique = [...new Set(notes)];
  if (unique.length <= MAX_NOTES) return unique;
  return [...unique.slice(0, MAX_NOTES), `还有 ${unique.length - MAX_NOTES} 条说明没有列出`];
}

/** Entry of `needs` for a name that a note refers to and no file has (`nameKeys`). */
export const needOfName = (key: string): string => `[[${key}]]`;

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

/** Path in the author's folder of an address in the file at `from`; null for addresses elsewhere. */
function pathFrom(from: string, url: string): string | null {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?)/i.test(url) || url.startsWith('/api/')) return null;
  try {
    const plain = decodeURIComponent(url.replace(/[?#].*$/s, '')).replaceAll('\\', '/');
    const path = posix.join(plain.startsWith('/') ? '' : posix.dirname(from), plain).replace(/^\/+/, '');
    return plain === '' || path.startsWith('..') || path === '.' ? null : path.normalize('NFC');
  } catch {
    return null;
  }
}

const unknownNames = (metadata: Metadata, understood: readonly string[]): string[] =>
  Object.entries(metadata)
    .filter(([name, value]) => value !== null && value !== '' && !understood.includes(name))
    .map(([name]) => name)
    .filter((name) => !KNOWN.has(nameKey(name)));
