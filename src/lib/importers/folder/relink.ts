import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { addressOf } from '../../contract/rules/pictures.ts';
import type { Authored } from '../../contract/rules/authored-fields.ts';
import { restoreData } from '../../markdown-file/data-pictures.ts';
import { droppedTags } from '../../markdown-file/dropped-tags.ts';
import { unedited, type Edited } from '../../markdown-file/edits.ts';
import { asText, isObject, pick, pickEntries } from '../../markdown-file/front-matter.ts';
import type { AddressBook, Destination } from './addresses.ts';
import type { RawArticle } from './article.ts';
import { COVERS } from './front-matter-names.ts';
import { isInVault, warn, type Run } from './import-run.ts';
import { readLazyTags } from '../lazy-tags.ts';
import { repairLinks } from '../repair-links.ts';
import { spaceHeadings, tellTightHeadings } from '../tight-headings.ts';
import { endsRun, explainInReport } from '../report.ts';
import { findAddresses, keyOf, type Replacement } from './rewrite.ts';
import { encodePath, type Vault } from '../../dialects/obsidian/links.ts';
import { translateObsidian } from '../../dialects/obsidian/obsidian.ts';
import type { Site } from '../../dialects/tags/tag.ts';
import { translateTags } from '../../dialects/tags/translate-tags.ts';
import type { FoundFile } from './walk.ts';

type Named = Parameters<typeof keyOf>[0] & { isMedium?: boolean | undefined };

interface Work {
  run: Run;
  book: AddressBook;
  file: FoundFile;
}

/**
 * Returns an article's text for this site: syntax of generators and of Obsidian becomes markdown, links to
 * other files get their new addresses, and pictures are stored.
 */
export async function relink(work: Work, article: RawArticle): Promise<Pick<Authored, 'content' | 'cover'>> {
  const repaired = repairLinks(prepared(work, article), (what) => warn(work.run, work.file.path, what));
  const edited = translateObsidian(repaired, vaultOf(work, article));
  const text = translateTags(edited.text, siteOf(work), (line) => article.lineOf(edited.lineOf(line)));
  for (const sentence of droppedTags(text)) warn(work.run, work.file.path, sentence);
  const addresses = findAddresses(text);
  const replacements = new Map<string, Replacement>();
  const pictures = addresses.targets.filter(({ isPicture }) => isPicture);
  for (const target of [...pictures, ...addresses.targets.filter(({ isPicture }) => !isPicture)]) {
    // A link to a picture that is also shown gets the picture's new address.
    const shown = replacements.get(keyOf({ url: target.url, isPicture: true }));
    const data = article.embedded.get(target.url);
    const known = shown && 'address' in shown ? shown : null;
    const replacement = known ?? (data ? await embed(work, target, data) : await replace(work, target));
    if (replacement) replacements.set(keyOf(target), replacement);
  }
  return {
    content: restoreData(
      addresses.rewrite((target) => replacements.get(keyOf(target))),
      article.embedded,
    ),
    cover: await coverOf(work, article),
  };
}

/** The body with headings that lack a space, except in vaults with `#tag`, and pictures that load late. */
function prepared({ run, file }: Work, { body, lineOf }: RawArticle): Edited {
  const text = readLazyTags(unedited(body));
  if (isInVault(run, file.path)) return text;
  if (run.place.generator.kind === 'hexo') return spaceHeadings(text);
  const sentence = tellTightHeadings(text, lineOf);
  if (sentence !== null) warn(run, file.path, sentence);
  return text;
}

const MAX_CODE_BYTES = 100_000;
const CODE_FOLDERS = ['source/downloads/code', 'downloads/code', 'static', '', '_includes'];

function siteOf({ run, book, file }: Work): Site {
  return {
    post(name) {
      const path = book.find(name, file.path);
      if (path === null) return null;
      return { address: addressOfArticle(run, path, file), title: run.scanned.titles.get(path) ?? '' };
    },
    code(path) {
      const places = ['', ...run.folder.place.split('/').map((_, index) => '../'.repeat(index + 1))];
      const paths = places.flatMap((up) => CODE_FOLDERS.map((each) => posix.join(up, each, path)));
      const found = paths.map(run.folder.locate).find((each) => typeof each === 'object');
      return found && found.stats.size <= MAX_CODE_BYTES ? readFileSync(found.absolute, 'utf8') : null;
    },
    lose: (line, what) => warn(run, file.path, `第 ${line} 行：${what}`),
  };
}

function vaultOf({ run, book, file }: Work, { lineOf }: RawArticle): Vault {
  const addressOf = (path: string | null): string | null =>
    path === null ? null : encodePath(posix.relative(posix.dirname(file.path), path));
  return {
    isVault: isInVault(run, file.path),
    note: (name) => addressOf(book.notes.find(name, file.path)),
    file: (name) => addressOf(book.files.find(name, file.path)),
    lose: (line, what) => warn(run, file.path, `第 ${lineOf(line)} 行：${what}`),
  };
}

function addressOfArticle(run: Run, path: string, file: FoundFile): string {
  const linkers = run.linkers.get(path) ?? new Set();
  run.linkers.set(path, linkers.add(file.path));
  return `/detail/${run.records.get(path)?.articleId ?? ''}`;
}

