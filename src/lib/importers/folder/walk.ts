import { existsSync, lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, join, posix, relative, sep } from 'node:path';
import { asObject, asText, pick } from '../../markdown-file/front-matter.ts';
import { MARKDOWN } from '../../dialects/extensions.ts';
import { naturally } from '../../shared/natural-order.ts';
import { findGenerator, pressFolder, type Generator } from './generator.ts';

/** Folders of texts of further generators, by the settings file that identifies each. */
const OTHERS: readonly [file: string, folders: readonly string[]][] = [
  ['quartz.config.ts', ['content']],
  ['docusaurus.config.js', ['docs', 'blog', 'src/pages']],
  ['docusaurus.config.ts', ['docs', 'blog', 'src/pages']],
  ['gatsby-config.js', ['content', 'blog', 'posts', 'src']],
  ['gatsby-config.ts', ['content', 'blog', 'posts', 'src']],
  ['nuxt.config.ts', ['content']],
  ['pelicanconf.py', ['content']],
  ['mkdocs.yml', ['docs']],
];

/** Folders of Jekyll's root that hold no texts of the site. */
const NO_TEXTS = /^(?:vendor|node_modules|_site|_includes|_layouts|_sass|_plugins|_data)\//;

/** Folders of a site that hold its texts, from the site's root; empty if nothing says so. */
function contentFolders({ kind, root, settings }: Generator): string[] {
  const config = settings ?? {};
  if (kind === 'hexo') return [asText(pick(config, 'source_dir')) || 'source'];
  if (kind === 'hugo') {
    const languages = Object.values(asObject(pick(config, 'languages'))).map(asObject);
    return [config, ...languages].map((each) => asText(pick(each, 'contentDir')) || 'content');
  }
  if (kind === 'astro') return ['src', 'content', 'posts', 'blog', 'data', 'docs'];
  if (kind === 'vuepress') return [pressFolder(root) ?? ''];
  return OTHERS.flatMap(([file, folders]) => (existsSync(join(root, file)) ? folders : []));
}

/** Returns a test for paths of texts, from the site's root; null if every file may be one. */
function contentTest(generator: Generator, folders: readonly string[]): ((path: string) => boolean) | null {
  if (generator.kind === 'jekyll') return (path) => !NO_TEXTS.test(path);
  if (folders.length === 0 || folders.includes('.')) return null;
  return (path) => folders.some((folder) => path.startsWith(`${folder}/`));
}

/**
 * Separates the texts of a site from files around them, such as documents of the project and of themes. Keeps
 * everything if the imported folder is itself outside of the content, or the content has no file.
 * @param place path of the imported folder from the site's root
 */
function keepContent<File extends { path: string }>(
  files: readonly File[],
  place: string,
  generator: Generator,
): { files: readonly File[]; skipped: { path: string; reason: string }[] } {
  const folders = contentFolders(generator).map((folder) => posix.join(folder, '.').replace(/\/$/, ''));
  const isText = contentTest(generator, folders);
  const kept = files.filter(({ path }) => isText?.(posix.join(place, path)) ?? true);
  if (kept.length === files.length || kept.length === 0) return { files, skipped: [] };
  const texts = new Set(kept);
  const outside = new Map<string, number>();
  for (const file of files) {
    const [top = ''] = /^[^/]*\/?/.exec(file.path) ?? [];
    if (!texts.has(file)) outside.set(top, (outside.get(top) ?? 0) + 1);
  }
  const where = folders.length === 0 ? '网站的内容' : `网站的内容文件夹（${folders.join('、')}）`;
  return {
    files: kept,
    skipped: [...outside].map(([path, count]) => ({
      path,
      reason: `${path.endsWith('/') ? `${count} 个文件` : ''}不在${where}里，没有导入`,
    })),
  };
}

export interface FoundFile {
  /** Relative to the folder, `/` separated. */
  path: string;
  absolute: string;
}

/** Files below a folder. Texts may also refer to files elsewhere in the site, but not outside it. */
export interface Folder {
  readonly root: string;
  readonly name: string;
  /** The site that contains the folder: paths and symbolic links out of it are not followed. */
  readonly generator: Generator;
  /** Path from the site's folder to this one, `/` separated; empty if they are the same. */
  readonly place: string;
  hasFolder(path: string): boolean;
  /** Markdown files of the content in natural order of their names; each once, even if linked to twice. */
  readonly files: readonly FoundFile[];
  readonly skipped: readonly { path: string; reason: string }[];
  /**
   * Returns the file at `path`, or why it is unavailable. Paths are relative to the folder, and may be above
   * it within the site.
   */
  locate(path: string): Located;
  /** Lists all files of the site, relative to the folder. */
  listSite(): string[];
}

