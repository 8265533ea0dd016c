import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { join, posix } from 'node:path';
import {
  asObject,
  asText,
  asTexts,
  isObject,
  pick,
  splitFrontMatter,
  type Metadata,
} from '../../markdown-file/front-matter.ts';
import { MAX_FILE_BYTES } from '../../markdown-file/limits.ts';
import type { SourceVisibility } from '../../markdown-file/read-visibility.ts';
import { readTags } from '../../markdown-file/tags.ts';
import type { Folder } from './walk.ts';

/** A file by its path from the folder of its site, and its front matter. */
export interface SiteFile {
  sitePath: string;
  metadata: Metadata;
}

/** Visibility of a site's files as stated outside of the files. */
export type SiteVisibility = ReturnType<typeof openSiteVisibility>;

const FRONT_MATTER_BYTES = 4096;
const SHOWN: SourceVisibility = { isDraft: false, isSecret: false, warnings: [], fields: [] };

/** Reads the settings of the site that contains `folder`; files of sections are read on demand. */
export function openSiteVisibility(folder: Folder) {
  const { generator } = folder;
  const { kind, settings } = generator;
  const config = settings ?? {};
  const tags = encryptedTags(config);
  const hidingField = asText(pick(asObject(pick(config, 'hide_posts')), 'filter'));
  const excluded = kind === 'jekyll' || kind === 'hexo' ? asTexts(pick(config, 'exclude')) : [];
  const cascades = createCascades(folder);
  const isVaultFolder = createVaults(folder);
  const isHugo = kind === 'hugo' || kind === 'unknown';
  const isOptIn = folder.files.some(({ absolute }) => startsPublished(absolute));

  /** Returns the visibility by the file's path, its tags, or a field that the site's settings name. */
  function judgePlace({ sitePath, metadata }: SiteFile): SourceVisibility {
    const folders = sitePath.split('/').slice(0, -1);
    const name = posix.basename(sitePath);
    if (folders.includes('_drafts')) return { ...SHOWN, isDraft: true };
    if (excluded.some((pattern) => isBelow(pattern, sitePath, kind)))
      return { ...SHOWN, isDraft: true, warnings: ['网站的设置排除了这个文件，已作为草稿导入'] };
    if (kind !== 'hugo' && /^_(?!index\.)/.test(name))
      return { ...SHOWN, isDraft: true, warnings: ['文件名以下划线开头，原站没有发布，已作为草稿导入'] };
    const warnings: string[] = [];
    const isUnclear = settings === null || (isHugo && cascades.isUnclear(sitePath));
    if (isUnclear) warnings.push('网站的设置读不出来，不知道它是否公开，已导入为仅自己可见');
    const encrypted = readTags(metadata, { isJekyll: false }).find((tag) => tags.has(tag));
    // An empty password exempts one article from the encryption of its tag.
    if (encrypted !== undefined && metadata['password'] !== '')
      warnings.push(`原站加密标签“${encrypted}”的文章，已导入为仅自己可见`);
    if (hidingField !== '' && pick(metadata, hidingField) === true)
      warnings.push(`“${hidingField}: true”：原文没有公开，已导入为仅自己可见`);
    if (isOptIn && pick(metadata, 'dg-publish') === undefined)
      warnings.push('别的笔记有“dg-publish: true”，这篇没有，已导入为仅自己可见');
    return { ...SHOWN, isSecret: warnings.length > 0, warnings, fields: [hidingField] };
  }

  return {
    /** Returns front matter including values from Hugo's `cascade` or Jekyll's `defaults`. */
    inherited: (sitePath: string, metadata: Metadata): Metadata => ({
      ...(kind === 'jekyll' ? jekyllDefaults(config, sitePath) : {}),
      ...(isHugo ? cascades.valuesFor(sitePath) : {}),
      ...metadata,
    }),
    judgePlace,
    /** Whether the file is a note of an Obsidian vault. */
    isVault: (sitePath: string) => isVaultFolder(posix.dirname(sitePath)),
  };
}

/** Tags whose articles hexo-blog-encrypt encrypts: `encrypt: {tags: [{name, password}]}`. */
function encryptedTags(config: Metadata): ReadonlySet<string> {
  const value = pick(asObject(pick(config, 'encrypt')), 'tags');
  const entries: unknown[] = Array.isArray(value) ? value : isObject(value) ? Object.keys(value) : [value];
  const names = entries.map((entry) => asText(isObject(entry) ? pick(entry, 'name') : entry));
  return new Set(names.filter((name) => name !== ''));
}

