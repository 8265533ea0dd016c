import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseMetadata, type Metadata } from '../../markdown-file/front-matter.ts';
import { MIB } from '../../contract/rules/units.ts';

/** The generator of the site in a folder. */
export interface Generator {
  kind: 'hexo' | 'hugo' | 'jekyll' | 'astro' | 'vuepress' | 'unknown';
  /** Root of the site: the imported folder or a parent. Nothing above it is read. */
  root: string;
  /** Whether the root holds a project, such as a repository, with documents about the project itself. */
  isProject: boolean;
  /** The site's settings; empty without a settings file. Null if the file cannot be read or parsed. */
  settings: Metadata | null;
}

const SETTINGS: readonly {
  names: readonly string[];
  kind: 'hugo' | 'hexo or jekyll' | 'astro' | 'hugo if content';
}[] = [
  { names: ['hugo.toml', 'hugo.yaml', 'hugo.yml', 'hugo.json'], kind: 'hugo' },
  {
    names: ['config/_default/hugo.toml', 'config/_default/config.toml', 'config/_default/hugo.yaml'],
    kind: 'hugo',
  },
  { names: ['_config.yml', '_config.yaml'], kind: 'hexo or jekyll' },
  { names: ['astro.config.mjs', 'astro.config.ts', 'astro.config.js'], kind: 'astro' },
  { names: ['config.toml', 'config.yaml', 'config.yml', 'config.json'], kind: 'hugo if content' },
];
/** Folders of settings of VuePress and VitePress, in the folder of the texts. */
const PRESS_FOLDERS = ['.vuepress', '.vitepress'];
/** Files that mark the root of a project of any kind. */
const PROJECT = ['package.json', '.git', 'Gemfile', 'go.mod'];
/** Folder that marks the root of an Obsidian vault, whose README is a note. */
const VAULT = '.obsidian';
const MAX_SETTINGS_BYTES = MIB;

/** Finds the site that contains `folder` (a real path), up to the first repository. */
export function findGenerator(folder: string): Generator {
  let project: string | null = null;
  let isPress = false;
  for (let at = folder; ; at = dirname(at)) {
    const found = readSettings(at);
    if (found) return found;
    isPress ||= PRESS_FOLDERS.some((name) => existsSync(join(at, name)));
    if (project === null && (isProject(at) || existsSync(join(at, VAULT)))) project = at;
    if (existsSync(join(at, '.git')) || dirname(at) === at) break;
  }
  const root = project ?? folder;
  const kind = isPress || pressFolder(root) !== null ? 'vuepress' : 'unknown';
  return { kind, root, isProject: isProject(root), settings: {} };
}

const isProject = (root: string): boolean => PROJECT.some((name) => existsSync(join(root, name)));

function readSettings(root: string): Generator | null {
  for (const { names, kind } of SETTINGS) {
    const name = names.find((each) => existsSync(join(root, each)));
    if (name === undefined) continue;
    if (kind === 'hugo if content' && !existsSync(join(root, 'content'))) continue;
    const settings = kind === 'astro' ? {} : parseSettings(join(root, name));
    const site = { root, isProject: true, settings };
    if (kind === 'hexo or jekyll') return { kind: isHexo(root) ? 'hexo' : 'jekyll', ...site };
    return { kind: kind === 'astro' ? 'astro' : 'hugo', ...site };
  }
  return null;
}

const PRESS_PLACES = ['', 'docs', 'src', 'blog', 'site', 'content', 'pages'];

/** Returns the folder of a VuePress or VitePress site's texts, from the project's root; null without one. */
export const pressFolder = (root: string): string | null =>
  PRESS_PLACES.find((place) => PRESS_FOLDERS.some((name) => existsSync(join(root, place, name)))) ?? null;

/** Distinguishes Hexo from Jekyll, which both have `_config.yml`. */
function isHexo(root: string): boolean {
  if (existsSync(join(root, 'source', '_posts'))) return true;
  if (existsSync(join(root, '_posts'))) return false;
  const bytes = readSmall(join(root, 'package.json'));
  return bytes !== null && bytes.includes('"hexo"');
}

function parseSettings(path: string): Metadata | null {
  const value = readData(path);
  return typeof value === 'object' && !Array.isArray(value) ? (value as Metadata | null) : null;
}

/** Returns the content of a file of data, `{}` if it is empty; null if it cannot be read or parsed. */
export function readData(path: string): unknown {
  const source = readSmall(path);
  if (source === null) return null;
  try {
    const kind = path.endsWith('.toml') ? 'TOML' : path.endsWith('.json') ? 'JSON' : 'YAML';
    return source.trim() === '' ? {} : (parseMetadata(kind, source) ?? {});
  } catch {
    return null;
  }
}

function readSmall(path: string): string | null {
  try {
    return statSync(path).size > MAX_SETTINGS_BYTES ? null : readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
