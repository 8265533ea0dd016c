import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseMetadata, pick, type Metadata } from '../../markdown-file/front-matter.ts';
import { MIB } from '../../shared/units.ts';

/** The generator of the site in a folder. */
export interface Generator {
  kind: 'hexo' | 'hugo' | 'jekyll' | 'astro' | 'unknown';
  /** Root of the site: the imported folder or a parent. Nothing above it is read. */
  root: string;
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
/** Files that mark the root of a project of any kind. */
const PROJECT = ['package.json', '.git', 'Gemfile', 'go.mod'];
const MAX_SETTINGS_BYTES = MIB;

/** Finds the site that contains `folder` (a real path), up to the first repository. */
export function findGenerator(folder: string): Generator {
  let project: string | null = null;
  for (let at = folder; ; at = dirname(at)) {
    const found = readSettings(at);
    if (found) return found;
    if (project === null && PROJECT.some((name) => existsSync(join(at, name)))) project = at;
    if (existsSync(join(at, '.git')) || dirname(at) === at) break;
  }
  return { kind: 'unknown', root: project ?? folder, settings: {} };
}

function readSettings(root: string): Generator | null {
  for (const { names, kind } of SETTINGS) {
    const name = names.find((each) => existsSync(join(root, each)));
    if (name === undefined) continue;
    if (kind === 'hugo if content' && !existsSync(join(root, 'content'))) continue;
    const settings = kind === 'astro' ? {} : parseSettings(join(root, name));
    if (kind === 'hexo or jekyll') return { kind: isHexo(root) ? 'hexo' : 'jekyll', root, settings };
    return { kind: kind === 'astro' ? 'astro' : 'hugo', root, settings };
  }
  return null;
}

/** Distinguishes Hexo from Jekyll, which both have `_config.yml`. */
function isHexo(root: string): boolean {
  if (existsSync(join(root, 'source', '_posts'))) return true;
  if (existsSync(join(root, '_posts'))) return false;
  const bytes = readSmall(join(root, 'package.json'));
  return bytes !== null && bytes.includes('"hexo"');
}

function parseSettings(path: string): Metadata | null {
  const source = readSmall(path);
  if (source === null) return null;
  try {
    const kind = path.endsWith('.toml') ? 'TOML' : path.endsWith('.json') ? 'JSON' : 'YAML';
    const value = source.trim() === '' ? {} : (parseMetadata(kind, source) ?? {});
    return typeof value === 'object' && !Array.isArray(value) ? (value as Metadata) : null;
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

/** Path under which the whole site was served, `/blog`; empty for the root of its host. */
export function basePath({ kind, settings }: Generator): string {
  const key = { hexo: 'root', jekyll: 'baseurl', hugo: 'baseURL', astro: '', unknown: '' }[kind];
  const value = key === '' ? undefined : pick(settings ?? {}, key);
  if (typeof value !== 'string') return '';
  const path = kind === 'hugo' ? (URL.parse(value)?.pathname ?? '') : value;
  return path.replace(/^\/?(.*?)\/*$/, (_, bare: string) => (bare === '' ? '' : `/${bare}`));
}
