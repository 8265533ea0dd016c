import { z } from 'zod';
import type { Element, ElementContent } from 'hast';
import { element } from '../../markdown/elements.ts';
import { embedOf } from '../../markdown/from-html/article-tree.ts';
import { articleFromHtml } from '../../markdown/from-html/article.ts';
import { hideParts } from '../../markdown-file/hidden-parts.ts';
import type { ForeignArticle, Loss } from '../site/foreign-site.ts';
import { toMarkdown } from '../site/to-markdown.ts';
import { jsonOf } from '../json-rows.ts';
import type { Extensions } from './extensions.ts';
import { postShape, snapshotShape, type HaloPost, type HaloSnapshot } from './shapes.ts';
import type { Terms } from './terms.ts';

const chunk = z.object({ position: z.number().int().nonnegative(), lines: z.array(z.string()) });
const patchShape = z.array(
  z.object({ type: z.enum(['CHANGE', 'INSERT', 'DELETE', 'EQUAL']), source: chunk, target: chunk }),
);

interface Released {
  /** `markdown`, `html`, or the type of a plugin's editor. */
  rawType: string;
  raw: string | null;
  html: string | null;
  updated: number | undefined;
}

/**
 * Rebuilds the content of a snapshot: the base snapshot of an article contains its text, others contain
 * patches to it.
 * @returns null if either is missing in the backup
 */
function rebuild(extensions: Extensions, name: string, baseName: string): Released | null {
  const snapshot = name === '' ? null : extensions.find('snapshots', name, snapshotShape);
  if (!snapshot) return null;
  const { rawType, lastModifyTime: updated } = snapshot.spec;
  const type = rawType.toLowerCase();
  if (name === baseName || isBase(snapshot)) {
    const { rawPatch, contentPatch } = snapshot.spec;
    return { rawType: type, raw: rawPatch, html: contentPatch, updated };
  }
  const base = extensions.find('snapshots', baseName, snapshotShape);
  if (!base) return null;
  return {
    rawType: type,
    raw: applyPatch(base.spec.rawPatch, snapshot.spec.rawPatch),
    html: applyPatch(base.spec.contentPatch, snapshot.spec.contentPatch),
    updated,
  };
}

const isBase = ({ metadata }: HaloSnapshot): boolean =>
  metadata.annotations['content.halo.run/keep-raw'] === 'true';

/**
 * Applies a patch of java-diff-utils as Halo stores it: JSON of differences between lines.
 * @returns null if it is invalid, or belongs to another text
 */
export function applyPatch(original: string, patch: string): string | null {
  const { data: deltas } = patchShape.safeParse(jsonOf(patch));
  if (!deltas) return null;
  // As in Halo, a blank text has no lines.
  const lines = original.trim() === '' ? [] : original.split('\n');
  const result: string[] = [];
  const keep = (from: readonly string[], start: number, end: number): void => {
    for (let index = start; index < end; index += 1) result.push(from[index] ?? '');
  };
  let at = 0;
  for (const { type, source, target } of deltas.toSorted((a, b) => a.source.position - b.source.position)) {
    const end = source.position + source.lines.length;
    const isMet = source.lines.every((line, index) => lines[source.position + index] === line);
    if (source.position < at || end > lines.length || !isMet) return null;
    keep(lines, at, source.position);
    if (type !== 'DELETE') keep(target.lines, 0, target.lines.length);
    at = end;
  }
  keep(lines, at, lines.length);
  return result.join('\n');
}

export interface Posts {
  extensions: Extensions;
  terms: Terms;
  omitsHidden: boolean;
  resolve(address: string): string;
}

type Read = { articles: ForeignArticle[] } | { why: string };

/** Yields articles in order of creation. @param report receives the losses after the last one */
export async function* articlesOf(
  source: Posts,
  kinds: readonly ('posts' | 'singlepages')[],
  report: (losses: Loss[]) => void,
): AsyncGenerator<ForeignArticle> {
  const left: Loss[] = [];
  for (const kind of kinds) {
    for (const post of source.extensions.list(kind, postShape)) {
      if (post.metadata.deletionTimestamp !== undefined) continue;
      const read = await readPost(source, post, kind === 'singlepages');
      if ('why' in read) left.push({ what: `文章《${post.spec.title}》`, why: read.why });
      else yield* read.articles;
    }
  }
  report(left);
}

const NO_CONTENT = '备份里没有它的正文，或正文的修改记录对不上，没有导入';

/**
 * Reads the article of a post, and a draft of its unpublished changes, if any.
 * @param isPage whether it is a single page
 */
async function readPost(source: Posts, post: HaloPost, isPage: boolean): Promise<Read> {
  const { spec, metadata } = post;
  const isOut = isPublished(post);
  const name = isOut ? spec.releaseSnapshot : spec.headSnapshot || spec.releaseSnapshot;
  const released = rebuild(source.extensions, name, spec.baseSnapshot);
  if (!released || (released.raw === null && released.html === null)) return { why: NO_CONTENT };
  const article = await articleOf(source, post, released, isPage);
  if (!isOut) return { articles: [{ ...article, status: 'draft', formerPaths: [] }] };
  const head =
    spec.headSnapshot === name ? null : rebuild(source.extensions, spec.headSnapshot, spec.baseSnapshot);
  const draft = head && (await draftOf(source, article, head, metadata.name));
  return { articles: draft && draft.content !== article.content ? [article, draft] : [article] };
}

