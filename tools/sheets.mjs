// @ts-check
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createGenerator, expandVariantGroup } from 'unocss';
import look from '../uno.config.ts';
import { inRoot } from './project.mjs';

/** What a page imports as its style sheet. */
const SHEET = /^virtual:sheet\/([a-z]+)\.css$/;
const LOADED = /^\/__sheet\/([a-z]+)\.css$/;
/** A file whose text names classes. Plain modules say so by a comment, or every word of theirs would count as one. */
const HAS_CLASSES = /\.(astro|tsx)$/;
const INCLUDED = '@unocss-include';
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^'?]+)/g;
const SOURCE = /\.(astro|tsx?)$/;
/** Stand in every sheet, after the classes. */
const COMMON = ['src/styles/base.css', 'src/styles/chrome.css'];

/** @type {ReturnType<typeof createGenerator> | undefined} */
let generator;

/**
 * The text of a style sheet: the classes of the pages that import it and of all they can reach (what islands load later included),
 * then what stands around every page. One sheet a page holds all its classes, because two could not keep their order: `hidden` of
 * the second would win over `md:flex` of the first.
 * @param {string} name
 * @returns {Promise<{ css: string, files: string[] }>} and the files it was made from
 */
export async function makeSheet(name) {
  generator ??= createGenerator(look);
  const files = await reach(await pagesOf(name));
  const uno = await generator;
  /** @type {Set<string>} */
  const classes = new Set();
  for (const [path, text] of files) {
    if (!namesClasses(path, text)) continue;
    await uno.applyExtractors(expandVariantGroup(text), path, classes);
  }
  const { css } = await uno.generate(classes);
  const common = COMMON.map((path) => inRoot(path));
  const texts = await Promise.all(common.map((path) => readFile(path, 'utf8')));
  return { css: [css, ...texts].join('\n'), files: [...files.keys(), ...common] };
}

const namesClasses = (/** @type {string} */ path, /** @type {string} */ text) =>
  HAS_CLASSES.test(path) || text.includes(INCLUDED);

/** @param {string} name @returns {Promise<string[]>} the pages that import the sheet of that name */
async function pagesOf(name) {
  const paths = await sourcesIn('src/pages');
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  return paths.filter((_, index) => texts[index]?.includes(`'virtual:sheet/${name}.css'`));
}

/** @param {string} folder @returns {Promise<string[]>} every source file below it */
async function sourcesIn(folder) {
  const names = await readdir(inRoot(folder), { recursive: true });
  return names.filter((name) => SOURCE.test(name)).map((name) => inRoot(folder, name));
}

/** @param {string[]} entries @returns {Promise<Map<string, string>>} paths and texts of the sources that they lead to */
async function reach(entries) {
  /** @type {Map<string, string>} */
  const found = new Map();
  const waiting = [...entries];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    // An example in a comment may name a file that is not there; of a real import the build itself complains.
    const text = await readFile(path, 'utf8').catch(() => '');
    found.set(path, text);
    for (const [, target = ''] of text.matchAll(IMPORT)) {
      if (SOURCE.test(target)) waiting.push(join(dirname(path), target));
    }
  }
  return found;
}

/**
 * Serves `virtual:sheet/<name>.css` to Vite, and writes out groups of variants (`md:(flex gap-2)`) where classes are used.
 * @returns {import('vite').Plugin}
 */
export function sheets() {
  return {
    name: 'moye-sheets',
    enforce: 'pre',
    resolveId: (id) => (SHEET.test(id) ? id.replace(SHEET, '/__sheet/$1.css') : undefined),
    async load(id) {
      const name = LOADED.exec(id)?.[1];
      return name === undefined ? undefined : (await makeSheet(name)).css;
    },
    transform(code, id) {
      if (!SOURCE.test(id) || id.includes('/node_modules/') || !namesClasses(id, code)) return undefined;
      const expanded = expandVariantGroup(code);
      return expanded === code ? undefined : { code: expanded, map: null };
    },
    hotUpdate({ file, modules }) {
      if (!SOURCE.test(file) && !COMMON.some((path) => file.endsWith(path))) return undefined;
      const made = [...this.environment.moduleGraph.idToModuleMap.values()].filter(
        ({ id }) => id !== null && LOADED.test(id),
      );
      return [...modules, ...made];
    },
  };
}
