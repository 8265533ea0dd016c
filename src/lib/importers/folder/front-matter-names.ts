import type { Authored } from '../../contract/rules/authored-fields.ts';
import { asText, nameKey, pick, pickEntries, type Metadata } from '../../markdown-file/front-matter.ts';
import { shown } from '../../markdown-file/read-visibility.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Names for the day of an article, the likeliest first; their spelling does not matter (`nameKey`). */
export const CREATED = words(`
  date created createdAt createdOn createdTime createdDate createTime createDate creationDate creationTime
  dateCreated timeCreated pubDate pubDatetime publishDate publishTime publishAt published publishedAt publishedOn
  publishedDate publishedTime datePublished firstPublishedAt postDate postedAt posted datetime
  日期 创建时间 创建日期 创建于 发布时间 发布日期 发表时间 发表日期 写作时间 写作日期 时间`);
/** Names that only say when an article is to be published. */
export const SCHEDULED = ['scheduled'];
export const UPDATED = words(`
  updated updatedAt updatedOn updatedTime updatedDate updateTime updateDate dateUpdated lastUpdated lastUpdate
  lastmod lastModified lastModifiedAt modified modifiedAt modifiedTime modifiedDate dateModified modDatetime
  lastEdited lastEditedTime 更新时间 更新日期 修改时间 修改日期 最后更新 最后修改 最近更新 编辑时间`);
export const COVERS = words(`
  cover banner thumbnail image heroImage featured_image feature_image images cover_image cover_img
  banner_img header_img index_img top_img 封面`);
const TAGS = words('tags tag 标签 categories category 分类');
const TEXTS = words('title shortTitle description summary excerpt source licence permalink url slug');
const LISTS = [...TAGS, ...words('series aliases alias redirect_from')];
const PLACES = words('series_order series_weight weight order');
/** Names that only concern the layout, or are understood elsewhere. */
const LAYOUT = words(`
  draft publish taxonomies excerpt_separator password hidden hide secret private comments comments_closed layout
  pageLayout type home toc toc_number math mathjax katex mermaid highlight_shrink aplayer abbrlink id
  typora-root-url typora-copy-images-to sidebar navbar editLink prev next icon index`);

const USED = new Set([CREATED, SCHEDULED, UPDATED, COVERS, TEXTS, LISTS, PLACES, LAYOUT].flat().map(nameKey));

const DATES = new Set([CREATED, UPDATED].flat().map(nameKey));
const TAG_NAMES = new Set(TAGS.map(nameKey));
export const isDateName = (name: string): boolean => DATES.has(nameKey(name));
export const isTagName = (name: string): boolean => TAG_NAMES.has(nameKey(name));

export const unusedNames = (metadata: Metadata, hiding: readonly string[]): string[] =>
  Object.entries(metadata)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name]) => name)
    .filter((name) => !USED.has(nameKey(name)) && !hiding.includes(name));

const isTextOrNone = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || asText(value) !== '';
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const isList = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isList) : isTextOrNone(value);
const isPlace = (value: unknown): boolean =>
  typeof value === 'boolean' || Number.isFinite(Number(asText(value) || NaN));

/** Returns a Chinese sentence for each field that has a known name and a value that cannot be read. */
export function unreadValues(metadata: Metadata, fields: Pick<Authored, 'licence' | 'source'>): string[] {
  const texts = pickEntries(metadata, TEXTS).filter(
    ([, value]) => !isTextOrNone(value) && !isEmptyList(value),
  );
  const lists = pickEntries(metadata, LISTS).filter(([, value]) => !isList(value));
  const places = pickEntries(metadata, PLACES).filter(([, value]) => !isPlace(value));
  const invalid = (['licence', 'source'] as const)
    .filter((name) => fields[name] === undefined && asText(pick(metadata, name)) !== '')
    .map((name): [string, unknown] => [name, pick(metadata, name)]);
  return [...texts, ...lists, ...places, ...invalid].map(
    ([name, value]) => `无法识别的“${shown(name, value)}”，没有导入`,
  );
}