export type Located = { absolute: string; stats: Stats } | 'missing' | 'outside';

const IGNORED = new Set(['node_modules']);
const OTHER_TEXT = /\.(?:org|rst|adoc|asciidoc|textile|ipynb|canvas|base)$/i;
/** Drawings that a plugin of Obsidian stores as markdown. */
const DRAWING = /\.excalidraw\.md$/i;

/**
 * Lists markdown files below `path`; skips node_modules and names with a leading dot. @throws system errors
 */
export function openFolder(path: string): Folder {
  const root = realpathSync(path);
  const files: FoundFile[] = [];
  const skipped: { path: string; reason: string }[] = [];
  const seen = new Set<string>();
  const folders = new Set<string>();
  const visit = (folder: string): void => {
    const names = readdirSync(folder).sort(naturally);
    for (const name of names) {
      if (name.startsWith('.') || IGNORED.has(name)) continue;
      const absolute = join(folder, name);
      const shown = relative(root, absolute).split(sep).join('/');
      const entry = enter(root, absolute, seen);
      if (typeof entry === 'string') {
        skipped.push({ path: shown, reason: entry });
      } else if (entry?.isDirectory()) {
        folders.add(shown);
        try {
          visit(absolute);
        } catch (error) {
          skipped.push({ path: shown, reason: `无法打开文件夹（${codeOf(error)}）` });
        }
      } else if (entry?.isFile() && DRAWING.test(name)) {
        skipped.push({ path: shown, reason: 'Excalidraw 的绘图，没有导入' });
      } else if (entry?.isFile() && MARKDOWN.test(name)) {
        files.push({ path: shown, absolute });
      } else if (entry?.isFile() && OTHER_TEXT.test(name)) {
        skipped.push({ path: shown, reason: '不是 Markdown 文件，没有导入' });
      }
    }
  };
  visit(root);
  const generator = findGenerator(root);
  const place = relative(generator.root, root).split(sep).join('/');
  const content = keepContent(files, place, generator);
  return {
    root,
    name: basename(root),
    generator,
    place,
    hasFolder: (wanted) => folders.has(wanted.replace(/^\/+/, '')),
    files: content.files,
    skipped: [...skipped, ...content.skipped],
    locate: (wanted) => locate(root, wanted, generator.root),
    listSite: () => listSite(generator.root, root),
  };
}

/** Lists the files below `site`, relative to `folder`, without links and unreadable folders. */
function listSite(site: string, folder: string): string[] {
  const found: string[] = [];
  const visit = (at: string): void => {
    try {
      for (const entry of readdirSync(at, { withFileTypes: true })) {
        if (entry.name.startsWith('.') || IGNORED.has(entry.name)) continue;
        const absolute = join(at, entry.name);
        if (entry.isDirectory()) visit(absolute);
        else if (entry.isFile()) found.push(relative(folder, absolute).split(sep).join('/'));
      }
    } catch {
      // Names in a folder that cannot be read are unknown.
    }
  };
  visit(site);
  return found;
}

/** Returns the entry at `absolute`; null if it was visited before, a reason if it must not be followed. */
function enter(root: string, absolute: string, seen: Set<string>): Stats | string | null {
  try {
    const isLink = lstatSync(absolute).isSymbolicLink();
    const real = isLink ? realpathSync(absolute) : absolute;
    const stats = statSync(real);
    const matters = stats.isDirectory() || MARKDOWN.test(absolute);
    if (isLink && !isWithin(root, real)) return matters ? '符号链接指向文件夹之外，没有跟随' : null;
    if (seen.has(real) || real === root) return null;
    if (matters) seen.add(real);
    return stats;
  } catch (error) {
    return MARKDOWN.test(absolute) ? `无法读取（${codeOf(error)}）` : null;
  }
}

/**
 * Returns the file at `path`, relative to `root`, or why it is unavailable.
 * @param limit the folder that paths may not leave; both are real paths
 */
export function locate(root: string, path: string, limit = root): Located {
  const absolute = join(root, path);
  if (!isWithin(limit, absolute)) return 'outside';
  try {
    const real = realpathSync(absolute);
    if (!isWithin(limit, real)) return 'outside';
    const stats = statSync(real);
    return stats.isFile() ? { absolute: real, stats } : 'missing';
  } catch {
    return 'missing';
  }
}

const isWithin = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