/** Globs that are evaluated. Others could take exponential time and count as matching every path. */
const SIMPLE_GLOB = /^[^{}()[\]!+@|\\]{0,200}$/;
const MAX_STARS = 8;

function matches(path: string, glob: string): boolean {
  const isSimple = SIMPLE_GLOB.test(glob) && glob.split('*').length - 1 <= MAX_STARS;
  return !isSimple || posix.matchesGlob(path, glob);
}

/** Whether a pattern of a site's settings names a path or a folder above it; Hexo's start in `source`. */
function isBelow(pattern: string, sitePath: string, kind: string): boolean {
  const bare = pattern.replace(/^\.?\/+|\/+$/g, '');
  const paths = [sitePath, ...(kind === 'hexo' ? [sitePath.replace(/^source\//, '')] : [])];
  return paths.some((path) => path === bare || path.startsWith(`${bare}/`) || matches(path, bare));
}

/** Values that `defaults` of Jekyll's settings give to files of a folder. */
function jekyllDefaults(config: Metadata, sitePath: string): Metadata {
  const entries = pick(config, 'defaults');
  if (!Array.isArray(entries)) return {};
  const collection = sitePath.split('/').find((folder) => folder.startsWith('_')) ?? '_pages';
  const applies = (scope: Metadata): boolean => {
    const path = asText(pick(scope, 'path'));
    const type = asText(pick(scope, 'type'));
    return (path === '' || isBelow(path, sitePath, 'jekyll')) && (type === '' || `_${type}` === collection);
  };
  return Object.assign(
    {},
    ...entries
      .filter((entry: unknown) => isObject(entry) && applies(asObject(pick(entry, 'scope'))))
      .map((entry: Metadata) => asObject(pick(entry, 'values'))),
  ) as Metadata;
}

/** The `cascade` of Hugo's sections: front matter that an `_index.md` passes to the files below it. */
function createCascades({ place, locate }: Folder) {
  /** Entries by section; null below an `_index.md` that cannot be read. */
  const known = new Map<string, readonly unknown[] | null>();

  function entriesOf(section: string): readonly unknown[] | null {
    if (!known.has(section)) known.set(section, readEntries(section));
    return known.get(section) ?? null;
  }

  function readEntries(section: string): readonly unknown[] | null {
    const above = section === '.' ? [] : entriesOf(posix.dirname(section));
    const located = locate(posix.relative(place, posix.join(section, '_index.md')));
    if (above === null || typeof located === 'string') return above;
    try {
      if (located.stats.size > MAX_FILE_BYTES) return null;
      const { metadata } = splitFrontMatter(readFileSync(located.absolute, 'utf8'));
      return above.concat(pick(metadata, 'cascade'));
    } catch {
      return null;
    }
  }

  const entriesFor = (sitePath: string) => entriesOf(posix.dirname(sitePath));
  return {
    valuesFor: (sitePath: string): Metadata =>
      Object.assign(
        {},
        ...(entriesFor(sitePath) ?? []).filter((entry) => isObject(entry) && isTarget(entry, sitePath)),
      ) as Metadata,
    /** Whether the front matter of a section above the file cannot be read. */
    isUnclear: (sitePath: string): boolean => entriesFor(sitePath) === null,
  };
}

/** Whether an entry of a cascade is for a file; conditions other than a path count as met. */
function isTarget(entry: Metadata, sitePath: string): boolean {
  const target = pick(entry, 'target', '_target');
  const path = isObject(target) ? asText(pick(target, 'path')) : '';
  if (path === '') return true;
  const logical = `/${sitePath.replace(/^content\//, '').replace(/\.[^./]*$/, '')}`;
  return matches(logical, path.startsWith('/') ? path : `/${path}`);
}

/** Returns whether a folder is in an Obsidian vault: `.obsidian` at or above it, or a Quartz site. */
function createVaults({ generator: { root } }: Folder) {
  const known = new Map<string, boolean>();
  const isVault = (folder: string): boolean => {
    const has = (name: string): boolean => existsSync(join(root, folder, name));
    const found =
      known.get(folder) ??
      (has('.obsidian') || (folder === '.' ? has('quartz.config.ts') : isVault(posix.dirname(folder))));
    known.set(folder, found);
    return found;
  };
  return isVault;
}

/** Whether front matter publishes the file to a digital garden, where other notes stay private. */
function startsPublished(absolute: string): boolean {
  try {
    const file = openSync(absolute, 'r');
    try {
      const bytes = Buffer.alloc(FRONT_MATTER_BYTES);
      const text = bytes.toString('utf8', 0, readSync(file, bytes));
      return /^---[\s\S]*?^["']?dg-publish["']?:\s*["']?true\b/m.test(text);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
