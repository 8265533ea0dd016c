import type { Root } from 'hast';
import { applyEdits, unedited } from '../../markdown-file/edits.ts';
import { hideParts } from '../../markdown-file/hidden-parts.ts';
import { inspect } from '../../markdown-file/inspect.ts';
import { createRangeTest } from '../../markdown-file/offsets.ts';
import { articleFromHtml, wordsOf } from '../../markdown/from-html/article.ts';
import type { ForeignRow } from '../../server/db/foreign/foreign-tables.ts';
import type { ForeignArticle } from '../site/foreign-site.ts';
import { spaceHeadings } from '../tight-headings.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import { addParagraphs } from '../wordpress/autop.ts';
import type { TypechoOptions } from './options.ts';
import type { Metas } from './metas.ts';
import type { TypechoTables } from './tables.ts';
import { instantOf, userKey } from './users.ts';

interface Addressed {
  cid: string;
  slug: string;
  /** Seconds since the epoch. */
  created: number;
  isPage: boolean;
  /** Slugs of each of its categories, from the outermost. */
  categories: readonly (readonly string[])[];
}

const PARAMETER = /[[{]([a-z]+)(?::[^\]}]*)?[\]}]/gi;
/** Articles are in one or two categories; addresses for more were hardly used. */
const MAX_CATEGORIES = 5;

/**
 * Returns the percent-encoded paths of an article: by the site's pattern, below its installation folder, with
 * and without `/index.php`, because sites start without URL rewriting. An article in several categories has
 * an address in each.
 */
