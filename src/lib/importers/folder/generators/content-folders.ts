import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { asObject, asText, pick } from '../../../markdown-file/front-matter.ts';
import { pressFolder, type Generator } from '../generator.ts';

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
export function keepContent<File extends { path: string }>(
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