/** A released post counts as published unless it is pending or scheduled. */
function isPublished({ spec, metadata }: HaloPost): boolean {
  const label = metadata.labels['content.halo.run/published'];
  return spec.releaseSnapshot !== '' && (label === undefined ? spec.publish : label === 'true');
}

async function articleOf(
  source: Posts,
  { spec, metadata, status }: HaloPost,
  released: Released,
  isPage: boolean,
): Promise<ForeignArticle> {
  const { content, isSecret, warnings } = await contentOf(source, released);
  const description = spec.excerpt && !spec.excerpt.autoGenerate ? spec.excerpt.raw.trim() : '';
  const isUnlisted = status?.hideFromList === true;
  const isHidden = spec.visible === 'PRIVATE' || spec.visible === 'INTERNAL';
  const warned: [boolean, string][] = [
    [spec.deleted, '在回收站里，导入后只有作者能看到'],
    [isUnlisted, '不在列表里（所在分类被隐藏），导入后只有作者能看到'],
    [spec.visible === 'INTERNAL', '登录用户可见，导入后只有作者能看到'],
  ];
  return {
    key: metadata.name,
    author: userKey(spec.owner),
    title: spec.title,
    content,
    tags: source.terms.namesOf(spec),
    status: 'normal',
    isSecret: isSecret || spec.deleted || isUnlisted || isHidden,
    created: spec.publishTime ?? metadata.creationTimestamp,
    updated: released.updated ?? status?.lastModifyTime,
    description: description || undefined,
    cover: spec.cover || undefined,
    areCommentsClosed: !spec.allowComment || undefined,
    isPinned: (spec.pinned && !isPage) || undefined,
    page: isPage ? { order: -spec.priority } : undefined,
    slug: (isPage && spec.slug) || undefined,
    formerPaths: pathsOf(status?.permalink ?? ''),
    warnings: [...warned.filter(([applies]) => applies).map(([, why]) => why), ...warnings],
  };
}

async function draftOf(
  source: Posts,
  article: ForeignArticle,
  head: Released,
  name: string,
): Promise<ForeignArticle | null> {
  if (head.raw === null && head.html === null) return null;
  const { content, isSecret, warnings } = await contentOf(source, head);
  const { cover: _, isPinned: _pinned, ...rest } = article;
  return {
    ...rest,
    key: `${name}#head`,
    content,
    isSecret: isSecret || article.isSecret,
    status: 'draft',
    formerPaths: [],
    ...(head.updated === undefined ? {} : { created: head.updated, updated: head.updated }),
    warnings: ['是已发布文章尚未发布的修改，作为单独的草稿导入', ...warnings],
  };
}

export const userKey = (name: string): string => `user:${name}`;

async function contentOf(
  { resolve, omitsHidden: omits }: Posts,
  { rawType, raw, html }: Released,
): Promise<{ content: string; isSecret: boolean; warnings: string[] }> {
  if (rawType === 'markdown' && raw !== null)
    return { content: raw.replace(/\r\n?/g, '\n').trim(), isSecret: false, warnings: [] };
  // Other editors have their own source formats; only Halo's HTML is readable.
  const stored = (rawType === 'html' ? (raw ?? html) : (html ?? raw)) ?? '';
  const { text, isSecret, warnings } = hideParts(stored, { omits, isHtml: true });
  if (rawType === 'markdown') warnings.push('Markdown 原文的修改记录对不上，用了页面的 HTML');
  const { markdown, lostPictures, isTooDeep } = await toMarkdown(articleFromHtml, text, { resolve, rewrite });
  if (lostPictures > 0) warnings.push(`${lostPictures} 张图片没有地址，没有导入`);
  if (isTooDeep) warnings.push('嵌套太深，没有转换成 Markdown，原样保留');
  return { content: markdown, isSecret, warnings };
}

function rewrite(node: Element): ElementContent[] | undefined {
  if (!/^hyperlink-(?:inline-)?card$/.test(node.tagName)) return undefined;
  const { href, 'custom-title': named } = node.properties;
  if (typeof href !== 'string' || !/^https?:/i.test(href)) return [];
  const title = typeof named === 'string' && named !== '' ? named : href;
  const isInline = node.tagName === 'hyperlink-inline-card';
  return isInline ? [element('a', { href }, [{ type: 'text', value: title }])] : embedOf(href, title);
}

function pathsOf(permalink: string): string[] {
  const url = permalink === '' ? null : URL.parse(permalink, 'https://halo.invalid');
  return url && url.pathname !== '/' ? [`${url.pathname}${url.search}`] : [];
}