async function replace(work: Work, target: Named): Promise<Replacement | null> {
  const { run, book, file } = work;
  const { url, isPicture } = target;
  const destination = book.resolve(target, file.path);
  if (destination.kind === 'article')
    return { address: addressOfArticle(run, destination.path, file) + destination.anchor };
  if (destination.kind === 'image') {
    const stored = await storePicture(work, url, destination);
    return stored === null ? (isPicture ? missingPicture(url) : null) : { address: stored };
  }
  if (destination.kind === 'other') {
    const stored = isPicture ? await importPicture(work, url) : null;
    return stored === null ? null : { address: stored };
  }
  if (destination.kind === 'local') {
    warn(run, file.path, `路径在作者的电脑上，没有导入，文中留下说明：${url}`);
    return noteOf(isPicture ? '图片缺失' : '附件没有导入', destination.name);
  }
  const { old, kind } = destination;
  const imported = isPicture && old !== null ? await importPicture(work, old) : null;
  if (imported !== null) return { address: imported };
  const outcome = old !== null ? '指向旧站' : isPicture ? '文中留下说明' : '保留原样';
  warn(run, file.path, `${COMPLAINTS[kind]}，${outcome}：${url}`);
  if (old !== null) return { address: old };
  return isPicture ? missingPicture(url) : null;
}

/** Stores a picture that is in the text itself; a note takes the place of one that cannot be stored. */
async function embed({ run, file }: Work, { isPicture }: Named, data: string): Promise<Replacement | null> {
  if (!isPicture) return null;
  try {
    const { address, losses } = await run.images.embed(data);
    for (const loss of losses) warn(run, file.path, `${loss}：内嵌的图片`);
    return { address };
  } catch (error) {
    if (endsRun(error)) throw error;
    warn(run, file.path, `内嵌的图片没有导入，文中留下说明（${explainInReport(error)}）`);
    return noteOf('图片缺失', '内嵌的图片');
  }
}

const missingPicture = (url: string): Replacement => noteOf('图片缺失', addressOf(url.trim()));

function noteOf(what: string, written: string): Replacement {
  const name = written.replace(/[`<>&\s]+/g, ' ').slice(0, 200);
  return { note: { text: `（${what}：\`${name}\`）`, html: `（${what}：<code>${name}</code>）` } };
}

/** Stores the picture that front matter names, and returns its address; empty if it cannot be stored. */
async function coverOf(work: Work, article: RawArticle): Promise<string> {
  const { run, book, file } = work;
  const covers = pickEntries(article.metadata, COVERS);
  const unread = covers.filter(([, value]) => hasParts(value) && addressIn(value) === '');
  for (const [name] of unread) warn(run, file.path, `无法识别的“${name}”，没有导入`);
  const written = covers.map(([, value]) => addressIn(value)).find((address) => address !== '');
  if (written === undefined) return '';
  const [, linked] = /^!?\[\[([^\]|]+)(?:\|[^\]]*)?\]\]$/.exec(written) ?? [];
  const named = linked === undefined ? written : (vaultOf(work, article).file(linked) ?? linked);
  const destination = book.resolve({ url: named, isPicture: true }, file.path);
  if (destination.kind === 'image') return (await storePicture(work, named, destination)) ?? '';
  const stored = await importPicture(work, ('old' in destination && destination.old) || named);
  if (stored !== null) return stored;
  warn(run, file.path, `封面不是文件夹里的图片，没有导入：${named}`);
  return '';
}

const hasParts = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0;

function addressIn(value: unknown): string {
  if (Array.isArray(value)) return addressIn(value[0]);
  if (!isObject(value)) return asText(value);
  return asText(pick(value, 'image', 'path', 'src', 'url', 'relative'));
}

async function storePicture(
  { run, file }: Work,
  url: string,
  { absolute, bytes }: Extract<Destination, { kind: 'image' }>,
): Promise<string | null> {
  try {
    const { address, losses } = await run.images.take(absolute, bytes);
    for (const loss of losses) warn(run, file.path, `${loss}：${url}`);
    return address;
  } catch (error) {
    if (endsRun(error)) throw error;
    warn(run, file.path, `图片没有导入：${url}（${explainInReport(error)}）`);
    return null;
  }
}

/**
 * Stores a picture of another site if the options ask for it; returns its address, or null if it stays there.
 */
async function importPicture({ run, file }: Work, url: string): Promise<string | null> {
  const { importsPicture, signal } = run.options;
  const address = addressOf(url.trim());
  if (!/^https?:\/\//i.test(address) || signal?.aborted || !importsPicture?.(address)) return null;
  try {
    return (await run.images.fetch(address)).address;
  } catch (error) {
    if (endsRun(error)) throw error;
    warn(run, file.path, `外链图片没有存到本站，保留原样：${address}（${explainInReport(error)}）`);
    return null;
  }
}

const COMPLAINTS = {
  outside: '链接指向文件夹之外',
  'missing-image': '找不到图片',
  'missing-article': '找不到链接的文章',
  file: '附件没有导入',
};