export function pathsOf(article: Addressed, options: TypechoOptions): string[] {
  const pattern = article.isPage ? options.patterns.page : options.patterns.post;
  const folder = options.siteUrl === '' ? '' : new URL(options.siteUrl).pathname.replace(/\/$/, '');
  const usesCategory = /[[{](?:category|directory)\b/.test(pattern);
  const chains = usesCategory ? article.categories.slice(0, MAX_CATEGORIES) : [[]];
  const paths = chains.map((chain) => expand(pattern, article, chain, options.offset));
  const known = [...new Set(paths.filter((path) => path !== null))];
  return known.flatMap((path) => [`${folder}${path}`, `${folder}/index.php${path}`]);
}

/** Null if the pattern needs a value that the article does not have. */
function expand(
  pattern: string,
  { cid, slug, created }: Addressed,
  chain: readonly string[],
  offset: number,
): string | null {
  const date = new Date((created + offset) * 1000);
  const isDated = !Number.isNaN(date.getTime());
  const values: Record<string, string | undefined> = {
    cid,
    slug: encodeURIComponent(slug),
    category: chain.length > 0 ? encodeURIComponent(chain.at(-1) ?? '') : undefined,
    directory: chain.length > 0 ? chain.map(encodeURIComponent).join('/') : undefined,
    ...(isDated && {
      year: String(date.getUTCFullYear()),
      month: String(date.getUTCMonth() + 1).padStart(2, '0'),
      day: String(date.getUTCDate()).padStart(2, '0'),
    }),
  };
  let isKnown = true;
  const path = pattern.replace(PARAMETER, (_whole, name: string) => {
    const value = values[name.toLowerCase()];
    isKnown &&= value !== undefined && value !== '';
    return value ?? '';
  });
  return isKnown ? path : null;
}

export interface Contents {
  tables: TypechoTables;
  options: TypechoOptions;
  metas: Metas;
  omitsHidden: boolean;
  resolve(address: string): string;
}

export const isPost = (type: string): boolean => /^(?:post(?:_draft)?|revision)$/.test(type);
export const isPage = (type: string): boolean => /^page(?:_draft)?$/.test(type);

const MARKDOWN = '<!--markdown-->';
const COVERS = ['thumb', 'cover', 'thumbnail', 'banner', 'thumbUrl', 'headerImg', 'img', 'pic', 'image'];
const SUMMARIES = ['summary', 'description', 'excerpt', 'abstract', 'intro', 'desc', 'customSummary'];

export async function articleOf(source: Contents, row: ForeignRow): Promise<ForeignArticle> {
  const { cid = '', type = 'post', authorId, allowComment } = row as Record<string, string>;
  const warnings: string[] = [];
  const { names, categories } = source.metas.of(cid);
  const fields = fieldsOf(source.tables, cid);
  const { content, isSecret: hasHidden, warnings: lost } = await contentOf(source, row['text'] ?? '');
  const { status, isSecret } = visibilityOf(row, warnings);
  const address = { cid, slug: row['slug'] ?? '', created: Number(row['created']), isPage: isPage(type) };
  return {
    key: cid,
    author: userKey(authorId ?? '0'),
    title: wordsOf(row['title'] ?? ''),
    content,
    tags: names,
    status,
    isSecret: isSecret || hasHidden,
    page: isPage(type) ? placeOf(row) : undefined,
    slug: (isPage(type) && row['slug']) || undefined,
    created: instantOf(row['created']),
    updated: instantOf(row['modified']),
    description: find(fields, SUMMARIES),
    cover: find(fields, COVERS, isAddress),
    areCommentsClosed: allowComment === '0' || undefined,
    formerPaths: status === 'draft' ? [] : pathsOf({ ...address, categories }, source.options),
    warnings: [...warnings, ...lost],
  };
}

/** The parent of a draft is the page that it changes. */
const placeOf = ({ type, parent, order }: ForeignRow): ForeignArticle['page'] => ({
  parent: type === 'page' && Number(parent) > 0 ? (parent ?? '') : undefined,
  order: Number(order) || 0,
});

function visibilityOf(row: ForeignRow, warnings: string[]): Pick<ForeignArticle, 'status' | 'isSecret'> {
  const { type, password, parent } = row as Record<string, string>;
  // A hidden page is only left out of the navigation.
  const status = type === 'page' && row['status'] === 'hidden' ? 'publish' : row['status'];
  const isDraft = type?.endsWith('_draft') ?? false;
  const isRevision = type === 'revision' || (isDraft && Number(parent) > 0);
  if (isRevision) warnings.push('是已发布文章尚未发布的修改，作为单独的草稿导入');
  if (isRevision || isDraft) return { status: 'draft', isSecret: false };
  if (status === 'waiting') warnings.push('正等待审核，作为草稿导入');
  if (status === 'hidden') warnings.push('不在列表里（隐藏），导入后只有作者能看到');
  if (password) warnings.push('有访问密码，导入后只有作者能看到，密码不再有效');
  const isSecret = status === 'hidden' || status === 'private' || Boolean(password);
  return { status: status === 'waiting' ? 'draft' : 'normal', isSecret };
}

async function contentOf(
  { resolve, omitsHidden: omits }: Contents,
  stored: string,
): Promise<{ content: string; isSecret: boolean; warnings: string[] }> {
  const isHtml = !stored.startsWith(MARKDOWN);
  const written = stored.slice(isHtml ? 0 : MARKDOWN.length).replace(/\r\n?/g, '\n');
  const { text, isSecret, warnings: hidden } = hideParts(written, { omits, isHtml });
  const tags = themeTags(text);
  const kept = tags.length > 0 ? [`主题或插件的短代码原样保留：${tags.join('、')}`] : [];
  const warnings = [...hidden, ...kept];
  if (!isHtml) {
    const content = withoutRawMarks(text).trim();
    return { content: isDeep(content) ? content : spaceHeadings(unedited(content)).text, isSecret, warnings };
  }
  const prepare = (tree: Root): void => addParagraphs(tree);
  const { markdown, lostPictures, isTooDeep } = await toMarkdown(articleFromHtml, text, { resolve, prepare });
  if (lostPictures > 0) warnings.push(`${lostPictures} 张图片没有地址，没有导入`);
  if (isTooDeep) warnings.push('嵌套太深，没有转换成 Markdown，原样保留');
  return { content: markdown, isSecret, warnings };
}

const CLOSING = /[[{]\/([a-z][\w-]{0,30})[\]}]|\{([a-z][\w-]{0,30})\b[^{}\n]{0,500}\/\}/gi;
const MAX_SHOWN_NAMES = 10;

/** Names of theme and plugin tags outside code, such as `[scode]…[/scode]` and `{card-list}…{/card-list}`. */
function themeTags(text: string): string[] {
  const found = [...text.matchAll(CLOSING)];
  if (found.length === 0) return [];
  const isCode = codeIn(text);
  const names = found
    .filter(({ index }) => !isCode(index))
    .map(({ 1: first, 2: second }) => first ?? second ?? '');
  return [...new Set(names)].slice(0, MAX_SHOWN_NAMES);
}

const RAW_MARK = /^[ \t]{0,3}!!![ \t]*$/gm;

/** Empties the lines `!!!` around raw HTML, which needs no marks here; the last block may have no end. */
function withoutRawMarks(text: string): string {
  const lines = [...text.matchAll(RAW_MARK)];
  if (lines.length === 0) return text;
  const isCode = codeIn(text);
  const marks = lines.filter(({ index }) => !isCode(index));
  const edits = marks.map(({ 0: mark, index: start }) => ({ start, end: start + mark.length, by: '' }));
  return applyEdits(unedited(text), edits).text;
}

/** Whether a text nests too deeply to be read. */
function isDeep(text: string): boolean {
  try {
    inspect(text);
    return false;
  } catch {
    return true;
  }
}

function codeIn(text: string): (offset: number) => boolean {
  try {
    return createRangeTest(inspect(text).code);
  } catch {
    return () => false;
  }
}

function fieldsOf(tables: TypechoTables, cid: string): Map<string, string> {
  const rows = tables.rows('fields', { where: { cid } });
  return new Map(
    Array.from(rows, ({ name, type, str_value, int_value, float_value }) => {
      const value = type === 'int' ? int_value : type === 'float' ? float_value : str_value;
      return [(name ?? '').toLowerCase(), value ?? ''] as const;
    }),
  );
}

function find(
  fields: ReadonlyMap<string, string>,
  names: readonly string[],
  isFit: (value: string) => boolean = () => true,
): string | undefined {
  const values = names.map((name) => fields.get(name.toLowerCase())?.trim() ?? '');
  return values.find((value) => value !== '' && isFit(value));
}

const isAddress = (value: string): boolean => /^(?:https?:\/\/|\/)\S+$/i.test(value);
